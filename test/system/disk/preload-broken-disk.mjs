// Loaded before a server (`node --import`): while the file TRIGGER exists, the process's own flushes fail as those of a
// disk do that has lost what was written to it.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { TRIGGER, ONLY } = process.env;
const { fdatasync } = fs;
fs.fdatasync = (descriptor, callback) => {
  const isMeant = () => ONLY === undefined || fs.readlinkSync(`/proc/self/fd/${descriptor}`).includes(ONLY);
  if (!fs.existsSync(TRIGGER) || !isMeant()) return fdatasync(descriptor, callback);
  // Once: the disk is fine from then on, and so says that it has all.
  fs.renameSync(TRIGGER, `${TRIGGER}.${Date.now()}`);
  const error = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', syscall: 'fdatasync' });
  setImmediate(callback, error);
};
syncBuiltinESMExports();

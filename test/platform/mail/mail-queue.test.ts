import { createSqlMailQueue } from '../../../src/platform/mail/sql-mail-queue.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { keptMailsContract } from './mail-queue.contract.ts';

const folder = temporaryFolder();
let files = 0;

keptMailsContract('SQLite', async () => {
  const file = folder.path(`mails-${++files}.db`);
  const open = () => openRegistry(openSqliteDatabase({ file, synchronous: 'normal' }));
  const registries = [await open(), await open()];
  return {
    kept: createSqlMailQueue(registries[0]!),
    another: async () => createSqlMailQueue(registries[1]!),
    close: async () => void (await Promise.all(registries.map((registry) => registry.destroy()))),
  };
});

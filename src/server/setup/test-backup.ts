import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { BackupAddress } from '../../platform/settings/backup-settings.ts';
import { withTarget } from '../backup/open-target.ts';

const FOLDER = 'setup-test';

/** Writes a small file to where a backup would go, reads it and removes it. @throws Error that says what went wrong */
export async function testBackupTarget(address: BackupAddress): Promise<void> {
  const name = `${FOLDER}/${randomBytes(8).toString('hex')}`;
  const written = randomBytes(64);
  await withTarget(address, async (target) => {
    await target.begin(FOLDER);
    writeFileSync(target.draftOf(name), written, { mode: 0o600 });
    await target.publish(name);
    try {
      const { file, release } = await target.fetch(name);
      const isSame = readFileSync(file).equals(written);
      release();
      if (!isSame) throw new Error('what was written there is not what was read back');
    } finally {
      await target.remove(name);
      await target.removeFolder(FOLDER);
    }
  });
}

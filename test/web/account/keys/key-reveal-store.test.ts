import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../../../src/api/calls/secret-box.ts';
import { openSqliteDatabase } from '../../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../../src/server/composition/registry.ts';
import { createSqlKeyRevealStore } from '../../../../src/web/account/keys/key-reveal-store.ts';
import { temporaryFolder } from '../../../event-log/temporary-folder.ts';
import { keyRevealStoreContract } from './key-reveal-store.contract.ts';

const folder = temporaryFolder();
const box = createSecretBox('pepper', randomBytes);
let files = 0;

keyRevealStoreContract('SQLite', async () => {
  const file = folder.path(`reveals-${++files}.db`);
  const open = () => openRegistry(openSqliteDatabase({ file, synchronous: 'normal' }));
  const [first, second] = [await open(), await open()];
  return {
    reveals: createSqlKeyRevealStore(first, box),
    another: createSqlKeyRevealStore(second, box),
    stored: async () => JSON.stringify(await first.selectFrom('key_reveals').selectAll().execute()),
    close: async () => void (await Promise.all([first.destroy(), second.destroy()])),
  };
});

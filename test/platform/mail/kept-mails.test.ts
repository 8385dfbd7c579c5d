import { sqlMails } from '../../../src/platform/mail/sql-mails.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { keptMailsContract } from './kept-mails.contract.ts';

const folder = temporaryFolder();
let files = 0;

keptMailsContract('SQLite', async () => {
  const file = folder.path(`mails-${++files}.db`);
  const open = () => openRegistry(openSqliteDatabase({ file, synchronous: 'normal' }));
  const registries = [await open(), await open()];
  return {
    kept: sqlMails(registries[0]!),
    another: async () => sqlMails(registries[1]!),
    close: async () => void (await Promise.all(registries.map((registry) => registry.destroy()))),
  };
});

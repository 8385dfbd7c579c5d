import type { Kysely } from 'kysely';
import { createSqlMyBooksStore } from '../../../src/accounts/my-books/sql-my-books-store.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { createSharedStatements } from '../../../src/webhooks/store/sql-webhook-shared.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { accountRows } from '../links/account-rows.ts';
import { activeVersionIn } from './active-version.ts';
import { myBooksStoreContract } from './my-books-store.contract.ts';

const folder = temporaryFolder();
let files = 0;

myBooksStoreContract('SQLite', async () => {
  const database = openSqliteDatabase({ file: folder.path(`my-books-${++files}.db`), synchronous: 'normal' });
  const registry = (await openRegistry(database)) as unknown as Kysely<any>;
  // One process has the file; both stores share its connection.
  const { bumpActiveVersion } = createSharedStatements({ database: registry });
  const open = () => createSqlMyBooksStore(registry, createSqliteRunner(database), bumpActiveVersion);
  return {
    myBooks: open(),
    another: open(),
    activeVersion: () => activeVersionIn(registry),
    ...accountRows(registry),
    close: () => registry.destroy(),
  };
});

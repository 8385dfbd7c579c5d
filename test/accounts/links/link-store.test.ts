import type { Kysely } from 'kysely';
import { createSqlLinkStore } from '../../../src/accounts/links/sql-link-store.ts';
import { SQLITE } from '../../../src/platform/sql/dialects.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { accountRows } from './account-rows.ts';
import { linkStoreContract } from './link-store.contract.ts';

const folder = temporaryFolder();
let files = 0;

linkStoreContract('SQLite', async () => {
  const database = openSqliteDatabase({ file: folder.path(`links-${++files}.db`), synchronous: 'normal' });
  const registry = await openRegistry(database);
  // One process has the file; both stores share its connection.
  const open = () => createSqlLinkStore(registry, createSqliteRunner(database), SQLITE);
  return {
    links: open(),
    another: open(),
    ...accountRows(registry as unknown as Kysely<any>),
    close: () => registry.destroy(),
  };
});

import type { Kysely } from 'kysely';
import { createSqlBetStore } from '../../../src/accounts/bets/sql-bet-store.ts';
import { SQLITE } from '../../../src/platform/sql/dialects.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { accountRows } from '../links/account-rows.ts';
import { betStoreContract } from './bet-store.contract.ts';

const folder = temporaryFolder();
let files = 0;

betStoreContract('SQLite', async () => {
  const database = openSqliteDatabase({ file: folder.path(`bets-${++files}.db`), synchronous: 'normal' });
  const registry = await openRegistry(database);
  // One process has the file; both stores share its connection.
  const open = () => createSqlBetStore(registry, createSqliteRunner(database), SQLITE);
  return {
    bets: open(),
    another: open(),
    ...accountRows(registry as unknown as Kysely<any>),
    close: () => registry.destroy(),
  };
});

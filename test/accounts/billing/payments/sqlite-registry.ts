import { openSqliteBilling } from '../../../../src/accounts/billing/sql/sql-billing.ts';
import { createSqlBillingStores } from '../../../../src/accounts/billing/sql/sql-billing-stores.ts';
import { createSqliteKeys } from '../../../../src/accounts/keys/sql-keys.ts';
import { SQLITE } from '../../../../src/platform/sql/dialects.ts';
import { openSqliteDatabase } from '../../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry } from '../../../../src/server/composition/registry.ts';

/** The registry of keys and billing in an SQLite file, on a connection of its own. */
export async function openSqliteRegistry(file = ':memory:') {
  const connection = openSqliteDatabase({ file, synchronous: 'normal' });
  const database = await openRegistry(connection);
  const runner = createSqliteRunner(connection);
  return {
    database,
    billing: await openSqliteBilling(database, runner),
    stores: createSqlBillingStores(database, runner, SQLITE),
    keys: createSqliteKeys(database),
    close: () => database.destroy(),
  };
}
export type SqliteRegistry = Awaited<ReturnType<typeof openSqliteRegistry>>;

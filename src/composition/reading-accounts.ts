import type { BillingRegistry } from '../accounts/billing/billing-registry.ts';
import { sqliteBilling } from '../accounts/billing/sqlite-billing.ts';
import { databaseFile, findDataFolder } from '../data-folder/paths.ts';
import type { Config } from '../settings/config.ts';
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts';
import { openRegistry } from './registry.ts';

/** What is known of accounts in a folder that a server may be working on. */
export async function withAccounts<T>(
  { dataDir }: Pick<Config, 'dataDir'>,
  read: (accounts: Pick<BillingRegistry, 'account' | 'accountByEmail'>) => Promise<T>,
): Promise<T> {
  const file = databaseFile(findDataFolder(dataDir));
  const registry = await openRegistry(openSqliteDatabase({ file, readonly: true }), true);
  try {
    return await read(sqliteBilling(registry));
  } finally {
    await registry.destroy();
  }
}

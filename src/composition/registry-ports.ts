import { openSqliteBilling } from '../accounts/billing/sqlite-billing.ts';
import { sqliteKeys } from '../accounts/keys/sqlite-keys.ts';
import { sqliteRememberedAnswers } from '../calls/once/sqlite-remembered-answers.ts';
import { SqlIdentities } from '../identities/sql-identities.ts';
import { sqliteRunner, sqliteTransactions } from '../sqlite/query-runner.ts';
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts';
import { sqliteWebhooks } from '../webhooks/store/sqlite-webhooks.ts';
import type { Ports, Secrets } from './ports.ts';
import { openRegistry } from './registry.ts';

type RegistryPorts = Pick<Ports, 'identities' | 'keys' | 'billing' | 'rememberedAnswers' | 'webhooks' | 'close'>;

/**
 * What is relational, of the one process that works on this database.
 * @param database closed with the ports
 */
export async function openRegistryPorts(database: SqliteDatabase, box: Secrets['box']): Promise<RegistryPorts> {
  const registry = await openRegistry(database);
  return {
    identities: await SqlIdentities.open(registry, sqliteRunner(database), { isAlone: true }),
    keys: sqliteKeys(registry),
    billing: await openSqliteBilling(registry),
    rememberedAnswers: sqliteRememberedAnswers(registry),
    webhooks: sqliteWebhooks(registry, sqliteTransactions(database), box),
    close: () => registry.destroy(),
  };
}

import { openSqliteBilling } from '../accounts/billing/sqlite-billing.ts';
import { sqliteKeys } from '../accounts/keys/sqlite-keys.ts';
import { sqliteRememberedAnswers } from '../calls/once/sqlite-remembered-answers.ts';
import { upcast } from '../domain/upcasters.ts';
import { SqlIdentities } from '../identities/sql-identities.ts';
import { createLogFeed } from '../log/log-feed.ts';
import { createMemoryLog } from '../log/memory-log.ts';
import { sqliteTransactions } from '../sqlite/query-runner.ts';
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { sqliteWebhooks } from '../webhooks/store/sqlite-webhooks.ts';
import type { Environment } from './environment.ts';
import type { Ports, Secrets } from './ports.ts';
import { openRegistry } from './registry.ts';

/**
 * Everything in the memory of this process, for tests and benchmarks: nothing of it survives `close`.
 * @param database of what is relational; closed with the ports
 */
export async function openInMemory(
  { box }: Secrets,
  { now }: Pick<Environment, 'now'>,
  database = openSqliteDatabase({ file: ':memory:' }),
): Promise<Ports> {
  const log = createMemoryLog({ now, upcast });
  const store = createMemoryStore();
  const registry = await openRegistry(database);
  return {
    log,
    feed: createLogFeed(log),
    store,
    identities: await SqlIdentities.open(registry, undefined, { isAlone: true }),
    keys: sqliteKeys(registry),
    billing: await openSqliteBilling(registry),
    rememberedAnswers: sqliteRememberedAnswers(registry),
    webhooks: sqliteWebhooks(registry, sqliteTransactions(database), box),
    async close() {
      await store.close();
      await log.close();
      await registry.destroy();
    },
  };
}

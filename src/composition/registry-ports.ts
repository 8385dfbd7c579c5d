import { openSqliteBilling } from '../accounts/billing/sqlite-billing.ts';
import { sqliteKeys } from '../accounts/keys/sqlite-keys.ts';
import { sqliteRememberedAnswers } from '../calls/once/sqlite-remembered-answers.ts';
import type { ServerClock } from '../clock/server-clock.ts';
import { sqliteKeptFeeds } from '../connectors/sqlite-kept-feeds.ts';
import { sqliteKeptRecord } from '../forecasting/sqlite-kept-record.ts';
import { SqlIdentities } from '../identities/sql-identities.ts';
import { sqliteGrades } from '../sheet/sqlite-grades.ts';
import { countedRows } from '../sqlite/counted-rows.ts';
import { sqliteRunner, sqliteTransactions } from '../sqlite/query-runner.ts';
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts';
import { sqliteWebhooks } from '../webhooks/store/sqlite-webhooks.ts';
import { gatedRegistry } from './gated-registry.ts';
import type { Ports, Secrets } from './ports.ts';
import { openRegistry } from './registry.ts';

type RegistryPorts = Pick<
  Ports,
  | 'identities'
  | 'keys'
  | 'billing'
  | 'rememberedAnswers'
  | 'keptRecord'
  | 'keptFeeds'
  | 'sheetGrades'
  | 'webhooks'
  | 'counts'
  | 'close'
>;

/**
 * What is relational, of the one process that works on this database.
 * @param database closed with the ports
 * @param clock what it tells is written; while its gate is closed nothing is made or ended for clients
 */
export async function openRegistryPorts(
  database: SqliteDatabase,
  box: Secrets['box'],
  clock: ServerClock,
): Promise<RegistryPorts> {
  const registry = await openRegistry(database);
  const written = {
    keys: sqliteKeys(registry),
    rememberedAnswers: sqliteRememberedAnswers(registry),
    sheetGrades: sqliteGrades(registry),
    webhooks: sqliteWebhooks(registry, sqliteTransactions(database), box),
  };
  return {
    identities: await SqlIdentities.open(registry, sqliteRunner(database), { isAlone: true, now: clock.now }),
    billing: await openSqliteBilling(registry),
    keptRecord: sqliteKeptRecord(registry),
    keptFeeds: sqliteKeptFeeds(registry),
    ...gatedRegistry(written, clock),
    counts: {
      webhooksOwed: countedRows(database, {
        ...{ name: 'webhooks_owed', table: 'webhook_messages', column: 'next_attempt_at', condition: 'IS NOT NULL' },
      }),
    },
    close: () => registry.destroy(),
  };
}

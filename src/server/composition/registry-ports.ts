import { openSqliteBilling } from '../../accounts/billing/sql-billing.ts';
import { sqlBillingStores } from '../../accounts/billing/sql-billing-stores.ts';
import { sqliteKeys } from '../../accounts/keys/sql-keys.ts';
import { sqliteRememberedAnswers } from '../../api/calls/once/sql-remembered-answers.ts';
import { sqlKeptRecord } from '../../forecasting/sql-kept-record.ts';
import { SqlIdentities } from '../../ingest/identities/sql-identities.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import { sqlMails } from '../../platform/mail/sql-mails.ts';
import { SQLITE } from '../../platform/sql/dialects.ts';
import { countedRows } from '../../platform/sqlite/counted-rows.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { sqliteRunner } from '../../platform/sqlite/sqlite-runner.ts';
import { sqlKeptFeeds } from '../../sources/connectors/sql-kept-feeds.ts';
import { sqlUsedStates } from '../../web/account/github/used-states.ts';
import { sqlKeyReveals } from '../../web/account/keys/sql-key-reveals.ts';
import { sqliteGrades } from '../../web/grade/sql-grades.ts';
import { sqliteWebhooks } from '../../webhooks/store/sql-webhooks.ts';
import { gatedRegistry } from './gated-registry.ts';
import type { Ports, Secrets } from './ports.ts';
import { openRegistry } from './registry.ts';

type RegistryPorts = Pick<
  Ports,
  | 'identities'
  | 'keys'
  | 'billing'
  | 'billingStores'
  | 'rememberedAnswers'
  | 'keptRecord'
  | 'keptFeeds'
  | 'mails'
  | 'sheetGrades'
  | 'keyReveals'
  | 'usedStates'
  | 'webhooks'
  | 'registry'
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
  const runner = sqliteRunner(database);
  const written = {
    keys: sqliteKeys(registry),
    rememberedAnswers: sqliteRememberedAnswers(registry),
    sheetGrades: sqliteGrades(registry),
    webhooks: sqliteWebhooks(registry, runner, box),
  };
  return {
    identities: await SqlIdentities.open(registry, runner, { isAlone: true, now: clock.now }),
    billing: await openSqliteBilling(registry, runner),
    billingStores: sqlBillingStores(registry, runner, SQLITE),
    keptRecord: sqlKeptRecord(registry),
    keptFeeds: sqlKeptFeeds(registry),
    mails: sqlMails(registry),
    keyReveals: sqlKeyReveals(registry, box),
    usedStates: sqlUsedStates(registry),
    ...gatedRegistry(written, clock),
    registry: { database: registry, runner, dialect: SQLITE },
    counts: {
      webhooksOwed: countedRows(database, {
        ...{ name: 'webhooks_owed', table: 'webhook_messages', column: 'next_attempt_at', condition: 'IS NOT NULL' },
      }),
    },
    close: () => registry.destroy(),
  };
}

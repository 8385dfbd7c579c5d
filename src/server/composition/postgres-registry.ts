import { sql } from 'kysely';
import { sqlBilling } from '../../accounts/billing/sql-billing.ts';
import { sqlBillingStores } from '../../accounts/billing/sql-billing-stores.ts';
import { sqlKeys } from '../../accounts/keys/sql-keys.ts';
import { sqlRememberedAnswers } from '../../api/calls/once/sql-remembered-answers.ts';
import { noKeptResults } from '../../forecasting/no-kept-results.ts';
import { sqlKeptRecord } from '../../forecasting/sql-kept-record.ts';
import { postgresStateSnapshots } from '../../ingest/states/postgres-state-snapshots.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import { sqlMails } from '../../platform/mail/sql-mails.ts';
import { clockOffset } from '../../platform/postgres/clock-offset.ts';
import type { Postgres } from '../../platform/postgres/open-postgres.ts';
import { POSTGRES } from '../../platform/sql/dialects.ts';
import { sqlKeptFeeds } from '../../sources/connectors/sql-kept-feeds.ts';
import { sqlUsedStates } from '../../web/account/github/used-states.ts';
import { sqlKeyReveals } from '../../web/account/keys/sql-key-reveals.ts';
import { sqlGrades } from '../../web/grade/sql-grades.ts';
import { postgresWebhooks } from '../../webhooks/store/postgres-webhooks.ts';
import { gatedRegistry } from './gated-registry.ts';
import { leasesByClock } from './leases-by-clock.ts';
import type { Ports, Secrets } from './ports.ts';

export type PostgresRegistry = Pick<
  Ports,
  | 'keys'
  | 'billing'
  | 'billingStores'
  | 'rememberedAnswers'
  | 'keptRecord'
  | 'keptResults'
  | 'keptFeeds'
  | 'mails'
  | 'sheetGrades'
  | 'keyReveals'
  | 'usedStates'
  | 'states'
  | 'webhooks'
  | 'registry'
  | 'counts'
  | 'close'
>;

export interface ProcessTerms {
  /** Names this process among those that share the registry; absent: it is told of what it does itself, too. */
  readonly name?: string;
  /** A clock that never goes back, in milliseconds. */
  readonly steadyNow?: () => number;
}

/**
 * The registry's rows beside identities, on PostgreSQL, as several processes share them. Nothing is asked before it is
 * needed.
 * @param postgres with `ROW_MIGRATIONS`; closed with the ports
 * @param clock what it tells is written; while its gate is closed nothing is made or ended for clients
 */
export async function openPostgresRegistry(
  postgres: Postgres,
  box: Secrets['box'],
  clock: Pick<ServerClock, 'now' | 'isOpen' | 'assertOpen'>,
  { name = '', steadyNow = () => performance.now() }: ProcessTerms = {},
): Promise<PostgresRegistry> {
  const { db, locking } = postgres;
  const leased = leasesByClock(
    {
      billing: sqlBilling(db, locking, POSTGRES),
      billingStores: sqlBillingStores(db, locking, POSTGRES),
      keptFeeds: sqlKeptFeeds(db),
      mails: sqlMails(db),
      rememberedAnswers: sqlRememberedAnswers(db, POSTGRES),
      webhooks: postgresWebhooks(postgres, box, name),
    },
    clockOffset({ ask: postgres.now, now: clock.now, steadyNow }),
  );
  const keys = sqlKeys(db, locking);
  const sheetGrades = sqlGrades(db, locking, POSTGRES);
  const owed = sql<{ readonly number: number }>`
    select count(*) as number from webhook_messages where next_attempt_at is not null`;
  return {
    ...leased,
    keptRecord: sqlKeptRecord(db),
    keyReveals: sqlKeyReveals(db, box),
    usedStates: sqlUsedStates(db),
    // Several processes that keep them would each write over what the others have read further.
    keptResults: noKeptResults,
    states: postgresStateSnapshots(postgres),
    ...gatedRegistry({ ...leased, keys, sheetGrades }, clock),
    registry: { database: db, runner: locking, dialect: POSTGRES },
    counts: {
      async webhooksOwed() {
        const [row] = (await owed.execute(db)).rows;
        return row!.number;
      },
    },
    close: () => postgres.close(),
  };
}

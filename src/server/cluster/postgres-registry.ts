import { sql } from 'kysely';
import { createSqlBetStore } from '../../accounts/bets/sql-bet-store.ts';
import { createSqlBilling } from '../../accounts/billing/sql/sql-billing.ts';
import { createSqlBillingStores } from '../../accounts/billing/sql/sql-billing-stores.ts';
import { createSqlKeys } from '../../accounts/keys/sql-keys.ts';
import { createSqlLinkStore } from '../../accounts/links/sql-link-store.ts';
import { createSqlMyBooksStore } from '../../accounts/my-books/sql-my-books-store.ts';
import { createSqlSealKeyStore } from '../../accounts/seal-keys/sql-seal-key-store.ts';
import { createSqlIdempotencyStore } from '../../api/calls/idempotency/sql-idempotency-store.ts';
import { createSqlTrackRecordStore } from '../../forecasting/track-record/sql-track-record-store.ts';
import { postgresStateSnapshots } from '../../ingest/states/postgres-state-snapshots.ts';
import { createClockOffset } from '../../platform/clock/clock-offset.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import { createSqlMailQueue } from '../../platform/mail/sql-mail-queue.ts';
import type { Postgres } from '../../platform/postgres/open-postgres.ts';
import { POSTGRES } from '../../platform/sql/dialects.ts';
import { createSqlConnectorStore } from '../../sources/connectors/store/sql-connector-store.ts';
import { createSqlUsedOauthStates } from '../../web/account/github/used-oauth-states.ts';
import { createSqlKeyRevealStore } from '../../web/account/keys/key-reveal-store.ts';
import { createSqlGradeCounter } from '../../web/grade/grade-counter.ts';
import { createPostgresWebhookStore } from '../../webhooks/store/postgres-webhook-store.ts';
import { createSharedStatements } from '../../webhooks/store/sql-webhook-shared.ts';
import { clockGatedRegistry } from '../composition/clock-gated-registry.ts';
import type { Ports, Secrets } from '../composition/ports.ts';
import { leasesByClock } from './leases-by-clock.ts';

export type PostgresRegistry = Pick<
  Ports,
  | 'keys'
  | 'billing'
  | 'billingStores'
  | 'idempotency'
  | 'trackRecord'
  | 'connectorStore'
  | 'mailQueue'
  | 'gradeCounter'
  | 'links'
  | 'bets'
  | 'myBooks'
  | 'sealKeys'
  | 'keyReveals'
  | 'usedOauthStates'
  | 'states'
  | 'webhooks'
  | 'registry'
  | 'counts'
  | 'close'
>;

interface ProcessTerms {
  /** The name of this process among those that share the registry; absent: it also gets notices of its own changes. */
  readonly name?: string;
  /** A monotonic clock, in milliseconds. */
  readonly steadyNow?: () => number;
}

/**
 * The registry on PostgreSQL, without identities, shared by several processes. Sends no query before it is needed.
 * @param postgres with `ROW_MIGRATIONS`; closed with the ports
 * @param clock its time is written; while its gate is closed, clients create and end nothing
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
      billing: createSqlBilling(db, locking, POSTGRES),
      billingStores: createSqlBillingStores(db, locking, POSTGRES),
      connectorStore: createSqlConnectorStore(db),
      mailQueue: createSqlMailQueue(db),
      idempotency: createSqlIdempotencyStore(db, POSTGRES),
      webhooks: createPostgresWebhookStore(postgres, box, name),
    },
    createClockOffset({ readServerTime: postgres.now, now: clock.now, steadyNow }),
  );
  const keys = createSqlKeys(db, locking);
  const sheetGrades = createSqlGradeCounter(db, locking, POSTGRES);
  const owed = sql<{ readonly number: number }>`
    select count(*) as number from webhook_messages where next_attempt_at is not null`;
  return {
    ...leased,
    trackRecord: createSqlTrackRecordStore(db),
    links: createSqlLinkStore(db, locking, POSTGRES),
    bets: createSqlBetStore(db, locking, POSTGRES),
    sealKeys: createSqlSealKeyStore(db, locking),
    myBooks: createSqlMyBooksStore(db, locking, createSharedStatements({ database: db }).bumpActiveVersion),
    keyReveals: createSqlKeyRevealStore(db, box),
    usedOauthStates: createSqlUsedOauthStates(db),
    states: postgresStateSnapshots(postgres),
    ...clockGatedRegistry({ ...leased, keys, gradeCounter: sheetGrades }, clock),
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

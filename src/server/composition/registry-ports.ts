import { createSqlBetStore } from '../../accounts/bets/sql-bet-store.ts';
import { openSqliteBilling } from '../../accounts/billing/sql/sql-billing.ts';
import { createSqlBillingStores } from '../../accounts/billing/sql/sql-billing-stores.ts';
import { createSqliteKeys } from '../../accounts/keys/sql-keys.ts';
import { createSqlLinkStore } from '../../accounts/links/sql-link-store.ts';
import { createSqlMyBooksStore } from '../../accounts/my-books/sql-my-books-store.ts';
import { createSqlSealKeyStore } from '../../accounts/seal-keys/sql-seal-key-store.ts';
import { createSqliteIdempotencyStore } from '../../api/calls/idempotency/sql-idempotency-store.ts';
import { createSqlTrackRecordStore } from '../../forecasting/track-record/sql-track-record-store.ts';
import { SqlIdentities } from '../../ingest/identities/sql/sql-identities.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import { createSqlMailQueue } from '../../platform/mail/sql-mail-queue.ts';
import { SQLITE } from '../../platform/sql/dialects.ts';
import { maintainRowCount } from '../../platform/sqlite/row-count.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../platform/sqlite/sqlite-runner.ts';
import { keepTableChecksums, tablesOf } from '../../platform/sqlite/table-checksums.ts';
import { createSqlConnectorStore } from '../../sources/connectors/store/sql-connector-store.ts';
import { createSqlUsedOauthStates } from '../../web/account/github/used-oauth-states.ts';
import { createSqlKeyRevealStore } from '../../web/account/keys/key-reveal-store.ts';
import { createSqliteGradeCounter } from '../../web/grade/grade-counter.ts';
import { createSharedStatements } from '../../webhooks/store/sql-webhook-shared.ts';
import { createSqliteWebhookStore } from '../../webhooks/store/sql-webhook-store.ts';
import { isCache, isDerived } from '../backup/derived-tables.ts';
import { clockGatedRegistry } from './clock-gated-registry.ts';
import type { Ports, Secrets } from './ports.ts';
import { openRegistry } from './registry.ts';

type RegistryPorts = Pick<
  Ports,
  | 'identities'
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
  | 'webhooks'
  | 'registry'
  | 'counts'
  | 'close'
>;

interface RegistryOptions {
  /** False: another connection writes the same rows, so nothing looked up is kept. */
  readonly isSoleWriter?: boolean;
  /** False where no disk can damage the rows. */
  readonly keepsChecksums?: boolean;
}

/**
 * The relational stores of the one process that works on this database.
 * @param database closed with the ports
 * @param clock its time is written; while its gate is closed, clients create and end nothing
 */
export async function openRegistryPorts(
  database: SqliteDatabase,
  box: Secrets['box'],
  clock: ServerClock,
  { isSoleWriter = true, keepsChecksums = true }: RegistryOptions = {},
): Promise<RegistryPorts> {
  // Twice: what an upgrade changes in rows that have a checksum counts, and so do tables and columns that it adds.
  const keepChecksums = () => {
    if (keepsChecksums) keepTableChecksums(database, tablesOf(database).filter(isOfRegistry));
  };
  keepChecksums();
  const registry = await openRegistry(database);
  const runner = createSqliteRunner(database);
  const written = {
    keys: createSqliteKeys(registry),
    idempotency: createSqliteIdempotencyStore(registry),
    gradeCounter: createSqliteGradeCounter(registry),
    webhooks: createSqliteWebhookStore(registry, runner, box),
  };
  const ports: RegistryPorts = {
    identities: await SqlIdentities.open(registry, runner, { isSoleWriter, now: clock.now }),
    billing: await openSqliteBilling(registry, runner),
    billingStores: createSqlBillingStores(registry, runner, SQLITE),
    trackRecord: createSqlTrackRecordStore(registry),
    connectorStore: createSqlConnectorStore(registry),
    mailQueue: createSqlMailQueue(registry),
    links: createSqlLinkStore(registry, runner, SQLITE),
    bets: createSqlBetStore(registry, runner, SQLITE),
    sealKeys: createSqlSealKeyStore(registry, runner),
    myBooks: createSqlMyBooksStore(registry, runner, createSharedStatements({ database: registry }).bumpActiveVersion),
    keyReveals: createSqlKeyRevealStore(registry, box),
    usedOauthStates: createSqlUsedOauthStates(registry),
    ...clockGatedRegistry(written, clock),
    registry: { database: registry, runner, dialect: SQLITE },
    counts: {
      webhooksOwed: maintainRowCount(database, {
        name: 'webhooks_owed',
        table: 'webhook_messages',
        column: 'next_attempt_at',
        condition: 'IS NOT NULL',
      }),
    },
    close: () => registry.destroy(),
  };
  keepChecksums();
  return ports;
}

/** Tables of the same file that other connections write: the log, the read models, and what is derived from them. */
const OF_OTHERS = /^(records|streams|log_archive|checksums|projection_\w+|doc_\w+|followed_backup)$/;

/** Whether the registry's connection, and no other, writes to this table. */
export const isOfRegistry = (table: string): boolean => !OF_OTHERS.test(table) && !isDerived(table) && !isCache(table);

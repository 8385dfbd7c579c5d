import type { Kysely } from 'kysely';
import type { BillingRegistry } from '../../accounts/billing/model/billing-registry.ts';
import type { BillingStores } from '../../accounts/billing/model/billing-stores.ts';
import type { Journal } from '../../accounts/journal/journal-files.ts';
import type { ChargesEntry } from '../../accounts/journal/journaled-sink.ts';
import type { KeyRegistry } from '../../accounts/keys/key-registry.ts';
import type { IdempotencyStore } from '../../api/calls/idempotency/idempotency-store.ts';
import type { SecretBox } from '../../api/calls/secret-box.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import type { ResultsStore } from '../../forecasting/learning/results-store.ts';
import type { TrackRecordStore } from '../../forecasting/track-record/track-record-service.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import type { StateSnapshots } from '../../ingest/states/state-snapshots.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import type { MailQueue } from '../../platform/mail/mail.ts';
import type { SqlDialect } from '../../platform/sql/dialects.ts';
import type { QueryRunner } from '../../platform/sql/query-runner.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { ConnectorStore } from '../../sources/connectors/store/connector-store.ts';
import type { UsedOauthStates } from '../../web/account/github/used-oauth-states.ts';
import type { KeyRevealStore } from '../../web/account/keys/key-reveal-store.ts';
import type { GradeCounter } from '../../web/grade/grade-counter.ts';
import type { WebhookStore } from '../../webhooks/store/webhook-store.ts';
import type { DiskGuard } from './disk-guard.ts';

/** What of a server's stores can be read, also while somebody else writes to them. */
export interface ReadPorts {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly identities: Identities;
  readonly billing: Pick<BillingRegistry, 'account' | 'accountByEmail'>;
  close(): Promise<void>;
}

/** The registry's tables, for what builds its own queries. */
interface RegistryAccess {
  readonly database: Kysely<any>;
  /** Its transactions hold what they read: on SQLite in one go, on PostgreSQL by the locks that they take. */
  readonly runner: QueryRunner;
  readonly dialect: SqlDialect;
}

/** Numbers that are kept with the rows that they count. */
interface RowCounts {
  /** Messages of webhooks that wait for an attempt. */
  readonly webhooksOwed: () => number | Promise<number>;
}

/** Every store that a server works with, whoever keeps it. */
export interface Ports extends ReadPorts {
  /** The time by which all of them are written. */
  readonly clock: ServerClock;
  /** Brings the records of the log to those who process them. */
  readonly feed: RecordFeed;
  /** The deciders' states, beside the log. */
  readonly states: StateSnapshots;
  readonly keys: KeyRegistry;
  readonly billing: BillingRegistry;
  readonly billingStores: BillingStores;
  readonly idempotency: IdempotencyStore;
  /** What the server's forecasts were worth, as counted last. */
  readonly trackRecord: TrackRecordStore;
  /** What forecasts were learnt from. */
  readonly results: ResultsStore;
  readonly gradeCounter: GradeCounter;
  /** Round trips to GitHub that have come back. */
  readonly usedOauthStates: UsedOauthStates;
  /** Secrets of new keys, until their owners are shown them. */
  readonly keyReveals: KeyRevealStore;
  /** Who polls live providers, and what is used of their quotas. */
  readonly connectorStore: ConnectorStore;
  /** Those that are to leave. */
  readonly mailQueue: MailQueue;
  readonly webhooks: WebhookStore;
  /** Of users, sessions and the like. */
  readonly registry: RegistryAccess;
  readonly counts: RowCounts;
  /** Without it a charge is on disk when it is in the log. */
  readonly journal?: Journal<ChargesEntry>;
  /** What they are kept on; absent: not on a disk of this process. */
  readonly disk?: DiskGuard;
}

/** What secrets are hidden with, and what is given out is known again by. */
export interface Secrets {
  /** API keys are hashed with it. */
  readonly pepper: string;
  /** Signs what browsers send back: the tokens of forms, and the like. */
  readonly session: string;
  /** Seals secrets that are stored. */
  readonly box: SecretBox;
}

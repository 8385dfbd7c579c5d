import type { Kysely } from 'kysely';
import type { BetStore } from '../../accounts/bets/bet-store.ts';
import type { BillingRegistry } from '../../accounts/billing/model/billing-registry.ts';
import type { BillingStores } from '../../accounts/billing/model/billing-stores.ts';
import type { Journal } from '../../accounts/journal/journal-files.ts';
import type { ChargesEntry } from '../../accounts/journal/journaled-sink.ts';
import type { KeyRegistry } from '../../accounts/keys/key-registry.ts';
import type { LinkStore } from '../../accounts/links/link-store.ts';
import type { MyBooksStore } from '../../accounts/my-books/my-books-store.ts';
import type { SealKeyStore } from '../../accounts/seal-keys/seal-key-store.ts';
import type { IdempotencyStore } from '../../api/calls/idempotency/idempotency-store.ts';
import type { SecretBox } from '../../api/calls/secret-box.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { LogKind } from '../../event-log/sqlite/log-kinds.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import type { ResultsStore } from '../../forecasting/learning/results-store.ts';
import type { TrackRecordStore } from '../../forecasting/track-record/track-record-service.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import type { StateSnapshots } from '../../ingest/states/state-snapshots.ts';
import type { OnChange } from '../../platform/async/change-signal.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import type { MailQueue } from '../../platform/mail/mail.ts';
import type { SqlDialect } from '../../platform/sql/dialects.ts';
import type { QueryRunner } from '../../platform/sql/query-runner.ts';
import type { FoldStore } from '../../read-models/store/fold-store.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { ConnectorStore } from '../../sources/connectors/store/connector-store.ts';
import type { UsedOauthStates } from '../../web/account/github/used-oauth-states.ts';
import type { KeyRevealStore } from '../../web/account/keys/key-reveal-store.ts';
import type { GradeCounter } from '../../web/grade/grade-counter.ts';
import type { WebhookStore } from '../../webhooks/store/webhook-store.ts';
import type { DiskGuard } from './disk-guard.ts';

/** The stores that can be read, also while another process writes to them. */
export interface ReadPorts {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly identities: Identities;
  readonly billing: Pick<BillingRegistry, 'account' | 'accountByEmail'>;
  readonly sealKeys: Pick<SealKeyStore, 'find'>;
  close(): Promise<void>;
}

/** The registry's tables, for code that builds its own queries. */
interface RegistryAccess {
  readonly database: Kysely<any>;
  /** Its transactions see no changes of others to what they read: SQLite runs them one by one, PostgreSQL locks rows. */
  readonly runner: QueryRunner;
  readonly dialect: SqlDialect;
}

/** Row counts that are maintained together with the rows. */
interface RowCounts {
  /** Webhook messages that wait for an attempt. */
  readonly webhooksOwed: () => number | Promise<number>;
}

/** Every store that a server works with, whatever the adapter. */
export interface Ports extends ReadPorts {
  /** The clock whose time is written to all stores. */
  readonly clock: ServerClock;
  /** Brings the records of the log to their processors. */
  readonly feed: RecordFeed;
  /** Snapshots of the deciders' states. */
  readonly states: StateSnapshots;
  /** States of folds of long histories. */
  readonly folds: FoldStore;
  readonly keys: KeyRegistry;
  readonly billing: BillingRegistry;
  readonly billingStores: BillingStores;
  readonly idempotency: IdempotencyStore;
  /** The last count of the forecasts' track record. */
  readonly trackRecord: TrackRecordStore;
  /** The results from which forecasts were learned. */
  readonly results: ResultsStore;
  readonly gradeCounter: GradeCounter;
  /** OAuth states that GitHub has sent back, so that none is used twice. */
  readonly usedOauthStates: UsedOauthStates;
  /** Links to reads of the API. */
  readonly links: LinkStore;
  /** Bets that accounts have placed. */
  readonly bets: BetStore;
  /** The books where accounts can bet. */
  readonly myBooks: MyBooksStore;
  /** What the salts of accounts' sealed facts follow from. */
  readonly sealKeys: SealKeyStore;
  /** Secrets of new keys, until their owners have seen them. */
  readonly keyReveals: KeyRevealStore;
  /** Which process polls live providers, and how much of their quotas is used. */
  readonly connectorStore: ConnectorStore;
  /** Mails that are still to be sent. */
  readonly mailQueue: MailQueue;
  readonly webhooks: WebhookStore;
  /** Users, sessions and the like. */
  readonly registry: RegistryAccess;
  readonly counts: RowCounts;
  /** Absent: a charge goes straight to the log. */
  readonly journal?: Journal<ChargesEntry>;
  /** Estimates what each kind of fact takes in the log. Absent: the log does not tell. */
  readonly logKinds?: () => Promise<readonly LogKind[]>;
  /** Tells within a second that somebody has committed to the stores. Absent: whoever has to know looks by itself. */
  readonly onCommit?: OnChange;
  /** The disk under the stores; absent: this process writes to none. */
  readonly disk?: DiskGuard;
}

/** The secrets of the server itself. */
export interface Secrets {
  /** API keys are hashed with it. */
  readonly pepper: string;
  /** Signs what browsers send back, such as form tokens. */
  readonly session: string;
  /** Encrypts stored secrets. */
  readonly box: SecretBox;
}

import type { Kysely } from 'kysely';
import type { BillingRegistry } from '../../accounts/billing/billing-registry.ts';
import type { BillingStores } from '../../accounts/billing/billing-stores.ts';
import type { Journal } from '../../accounts/journal/journal-files.ts';
import type { ChargesEntry } from '../../accounts/journal/journaled-ledger.ts';
import type { KeyRegistry } from '../../accounts/keys/key-registry.ts';
import type { RememberedAnswers } from '../../api/calls/once/remembered-answers.ts';
import type { SecretBox } from '../../api/calls/secret-box.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { RecordFeed } from '../../event-log/record-feed.ts';
import type { KeptResults } from '../../forecasting/kept-results.ts';
import type { KeptRecord } from '../../forecasting/record-keeper.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import type { StateSnapshots } from '../../ingest/states/state-snapshots.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import type { KeptMails } from '../../platform/mail/kept-mails.ts';
import type { SqlDialect } from '../../platform/sql/dialects.ts';
import type { QueryRunner } from '../../platform/sql/query-runner.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { KeptFeeds } from '../../sources/connectors/kept-feeds.ts';
import type { UsedStates } from '../../web/account/github/used-states.ts';
import type { KeyReveals } from '../../web/account/keys/key-reveals.ts';
import type { KeptGrades } from '../../web/grade/counted-grades.ts';
import type { WebhookStore } from '../../webhooks/store/webhook-store.ts';
import type { Disk } from './disk.ts';

/** What of a server's stores can be read, also while somebody else writes to them. */
export interface ReadPorts {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly identities: Identities;
  readonly billing: Pick<BillingRegistry, 'account' | 'accountByEmail'>;
  close(): Promise<void>;
}

/** The registry's tables, for what builds its own queries. */
export interface RegistryAccess {
  readonly database: Kysely<any>;
  /** Its transactions hold what they read: on SQLite in one go, on PostgreSQL by the locks that they take. */
  readonly runner: QueryRunner;
  readonly dialect: SqlDialect;
}

/** Numbers that are kept with the rows that they count. */
export interface RowCounts {
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
  readonly rememberedAnswers: RememberedAnswers;
  /** What the server's forecasts were worth, as counted last. */
  readonly keptRecord: KeptRecord;
  /** What forecasts were learnt from. */
  readonly keptResults: KeptResults;
  readonly sheetGrades: KeptGrades;
  /** Round trips to GitHub that have come back. */
  readonly usedStates: UsedStates;
  /** Secrets of new keys, until their owners are shown them. */
  readonly keyReveals: KeyReveals;
  /** Who polls live providers, and what is used of their quotas. */
  readonly keptFeeds: KeptFeeds;
  /** Those that are to leave. */
  readonly mails: KeptMails;
  readonly webhooks: WebhookStore;
  /** Of users, sessions and the like. */
  readonly registry: RegistryAccess;
  readonly counts: RowCounts;
  /** Without it a charge is on disk when it is in the log. */
  readonly journal?: Journal<ChargesEntry>;
  /** What they are kept on; absent: not on a disk of this process. */
  readonly disk?: Disk;
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

import type { RequestListener } from 'node:http';
import type { Router } from 'express';
import type { Credits } from '../../accounts/credits/credits.ts';
import type { Accounts } from '../../accounts/open-accounts.ts';
import type { Trials } from '../../accounts/trial/open-trials.ts';
import type { OpenedUsers } from '../../accounts/users/open-users.ts';
import type { HashingOptions } from '../../accounts/users/password-hashing.ts';
import type { AnswerCache } from '../../api/calls/answer-cache/answer-cache.ts';
import type { FeedAges } from '../../api/calls/feed-age.ts';
import type { DegradedReason, Operation, OperationContext } from '../../api/calls/operation/operation.ts';
import type { AdmissionControl } from '../../api/calls/pipeline/admission.ts';
import type { Pipeline, PipelineParts } from '../../api/calls/pipeline/pipeline.ts';
import type { PositionTokensParts } from '../../api/calls/pipeline/position-tokens.ts';
import type { KeylessCaller } from '../../api/http/endpoints/operation-route.ts';
import type { Responder } from '../../api/http/responder.ts';
import type { Limits } from '../../api/limits/limits.ts';
import type { McpEndpoint } from '../../api/mcp/mcp-route.ts';
import type { ChangeHub } from '../../api/streams/change-hub.ts';
import type { ChangeStreams } from '../../api/streams/change-stream-route.ts';
import type { ScoreHub, ScoreHubParts } from '../../api/streams/score-hub.ts';
import type { ScoreStreams } from '../../api/streams/score-stream-route.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { ReferenceWeightService } from '../../forecasting/learning/reference-weight-service.ts';
import type { IntelligencePublisher } from '../../forecasting/publishing/intelligence-publisher.ts';
import type { SealService } from '../../forecasting/sealing/seal-service.ts';
import type { TrackRecordService } from '../../forecasting/track-record/track-record-service.ts';
import type { Intake } from '../../ingest/intake/intake.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import type { Payments } from '../../platform/payments/payments.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { ChangeFeed } from '../../read-models/change-feed/change-feed.ts';
import type { ProjectionRunner } from '../../read-models/projector/projection-runner.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { Connectors } from '../../sources/connectors/connectors.ts';
import type { SetupDesk } from '../../web/account/setup/setup-desk.ts';
import type { GradingPageParts } from '../../web/grade/grading-routes.ts';
import type { LivePage, LivePageParts } from '../../web/live/live-page.ts';
import type { LeaseTerms } from '../../webhooks/dispatching/shard-lease-holder.ts';
import type { ResolveHostname } from '../../webhooks/http/dns-lookup.ts';
import type { Webhooks } from '../../webhooks/open-webhooks.ts';
import type { BackupReport } from '../backup/backup-thread.ts';
import type { StandbyReport } from '../backup/standby-report.ts';
import type { CallCounts } from '../metrics/call-counts.ts';
import type { Environment } from './environment.ts';
import type { HealthParts } from './health.ts';
import type { Core } from './open-core.ts';
import type { OpenedMail } from './open-mail.ts';
import type { RecordParts } from './open-record.ts';
import type { Ports, Secrets } from './ports.ts';

/** The settings of the server, in both profiles: all but those that are read around it. A new one is here at once. */
export type ServerSettings = Omit<
  Config,
  | 'port'
  | 'metricsPort'
  | 'dataDir'
  | 'keyPepper'
  | 'sessionSecret'
  | 'roles'
  | 'cluster'
  | 'feeds'
  | 'connectors'
  | 'demoSeed'
  | 'demoSpeed'
  | 'retainOdds'
  | 'acceptClock'
  | 'logLevel'
>;

/** Replacements for tests and benchmarks, one part at a time. Absent: the default. */
export interface Replacements {
  readonly operations?: readonly Operation[];
  readonly authenticate?: PipelineParts['authenticate'];
  /** Replaces the default admission control. */
  readonly stages?: (metered: AdmissionControl) => AdmissionControl;
  /** Members of the operations' context. */
  readonly context?: Partial<OperationContext>;
  /** Wraps the store that operations and the live page read. */
  readonly documents?: (store: ReadStore) => ReadStore;
  /** Turns off the answer cache. */
  readonly withoutAnswerCache?: boolean;
  /** Ignores `Idempotency-Key`. */
  readonly ignoresIdempotencyKeys?: boolean;
  /** Resolves the host names of webhook endpoints. */
  readonly resolve?: ResolveHostname;
  /** Called in place of the dispatcher when a webhook is due. */
  readonly onWebhookDue?: () => void;
  readonly renderScore?: ScoreHubParts['render'];
  readonly page?: Partial<LivePageParts>;
  /** Folder with the packages of clients that are handed out. */
  readonly clientFiles?: string;
  readonly gradingPage?: Partial<GradingPageParts>;
  /** The cost of password hashing. */
  readonly hashing?: HashingOptions;
  /** Sends mails. */
  readonly mailer?: Mailer;
  /** Identifies callers of `/api/agent` without a key. */
  readonly keyless?: KeylessCaller;
  /** More routes, before the default ones. */
  readonly routes?: (parts: { readonly responder: Responder }) => readonly ((router: Router) => void)[];
}

/** The core that a server answers from. */
export interface ServedCore
  extends Pick<Core, 'ingest' | 'forecasts' | 'background' | 'caches' | 'projected' | 'whole'> {
  /** Absent: this process ingests nothing. */
  readonly intake?: Intake | undefined;
  /** Of the same intake. */
  readonly preview?: Core['preview'] | undefined;
  readonly runner: Pick<ProjectionRunner, 'status' | 'documentChanges' | 'waitFor'>;
  /** Like `projected`, but fails at once if no process projects. For senders of facts. Absent: this process projects. */
  readonly projectedSoon?: Core['projected'];
  /** The age of documents in whole seconds, if they are older than usual; absent: they never are. */
  readonly staleSeconds?: () => number | undefined;
  /** How old the feeds are that another process polls; absent: none does. */
  readonly feedAges?: FeedAges | undefined;
  /** Absent: answers are not cached. */
  readonly answers?: AnswerCache | undefined;
}

/** Limits and credits that several API processes share. */
export interface SharedMetering {
  /** The name of this process among them. */
  readonly owner: string;
  readonly limits: Limits & { readonly size: CacheSize };
  /** @param onCharged called with the amount of each charge */
  readonly credits: (onCharged: (credits: number, accountId: number) => void) => Credits;
  /** The lease of webhook shards, if this process sends webhooks. */
  readonly webhookLease: LeaseTerms;
  /** Last known values of engines that may be unavailable. */
  readonly lastKnown: Pick<HealthParts, 'log' | 'identities'>;
  /** Why answers may be incomplete; undefined: they are complete. */
  readonly isDegraded: () => DegradedReason | undefined;
  /** How the log is partitioned. */
  readonly partitioning: Pick<PositionTokensParts, 'partitionOf' | 'partitions'>;
}

export interface ServerParts {
  readonly ports: Ports;
  readonly core: ServedCore;
  /** Absent: this is the only API process. */
  readonly shared?: SharedMetering | undefined;
  readonly secrets: Secrets;
  readonly settings: ServerSettings;
  readonly payments: Payments;
  readonly environment: Environment;
  /** The public address without a trailing slash. A function, since it may contain the port, which is known late. */
  readonly baseUrl: () => string;
  /** Whether everything that was in the log at the start is projected. */
  readonly isReady: () => boolean;
  /** Whether the demo runs. */
  readonly simulated: () => boolean;
  /** The live connectors; absent if nothing is polled. */
  readonly connectors?: Pick<Connectors, 'health' | 'figures' | 'isDegraded' | 'caches' | 'feedAges'> | undefined;
  /** Whether anybody may register now; absent: as the settings say. */
  readonly isRegistrationOpen?: (() => boolean) | undefined;
  /**
   * Opens the setup in the browser; absent: there is none.
   * @param hasOtherUsers whether anybody but one person has an account
   */
  readonly setup?: ((hasOtherUsers: () => Promise<boolean>) => Promise<SetupDesk>) | undefined;
  /** How the backup stands; absent if none is made. */
  readonly backup?: (() => BackupReport) | undefined;
  /** How this server stands beside others of the same backup; absent: it is alone. */
  readonly standby?: (() => StandbyReport) | undefined;
  /** The data folder; absent if everything is in memory. */
  readonly folder?: string | undefined;
  /** Counts the forecasts' track record; default: in this thread. */
  readonly countRecord?: RecordParts['count'];
  readonly replacements?: Replacements;
}

/** Everything that answers, publishes and charges, on ports that the caller has opened. */
export interface Server {
  readonly listener: RequestListener;
  /** The paths of all routes, with parameters in braces. */
  readonly paths: readonly string[];
  /** Serves `/metrics` on a port of its own. */
  readonly metricsListener: RequestListener;
  readonly accounts: Accounts;
  readonly webhooks: Webhooks;
  /** Mails that are still to be sent. */
  readonly outbox: OpenedMail;
  /** Users and their sessions. */
  readonly people: OpenedUsers;
  readonly trials: Trials;
  readonly record: TrackRecordService;
  /** Publishes nothing before it is started. */
  readonly intelligence: IntelligencePublisher;
  /** Seals nothing before it is started. */
  readonly seals: SealService;
  /** Absent: the weights are constants. Reads and learns nothing before it is started. */
  readonly referenceWeights: ReferenceWeightService | undefined;
  readonly pipeline: Pipeline;
  readonly context: Omit<OperationContext, 'principal' | 'call'>;
  readonly hub: ScoreHub;
  readonly streams: ScoreStreams;
  readonly changes: ChangeFeed;
  readonly changeHub: ChangeHub;
  readonly changeStreams: ChangeStreams;
  readonly agentStreams: McpEndpoint['streams'];
  readonly page: LivePage;
  readonly health: OperationContext['health'];
  /** Counts of this process since its start. */
  readonly calls: CallCounts;
  /** The size of every cache in memory, by name. */
  readonly caches: Readonly<Record<string, () => CacheSize>>;
  /** Closes everything in reverse order. Resolves when nothing uses the ports any more. */
  close(): Promise<void>;
}

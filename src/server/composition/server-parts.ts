import type { RequestListener } from 'node:http';
import type { Router } from 'express';
import type { Credits } from '../../accounts/credits/credits.ts';
import type { Accounts } from '../../accounts/open-accounts.ts';
import type { OpenedUsers } from '../../accounts/users/open-users.ts';
import type { HashingOptions } from '../../accounts/users/password-hashing.ts';
import type { AnswerCache } from '../../api/calls/answer-cache/answer-cache.ts';
import type { DegradedReason, Operation, OperationContext } from '../../api/calls/operation/operation.ts';
import type { AdmissionControl } from '../../api/calls/pipeline/admission.ts';
import type { Pipeline, PipelineParts } from '../../api/calls/pipeline/pipeline.ts';
import type { PositionTokensParts } from '../../api/calls/pipeline/position-tokens.ts';
import type { KeylessCaller } from '../../api/http/endpoints/operation-route.ts';
import type { Responder } from '../../api/http/responder.ts';
import type { Limits } from '../../api/limits/limits.ts';
import type { ChangeHub } from '../../api/streams/change-hub.ts';
import type { ChangeStreams } from '../../api/streams/change-stream-route.ts';
import type { ScoreHub, ScoreHubParts } from '../../api/streams/score-hub.ts';
import type { ScoreStreams } from '../../api/streams/score-stream-route.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { IntelligencePublisher } from '../../forecasting/publishing/intelligence-publisher.ts';
import type { TrackRecordService } from '../../forecasting/track-record/track-record-service.ts';
import type { Intake } from '../../ingest/intake/intake.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import type { Payments } from '../../platform/payments/payments.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { ChangeFeed } from '../../read-models/change-feed/change-feed.ts';
import type { ProjectionRunner } from '../../read-models/projector/projection-runner.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { Connectors } from '../../sources/connectors/connectors.ts';
import type { GradingPageParts } from '../../web/grade/grading-routes.ts';
import type { LivePage, LivePageParts } from '../../web/live/live-page.ts';
import type { LeaseTerms } from '../../webhooks/dispatching/shard-lease-holder.ts';
import type { ResolveHostname } from '../../webhooks/http/dns-lookup.ts';
import type { Webhooks } from '../../webhooks/open-webhooks.ts';
import type { CallCounts } from '../metrics/call-counts.ts';
import type { Environment } from './environment.ts';
import type { HealthParts } from './health.ts';
import type { Core } from './open-core.ts';
import type { OpenedMail } from './open-mail.ts';
import type { RecordParts } from './open-record.ts';
import type { Ports, Secrets } from './ports.ts';

/** What of the configuration a server goes by, wherever it runs. */
export type ServerSettings = Pick<
  Config,
  | 'plans'
  | 'packs'
  | 'bookmakers'
  | 'referenceWeights'
  | 'host'
  | 'publicUrl'
  | 'ingestKey'
  | 'bootstrapKey'
  | 'livePage'
  | 'gradeSheet'
  | 'registration'
  | 'github'
  | 'stripe'
  | 'trustProxy'
  | 'smtpUrl'
  | 'mailFrom'
  | 'webhookAllow'
  | 'webhookDeny'
  | 'webhookRetrySeconds'
>;

/** What tests and benchmarks put in the place of what ships, a piece at a time. Absent: what ships. */
export interface Replacements {
  readonly operations?: readonly Operation[];
  readonly authenticate?: PipelineParts['authenticate'];
  /** From the stages that ship. */
  readonly stages?: (metered: AdmissionControl) => AdmissionControl;
  /** Members of what operations use. */
  readonly context?: Partial<OperationContext>;
  /** What operations and the page read, from the store that the projections write. */
  readonly documents?: (store: ReadStore) => ReadStore;
  /** No answer is kept. */
  readonly keepsNoAnswers?: boolean;
  /** An `Idempotency-Key` means nothing. */
  readonly remembersNoAnswers?: boolean;
  /** Looks up the names of webhooks' endpoints. */
  readonly resolve?: ResolveHostname;
  /** Told in the place of the dispatcher that a webhook is due. */
  readonly onWebhookDue?: () => void;
  readonly renderScore?: ScoreHubParts['render'];
  readonly page?: Partial<LivePageParts>;
  readonly sheet?: Partial<GradingPageParts>;
  /** What hashing passwords costs. */
  readonly hashing?: HashingOptions;
  /** Hands mails over. */
  readonly mailer?: Mailer;
  /** Who calls `/api/agent` without a key. */
  readonly keyless?: KeylessCaller;
  /** More routes, before those that ship. */
  readonly routes?: (parts: { readonly responder: Responder }) => readonly ((router: Router) => void)[];
}

/** What a server answers from. */
export interface ServedCore extends Pick<Core, 'ingest' | 'forecasts' | 'background' | 'caches' | 'projected'> {
  /** Absent: it takes nothing in. */
  readonly intake?: Intake | undefined;
  readonly runner: Pick<ProjectionRunner, 'status' | 'documentChanges' | 'waitFor'>;
  /** As `projected`, for who sends facts and is not to wait where nobody projects; absent: somebody does. */
  readonly projectedSoon?: Core['projected'];
  /** How old documents are, in whole seconds, where they are older than usual; absent: they never are. */
  readonly staleSeconds?: () => number | undefined;
  /** Absent: no answers are kept. */
  readonly answers?: AnswerCache | undefined;
}

/** What processes share that answer to the same keys. */
export interface SharedMetering {
  /** Names this process among them. */
  readonly owner: string;
  readonly limits: Limits & { readonly size: CacheSize };
  /** @param onCharged told what each charge comes to */
  readonly credits: (onCharged: (credits: number, accountId: number) => void) => Credits;
  /** Of what it sends, where it sends webhooks. */
  readonly webhookLease: LeaseTerms;
  /** Of what may be away: what was known last. */
  readonly lastKnown: Pick<HealthParts, 'log' | 'identities'>;
  /** Why answers may lack something; undefined: they lack nothing. */
  readonly isDegraded: () => DegradedReason | undefined;
  /** How the log is divided. */
  readonly partitioning: Pick<PositionTokensParts, 'partitionOf' | 'partitions'>;
}

export interface ServerParts {
  readonly ports: Ports;
  readonly core: ServedCore;
  /** Absent: this process alone answers to these keys. */
  readonly shared?: SharedMetering | undefined;
  readonly secrets: Secrets;
  readonly settings: ServerSettings;
  readonly payments: Payments;
  readonly environment: Environment;
  /** The public address, without a slash at its end; asked for when it is needed, for it may hold the port. */
  readonly baseUrl: () => string;
  /** Whether everything that stood in the log at the start is projected. */
  readonly isReady: () => boolean;
  /** Whether the demo feeds the server. */
  readonly simulated: () => boolean;
  /** What polls live providers; absent where nothing is polled. */
  readonly connectors?: Pick<Connectors, 'health' | 'figures' | 'isDegraded' | 'caches'> | undefined;
  /** The data folder; absent where everything is in memory. */
  readonly folder?: string | undefined;
  /** Counts the forecasts' record; in this thread unless told. */
  readonly countRecord?: RecordParts['count'];
  readonly replacements?: Replacements;
}

/** Everything that answers, tells and charges, on ports that somebody else has opened. */
export interface Server {
  readonly listener: RequestListener;
  /** What answers on a port for metrics alone. */
  readonly metricsListener: RequestListener;
  readonly accounts: Accounts;
  readonly webhooks: Webhooks;
  /** Mails that are to leave. */
  readonly outbox: OpenedMail;
  /** Users and their sessions. */
  readonly people: OpenedUsers;
  readonly record: TrackRecordService;
  /** Publishes nothing before it is started. */
  readonly intelligence: IntelligencePublisher;
  readonly pipeline: Pipeline;
  readonly context: Omit<OperationContext, 'principal' | 'call'>;
  readonly hub: ScoreHub;
  readonly streams: ScoreStreams;
  readonly changes: ChangeFeed;
  readonly changeHub: ChangeHub;
  readonly changeStreams: ChangeStreams;
  readonly page: LivePage;
  readonly health: OperationContext['health'];
  /** Of this process, since it began. */
  readonly calls: CallCounts;
  /** What is kept in memory, by name. */
  readonly caches: Readonly<Record<string, () => CacheSize>>;
  /** Ends what is open, then what it stands on; resolves when nothing here uses the ports any more. */
  close(): Promise<void>;
}

import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { FollowerStatus } from '../../event-log/subscription/follow-record-feed.ts';
import type { IntakeStats } from '../../ingest/intake/intake-monitoring.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import type { ProjectionStatus } from '../../read-models/projector/projection-status.ts';
import type { CallCounts } from './call-counts.ts';

/** What is measured. All of it is at hand: nothing here may take longer because there is more data. */
export interface MetricInputs {
  /** Of the program. */
  readonly version: string;
  readonly calls: CallCounts;
  /** Credits charged since the start. */
  readonly credits: () => number;
  readonly ingest: IntakeStats;
  readonly log: Pick<EventLog, 'head' | 'countBetween' | 'appendStats'>;
  readonly projections: () => readonly ProjectionStatus[];
  /** What else follows the log. */
  readonly followers: () => readonly FollowerStatus[];
  /** By name. */
  readonly caches: Readonly<Record<string, () => CacheSize>>;
  /** Live connectors; absent where there are none. */
  readonly feeds?: (() => readonly FeedFigures[]) | undefined;
  readonly quarantined: () => Awaitable<number>;
  /** Bytes of the data folder by kind of file, and those that are free; absent where there is no folder. */
  readonly disk?: (() => Awaitable<DiskReading>) | undefined;
  readonly webhooksOwed: () => Awaitable<number>;
  /** By outcome. */
  readonly webhookAttempts: () => Readonly<Record<string, number>>;
  /** By kind. */
  readonly openStreams: () => Readonly<Record<string, number>>;
}

export interface DiskReading {
  readonly files: Readonly<Record<string, number>>;
  readonly free: number;
}

/** Of a live connector. */
export interface FeedFigures {
  readonly name: string;
  readonly state: string;
  readonly lagSeconds: number | null;
  /** The provider's credits; null where it counts none. */
  readonly budgetRemaining: number | null;
  /** By outcome. */
  readonly requests: Readonly<Record<string, number>>;
  readonly messages: readonly { readonly kind: string; readonly outcome: string; readonly number: number }[];
}

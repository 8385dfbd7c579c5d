import type { CacheSize } from '../../domain/cache-size.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { Follower } from '../../event-log/follower.ts';
import type { IntakeFigures } from '../../ingest/counted-intake.ts';
import type { Awaitable } from '../../platform/time/awaitable.ts';
import type { ProjectionStatus } from '../../read-models/projector/runner-status.ts';
import type { CallCounts } from './call-counts.ts';

/** What is measured. All of it is at hand: nothing here may take longer because there is more data. */
export interface Subjects {
  /** Of the program. */
  readonly version: string;
  readonly calls: CallCounts;
  /** Credits charged since the start. */
  readonly credits: () => number;
  readonly ingest: IntakeFigures;
  readonly log: Pick<EventLog, 'head' | 'countBetween' | 'figures'>;
  readonly projections: () => readonly ProjectionStatus[];
  /** What else follows the log. */
  readonly followers: () => readonly Follower[];
  /** By name. */
  readonly caches: Readonly<Record<string, () => CacheSize>>;
  /** Live connectors; absent where there are none. */
  readonly feeds?: (() => readonly FeedFigures[]) | undefined;
  readonly quarantined: () => Awaitable<number>;
  /** Bytes of the data folder by kind of file, and those that are free; absent where there is no folder. */
  readonly disk?: (() => Awaitable<Disk>) | undefined;
  readonly webhooksOwed: () => Awaitable<number>;
  /** By outcome. */
  readonly webhookAttempts: () => Readonly<Record<string, number>>;
  /** By kind. */
  readonly openStreams: () => Readonly<Record<string, number>>;
}

export interface Disk {
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

import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import type { Delay } from '../../platform/async/retry.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { ReadStore } from '../store/read-store.ts';
import type { DocumentChangeSource } from './document-changes.ts';
import type { WaitOptions } from './progress/waiters.ts';
import type { ProjectionStatus } from './projection-status.ts';
import type { RebuildProgress, RebuildResult } from './runner-rebuild.ts';

type LogMessage = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Receives the log messages of a projection runner. */
export interface RunnerLogger {
  readonly info: LogMessage;
  readonly warn: LogMessage;
  readonly error: LogMessage;
}

export interface ProjectionRunnerOptions {
  readonly log: EventLog;
  /** Delivers the records of the log, in one partition. */
  readonly feed: RecordFeed;
  readonly store: ReadStore;
  readonly projections: readonly Projection[];
  /** Maximum number of records folded and committed at once; default 5000. */
  readonly batchSize?: number;
  /** Called before each commit: maximum number of records to fold and commit at once now, in active generations.
   *  Default: all records at hand. */
  readonly batchSizeNow?: () => number;
  /** Maximum number of records folded at once into a generation that nobody reads yet; default 1 000 000, or
   *  `batchSize` if given. */
  readonly rebuildBatchSize?: number;
  /** Documents written at once in a generation that nobody reads; default 500. */
  readonly documentsPerWrite?: number;
  /** Documents cached for each projection; default 10 000. */
  readonly cacheDocuments?: number;
  readonly logger?: RunnerLogger;
  /** Milliseconds since 1970; measures how long a rebuild takes. */
  readonly now: () => number;
  /** Waits between attempts; replaceable for tests. */
  readonly delay?: Delay;
  /** Timer of the subscription's poll; replaceable for tests. */
  readonly setTimer?: SetTimer;
}

export interface ProjectionRunner extends DocumentChangeSource {
  /** Prepares the generations and starts folding; resolves before it has caught up. Rejects if a generation cannot be
   *  prepared. */
  start(): Promise<void>;
  status(): readonly ProjectionStatus[];
  /** Memory of the cached documents. */
  readonly cacheSize: CacheSize;
  /** Resolves when all projections that are not stopped reflect the record at `position`. @throws WaitTimeout */
  waitFor(position: bigint, options?: WaitOptions): Promise<void>;
  /** Resolves when all projections that are not stopped are live. @throws WaitTimeout */
  caughtUp(options?: WaitOptions): Promise<void>;
  /**
   * Fills new generations of these projections (default: all) from the start of the log, and activates them. Without
   * `start`, nothing else may run these projections meanwhile. Rejects if one cannot be filled; the others are
   * activated.
   */
  rebuild(
    names?: readonly string[],
    onProgress?: (progress: RebuildProgress) => void,
  ): Promise<readonly RebuildResult[]>;
  /** Finishes the batch in progress. The log and the store stay open. */
  stop(): Promise<void>;
}

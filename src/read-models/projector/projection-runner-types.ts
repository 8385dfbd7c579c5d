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

/** Where the course of projections is told. */
export interface RunnerLogger {
  readonly info: LogMessage;
  readonly warn: LogMessage;
  readonly error: LogMessage;
}

export interface ProjectionRunnerOptions {
  readonly log: EventLog;
  /** What brings the records of the log, in one partition. */
  readonly feed: RecordFeed;
  readonly store: ReadStore;
  readonly projections: readonly Projection[];
  /** Most records folded and committed at once; default 5000. */
  readonly batchSize?: number;
  /** Asked before each: most records of what is read already that are folded and committed at once now; default all that
   *  are at hand. */
  readonly batchSizeNow?: () => number;
  /** Most records folded at once into a build that nobody reads yet; default 1 000 000, or `batchSize` where given. */
  readonly rebuildBatchSize?: number;
  /** Documents of a build that nobody reads which are written in one go; default 500. */
  readonly documentsPerWrite?: number;
  /** Documents kept in memory for each projection; default 10 000. */
  readonly cacheDocuments?: number;
  readonly logger?: RunnerLogger;
  /** Milliseconds since 1970; to measure how long a rebuild takes. */
  readonly now: () => number;
  /** Waits between attempts; a test gives its own. */
  readonly delay?: Delay;
  /** For the subscription's poll; a test gives its own. */
  readonly setTimer?: SetTimer;
}

export interface ProjectionRunner extends DocumentChangeSource {
  /** Prepares the builds and begins to fold; resolves before it has caught up. Rejects when a build cannot be prepared. */
  start(): Promise<void>;
  status(): readonly ProjectionStatus[];
  /** Of the documents that are kept in memory. */
  readonly cacheSize: CacheSize;
  /** Resolves when all projections that are not stopped reflect the record at `position`. @throws WaitTimeout */
  waitFor(position: bigint, options?: WaitOptions): Promise<void>;
  /** Resolves when all projections that are not stopped are live. @throws WaitTimeout */
  caughtUp(options?: WaitOptions): Promise<void>;
  /** Fills new builds of these projections (default: all) from the start of the log, which then take over. Without
   *  `start`, nobody else may run these projections meanwhile. Rejects when one cannot be filled; the others take over. */
  rebuild(
    names?: readonly string[],
    onProgress?: (progress: RebuildProgress) => void,
  ): Promise<readonly RebuildResult[]>;
  /** Finishes the batch in hand. The log and the store stay open. */
  stop(): Promise<void>;
}

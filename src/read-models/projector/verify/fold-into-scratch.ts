import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import { realDelay } from '../../../platform/async/retry.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { catchUp } from '../folding/catch-up.ts';
import { createProjectionWorker } from '../folding/projection-worker.ts';
import { createRecordProcessor } from '../folding/record-processor.ts';

interface ScratchFold {
  readonly log: EventLog;
  readonly projection: Projection;
  /** Holds nothing of this projection yet; its owner throws it away afterwards. */
  readonly scratchStore: ReadStore;
  readonly batchSize: number;
  /** The last position to fold; null: nothing is folded. */
  readonly limit: bigint | null;
  /** Which records are folded; absent: all of them. */
  readonly isOwn?: (record: LogRecord) => boolean;
  readonly onProgress?: (records: number) => void;
}

/** Cache limit of the folded documents, the same as a worker's. */
const SCRATCH_BYTES = 24 * 1024 * 1024;

/**
 * Folds the log from its beginning into a store that nobody reads.
 * @returns the number of records that were folded
 * @throws when a record cannot be folded, or the store is not empty
 */
export async function foldIntoScratch(options: ScratchFold): Promise<number> {
  const { log, projection, scratchStore, batchSize, limit, isOwn, onProgress } = options;
  const { name, version } = projection;
  await scratchStore.prepare(projection, `v${version}`);
  if ((await scratchStore.checkpoint(name, `v${version}`, ONE_PARTITION)) !== null)
    throw new Error('the scratch store is not empty');
  const part = isOwn && { partition: ONE_PARTITION, isOwn, cacheBytes: SCRATCH_BYTES };
  const worker = createProjectionWorker(projection, `v${version}`, 10_000, part);
  worker.awaitsActivation = true;
  const { signal } = new AbortController();
  const processor = createRecordProcessor({
    log,
    store: scratchStore,
    delay: realDelay,
    signal,
    onCommitted() {},
    onStopped() {},
    // A scratch store does not come back after an error, so retrying makes no sense.
    onRetry: (error) => {
      throw error;
    },
  });
  await catchUp([worker], {
    log,
    processor,
    batchSize,
    rebuildBatchSize: 1_000_000,
    signal,
    limit: () => limit,
    ...(onProgress && { onProgress }),
  });
  if (worker.stopReason !== null) throw new Error(`projection ${name}: ${worker.stopReason}`);
  return worker.foldedRecords;
}

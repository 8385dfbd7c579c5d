import { type CatchUpOptions, catchUp } from '../folding/catch-up.ts';
import { readsActiveGeneration } from '../folding/projection-worker.ts';
import type { RecordProcessor } from '../folding/record-processor.ts';
import type { AssignedPartition } from './assigned-partition.ts';

interface PartitionCatchUpParts extends Pick<CatchUpOptions, 'log' | 'batchSize' | 'rebuildBatchSize' | 'signal'> {
  readonly partitions: () => readonly AssignedPartition[];
  readonly newProcessor: () => RecordProcessor;
  readonly retrying: <T>(work: () => Promise<T>) => Promise<T>;
  /** Reads the store again and follows its generations, after workers have caught up. */
  readonly refresh: () => Promise<void>;
}

/** Catches up all workers that lag behind the feed, until none does. @returns undefined if that is running already */
export function createPartitionCatchUp(parts: PartitionCatchUpParts): () => Promise<void> | undefined {
  let isRunning = false;
  return () => {
    if (isRunning || parts.signal.aborted) return undefined;
    isRunning = true;
    return catchUpAll(parts).finally(() => {
      isRunning = false;
    });
  };
}

async function catchUpAll({
  partitions,
  newProcessor,
  retrying,
  refresh,
  ...options
}: PartitionCatchUpParts): Promise<void> {
  // Workers join in the turn of their partition, and the caller holds such a turn.
  await Promise.resolve();
  for (;;) {
    const lagging = partitions().flatMap((partition) => partition.laggingWorkers);
    if (lagging.length === 0) return;
    // Active generations come first, together with those that may be activated at any moment.
    const first = lagging.filter((worker) => readsActiveGeneration(worker) || worker.staysBehind === undefined);
    const workers = first.some(readsActiveGeneration) ? first : lagging;
    const catchUpOptions = { ...options, processor: newProcessor(), limit: () => undefined };
    const catchingUp = partitions().filter((partition) =>
      partition.laggingWorkers.some((worker) => workers.includes(worker)),
    );
    await retrying(() => catchUp(workers, catchUpOptions));
    for (const partition of catchingUp) {
      const own = workers.filter((worker) => partition.laggingWorkers.includes(worker));
      // Also if all of its workers were lost meanwhile: without a record, the partition would not notice.
      await partition.joinFeed(own, async () => {
        if (own.length > 0) await retrying(() => catchUp(own, catchUpOptions));
      });
    }
    await refresh();
  }
}

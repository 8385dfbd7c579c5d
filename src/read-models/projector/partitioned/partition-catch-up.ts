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
  let isFilling = false;
  return () => {
    if (isFilling || parts.signal.aborted) return undefined;
    isFilling = true;
    return catchUpAll(parts).finally(() => {
      isFilling = false;
    });
  };
}

async function catchUpAll({
  partitions,
  newProcessor,
  retrying,
  refresh,
  ...filling
}: PartitionCatchUpParts): Promise<void> {
  // Workers join in the turn of their partition, and the caller holds such a turn.
  await Promise.resolve();
  for (;;) {
    const behind = partitions().flatMap((track) => track.laggingWorkers);
    if (behind.length === 0) return;
    // Active generations come first, together with those that may be activated at any moment.
    const first = behind.filter((lane) => readsActiveGeneration(lane) || lane.staysBehind === undefined);
    const lanes = first.some(readsActiveGeneration) ? first : behind;
    const filler = { ...filling, advance: newProcessor(), limit: () => undefined };
    const filled = partitions().filter((track) => track.laggingWorkers.some((lane) => lanes.includes(lane)));
    await retrying(() => catchUp(lanes, filler));
    for (const track of filled) {
      const own = lanes.filter((lane) => track.laggingWorkers.includes(lane));
      // Also if all of its workers were lost meanwhile: without a record, the partition would not notice.
      await track.joinFeed(own, async () => {
        if (own.length > 0) await retrying(() => catchUp(own, filler));
      });
    }
    await refresh();
  }
}

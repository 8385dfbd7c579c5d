import { type CatchUpOptions, catchUp } from '../folding/catch-up.ts';
import { readsActiveGeneration } from '../folding/projection-worker.ts';
import type { RecordProcessor } from '../folding/record-processor.ts';
import type { AssignedPartition } from './assigned-partition.ts';

interface PartitionCatchUpParts extends Pick<CatchUpOptions, 'log' | 'batchSize' | 'rebuildBatchSize' | 'signal'> {
  readonly partitions: () => readonly AssignedPartition[];
  readonly newProcessor: () => RecordProcessor;
  readonly retrying: <T>(work: () => Promise<T>) => Promise<T>;
  /** Goes by what the store holds now, when some have been filled. */
  readonly refresh: () => Promise<void>;
}

/** Fills what lags behind the feed from the log, until nothing does. @returns undefined where that goes on already */
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
  // Lanes join in the turn of their tracks, of which the caller has one.
  await Promise.resolve();
  for (;;) {
    const behind = partitions().flatMap((track) => track.laggingWorkers);
    if (behind.length === 0) return;
    // What is read comes first, and with it what may take over at any moment.
    const first = behind.filter((lane) => readsActiveGeneration(lane) || lane.staysBehind === undefined);
    const lanes = first.some(readsActiveGeneration) ? first : behind;
    const filler = { ...filling, advance: newProcessor(), limit: () => undefined };
    const filled = partitions().filter((track) => track.laggingWorkers.some((lane) => lanes.includes(lane)));
    await retrying(() => catchUp(lanes, filler));
    for (const track of filled) {
      const own = lanes.filter((lane) => track.laggingWorkers.includes(lane));
      // Also where all of them were lost meanwhile: no record may come by which the track finds that out.
      await track.joinFeed(own, async () => {
        if (own.length > 0) await retrying(() => catchUp(own, filler));
      });
    }
    await refresh();
  }
}

import {
  createPolledProgress,
  type PolledProgressOptions,
} from '../../../../src/read-models/projector/progress/polled-progress.ts';
import type { ReadStore } from '../../../../src/read-models/store/read-store.ts';
import type { ProgressWorld } from '../../progress.contract.ts';
import { tallies } from '../../toys.ts';

const PROJECTIONS = [tallies(), tallies('others')];
const NAMES = PROJECTIONS.map(({ name }) => name);

/** Projections whose checkpoints somebody else moves in a store. @param store is closed with the world */
export async function polledWorld<Store extends ReadStore>(
  store: Store,
  placesOf: (store: Store) => PolledProgressOptions['checkpointsOf'],
): Promise<ProgressWorld> {
  for (const projection of PROJECTIONS) await store.prepare(projection, 'v1');
  const ends = new Map<string, bigint>();
  let position = 0n;
  const progress = createPolledProgress({
    projections: NAMES,
    checkpointsOf: placesOf(store),
    readEnds: async () => ends,
  });
  return {
    progress,
    async append(partition) {
      // With gaps, as between the records of other partitions.
      position += 3n;
      ends.set(partition, position);
      return position;
    },
    async project() {
      for (const projection of NAMES) {
        for (const [partition, checkpoint] of ends) {
          const expected = await store.checkpoint(projection, 'v1', partition);
          if (expected === checkpoint) continue;
          await store.commit([{ projection, generation: 'v1', partition, writes: [], expected, checkpoint }]);
        }
      }
    },
    async close() {
      progress.end(new Error('it is over'));
      await store.close();
    },
  };
}

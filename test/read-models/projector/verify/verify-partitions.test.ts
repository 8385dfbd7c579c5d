import { beforeEach, describe, expect, it } from 'vitest';
import { partitionName } from '../../../../src/domain/event-sourcing/partition-of.ts';
import type { Projection } from '../../../../src/domain/event-sourcing/projection.ts';
import { verifyProjection } from '../../../../src/read-models/projector/verify/verify-projection.ts';
import { createMemoryStore } from '../../../../src/read-models/store/memory-store.ts';
import type { ReadStore } from '../../../../src/read-models/store/read-store.ts';
import { contents } from '../../runner-kit.ts';
import { tallies } from '../../toys.ts';
import {
  ALL,
  crossing,
  PARTITIONS,
  type PartitionedWorld,
  partitionedWorld,
  projected,
  someFacts,
  tell,
} from '../partitioned/partitioned-harness.ts';

const division = { partitions: ALL, partitionOf: (key: string) => partitionName(key, PARTITIONS) };
let world: PartitionedWorld;
beforeEach(async () => {
  world = partitionedWorld();
  await tell(world.log, someFacts(100));
  await project();
});

/** Everything that stands in the log; afterwards nobody projects. */
async function project(): Promise<void> {
  const one = world.instance([tallies(), crossing()]);
  one.start();
  await projected(world, [tallies(), crossing()]);
  await one.stop();
}

const verify = (projection: Projection, store: ReadStore = world.inner) =>
  verifyProjection({
    log: world.log,
    store,
    projection,
    scratchStore: createMemoryStore(),
    partitioning: division,
    batchSize: 7,
  });

describe('verify where several instances divide the log', () => {
  it.each([tallies(), crossing()])('finds nothing where $name are what the log says', async (projection) => {
    expect(await verify(projection)).toMatchObject({ records: 100, differenceCount: 0 });
  });

  it('is not misled by what is not projected yet', async () => {
    await tell(world.log, someFacts(40, 100));
    expect(await verify(tallies())).toMatchObject({ records: 100, differenceCount: 0 });
    expect(await verify(crossing())).toMatchObject({ records: 100, differenceCount: 0 });
  });

  it('nor by what is projected while it runs', async () => {
    await tell(world.log, someFacts(40, 100));
    let isBegun = false;
    const moving: ReadStore = {
      ...world.inner,
      async scan(...args) {
        if (!isBegun) await project();
        isBegun = true;
        return world.inner.scan(...args);
      },
    };
    expect(await verify(tallies(), moving)).toMatchObject({ records: 100, differences: [], differenceCount: 0 });
    expect(isBegun).toBe(true);
  });

  it('finds what was changed, wherever its partition stands', async () => {
    await tell(world.log, someFacts(40, 100));
    for (const { key, position } of (await contents(world.inner, 'tallies')).slice(0, 3)) {
      await world.inner.write({
        projection: 'tallies',
        generation: 'v1',
        partition: 'none',
        expected: null,
        writes: [{ key, document: { count: -1, sum: -1, seen: [] }, position }],
      });
    }
    expect(await verify(tallies())).toMatchObject({ differenceCount: 3 });
  });
});

import { expect, it } from 'vitest';
import { ONE_PARTITION, partitionName } from '../../../../src/domain/event-sourcing/partition-of.ts';
import { createMemoryProgress } from '../../../../src/read-models/projector/progress/memory-progress.ts';
import { createPartitionedProgress } from '../../../../src/read-models/projector/progress/partitioned-progress.ts';
import { type ProgressWorld, progressContract } from '../../progress.contract.ts';
import { ALL, PARTITIONS } from '../partitioned/partitioned-harness.ts';

const partitionOf = (key: string) => partitionName(key, PARTITIONS);

function open() {
  const partitioned = createMemoryProgress(['tallies', 'others']);
  const unpartitioned = createMemoryProgress(['grouped']);
  const progress = createPartitionedProgress({
    partitioned,
    unpartitioned,
    partitionOf,
    partitions: new Set(ALL),
  });
  const ends = new Map<string, bigint>();
  let position = 0n;
  return {
    progress,
    divided: partitioned,
    undivided: unpartitioned,
    ends,
    async append(key: string) {
      position += 3n;
      ends.set(partitionOf(key), position);
      partitioned.appended(partitionOf(key), position);
      unpartitioned.appended(ONE_PARTITION, position);
      return position;
    },
    projectDivided() {
      for (const name of ['tallies', 'others']) for (const [one, end] of ends) partitioned.projected(name, one, end);
    },
    projectUndivided: () => unpartitioned.projected('grouped', ONE_PARTITION, position),
  };
}

progressContract('of projections that are divided, and others that are not', async (): Promise<ProgressWorld> => {
  const world = open();
  return {
    progress: world.progress,
    append: world.append,
    async project() {
      world.projectDivided();
      world.projectUndivided();
    },
    async close() {
      world.divided.end(new Error('it is over'));
      world.undivided.end(new Error('it is over'));
    },
  };
});

const SOON = { timeoutMs: 1 };

it('waits for projections of both kinds', async () => {
  const { progress, append, projectDivided, projectUndivided } = open();
  const places = new Map([['event-1', await append('event-1')]]);
  projectDivided();
  await expect(progress.waitFor(places, SOON)).rejects.toMatchObject({ code: 'wait_timeout' });
  projectUndivided();
  await progress.waitFor(places, SOON);
});

it('takes places by the names of partitions too, and those of the whole log', async () => {
  const { progress, append, projectDivided, projectUndivided, divided } = open();
  const first = await append('event-1');
  const last = await append('event-2');
  projectUndivided();
  divided.projected('tallies', partitionOf('event-1'), first);
  divided.projected('others', partitionOf('event-1'), first);
  await progress.waitFor(new Map([[partitionOf('event-1'), first]]), SOON);
  await expect(progress.waitFor(new Map([[partitionOf('event-2'), last]]), SOON)).rejects.toThrow();
  await expect(progress.waitFor(new Map([[ONE_PARTITION, last]]), SOON)).rejects.toThrow();
  projectDivided();
  await progress.waitFor(new Map([[ONE_PARTITION, last]]), SOON);
});

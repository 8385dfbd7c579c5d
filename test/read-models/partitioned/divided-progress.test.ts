import { expect, it } from 'vitest';
import { ONE_PARTITION, partitionName } from '../../../src/domain/partition-of.ts';
import { createMemoryProgress } from '../../../src/read-models/projector/memory-progress.ts';
import { dividedProgress } from '../../../src/read-models/projector/partitioned/divided-progress.ts';
import { type ProgressWorld, progressContract } from '../progress.contract.ts';
import { ALL, PARTITIONS } from './partitioned-kit.ts';

const partitionOf = (key: string) => partitionName(key, PARTITIONS);

function open() {
  const divided = createMemoryProgress(['tallies', 'others']);
  const undivided = createMemoryProgress(['grouped']);
  const progress = dividedProgress({ divided, undivided, partitionOf, partitions: new Set(ALL) });
  const ends = new Map<string, bigint>();
  let position = 0n;
  return {
    ...{ progress, divided, undivided, ends },
    async append(key: string) {
      position += 3n;
      ends.set(partitionOf(key), position);
      divided.appended(partitionOf(key), position);
      undivided.appended(ONE_PARTITION, position);
      return position;
    },
    projectDivided() {
      for (const name of ['tallies', 'others']) for (const [one, end] of ends) divided.reflected(name, one, end);
    },
    projectUndivided: () => undivided.reflected('grouped', ONE_PARTITION, position),
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
  await expect(progress.reached(places, SOON)).rejects.toMatchObject({ code: 'wait_timeout' });
  projectUndivided();
  await progress.reached(places, SOON);
});

it('takes places by the names of partitions too, and those of the whole log', async () => {
  const { progress, append, projectDivided, projectUndivided, divided } = open();
  const first = await append('event-1');
  const last = await append('event-2');
  projectUndivided();
  divided.reflected('tallies', partitionOf('event-1'), first);
  divided.reflected('others', partitionOf('event-1'), first);
  await progress.reached(new Map([[partitionOf('event-1'), first]]), SOON);
  await expect(progress.reached(new Map([[partitionOf('event-2'), last]]), SOON)).rejects.toThrow();
  await expect(progress.reached(new Map([[ONE_PARTITION, last]]), SOON)).rejects.toThrow();
  projectDivided();
  await progress.reached(new Map([[ONE_PARTITION, last]]), SOON);
});

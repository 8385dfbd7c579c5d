import { expect, it } from 'vitest';
import { partitionName } from '../../../../src/domain/event-sourcing/partition-of.ts';
import type { Projection } from '../../../../src/domain/event-sourcing/projection.ts';
import { readStoredStatuses } from '../../../../src/read-models/projector/partitioned/stored-projection-status.ts';
import { tallies } from '../../toys.ts';
import {
  crossing,
  PARTITIONS,
  type PartitionedWorld,
  partitionedWorld,
  projected,
  someFacts,
  tell,
} from './partitioned-harness.ts';

const TOYS: readonly Projection[] = [tallies(), crossing()];

function statusesOf({ log, feed, inner }: PartitionedWorld) {
  async function placesOf(names: readonly string[], partitions: readonly string[]) {
    const found = new Map<string, Map<string, bigint>>();
    for (const name of names) {
      const places = new Map<string, bigint>();
      for (const partition of partitions) {
        const at = await inner.checkpoint(name, (await inner.activeGeneration(name)) ?? '', partition);
        if (at !== null) places.set(partition, at);
      }
      found.set(name, places);
    }
    return found;
  }
  const partitionOf = (key: string) => partitionName(key, PARTITIONS);
  return readStoredStatuses({ log, feed, projections: TOYS, partitionOf, checkpointsOf: placesOf });
}

it('an empty log is reflected by all', async () => {
  const nothing = { position: null, lag_events: 0, lag_seconds: 0 };
  expect(await statusesOf(partitionedWorld())).toMatchObject([nothing, nothing]);
});

it('tells the least position, the sum of the records behind, and the greatest of the seconds', async () => {
  let time = Date.parse('2026-03-01T12:00:00Z');
  const world = partitionedWorld({ now: () => time });
  await tell(world.log, someFacts(40));
  expect((await statusesOf(world)).map(({ name, lag_events }) => [name, lag_events])).toEqual([
    ['tallies', 40],
    ['grouped', 40],
  ]);
  const one = world.instance(TOYS);
  one.start();
  await projected(world, TOYS);
  await one.stop();
  const ends = [...(await world.feed.endPositions()).values()].filter((end) => end !== null);
  const [least] = ends.sort((a, b) => (a < b ? -1 : 1));
  const head = await world.log.head();
  expect(await statusesOf(world)).toMatchObject([
    { name: 'tallies', version: 1, state: 'live', position: least, lag_events: 0, lag_seconds: 0 },
    { name: 'grouped', version: 1, state: 'live', position: head, lag_events: 0, lag_seconds: 0 },
  ]);
  time += 30_000;
  await tell(world.log, [{ type: 'Counted', key: 1, amount: 1 }]);
  time += 12_000;
  await tell(world.log, someFacts(6, 50));
  const [divided, whole] = await statusesOf(world);
  expect(divided).toMatchObject({ name: 'tallies', state: 'catching-up', lag_events: 7, lag_seconds: 42 });
  expect(whole).toMatchObject({
    name: 'grouped',
    state: 'catching-up',
    lag_events: 7,
    lag_seconds: 42,
    position: head,
  });
});

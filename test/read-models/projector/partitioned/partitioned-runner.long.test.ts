import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { UnknownEventVersion } from '../../../../src/domain/event-sourcing/upcast.ts';
import type { RecordFeed } from '../../../../src/event-log/subscription/record-feed.ts';
import type { DocumentChanges } from '../../../../src/read-models/projector/document-changes.ts';
import type { PartitionedRunner } from '../../../../src/read-models/projector/partitioned/partitioned-runner.ts';
import { createMemoryStore } from '../../../../src/read-models/store/memory-store.ts';
import { CheckpointMoved, type ReadStore } from '../../../../src/read-models/store/read-store.ts';
import { createFaultyFeed } from '../../../support/faulty/faulty-feed.ts';
import { createFaultyNetwork } from '../../../support/faulty/faulty-network.ts';
import { createFaultyStore } from '../../../support/faulty/faulty-store.ts';
import { contents, pureFold } from '../../runner-kit.ts';
import { tallies } from '../../toys.ts';
import {
  ALL,
  crossing,
  noting,
  type PartitionedWorld,
  partitionedWorld,
  projected,
  someFacts,
  tell,
  toys,
} from './partitioned-harness.ts';

const running: PartitionedRunner[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

function start(world: PartitionedWorld, ...args: Parameters<PartitionedWorld['instance']>): PartitionedRunner {
  const one = world.instance(...args);
  running.push(one);
  one.start();
  return one;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await setImmediate();
}

async function expectFolded(world: PartitionedWorld, projections = toys()): Promise<void> {
  await projected(world, projections);
  for (const projection of projections) {
    expect(await contents(world.inner, projection.name)).toEqual(await pureFold(world.log, projection));
  }
}

describe('projecting by partition', () => {
  it('fault: what another instance has taken while it was filled is begun anew, without another record', async () => {
    const world = partitionedWorld();
    await tell(world.log, someFacts(60));
    const before = start(world, [tallies()]);
    await expectFolded(world, [tallies()]);
    await before.stop();
    // The others stand behind, and are filled from the log. Meanwhile a process that was paused goes on with them.
    const both = [tallies(), tallies('others')];
    let paused: Promise<void> | undefined;
    const wakeUp = async () => {
      const feed = createFaultyFeed(world.log, createFaultyNetwork(), ALL.length);
      const other = start(world, both, { feed });
      await projected(world, both);
      await other.stop();
    };
    const refused: string[] = [];
    const store: ReadStore = {
      ...world.inner,
      async commit(commits) {
        if (commits.some(({ projection }) => projection === 'others')) {
          paused ??= wakeUp();
          await paused;
        }
        return world.inner.commit(commits).catch((error: unknown) => {
          if (error instanceof CheckpointMoved) refused.push(error.projection);
          throw error;
        });
      },
    };
    const one = start(world, both, { store });

    await until(() => refused.includes('others'));
    await until(() => one.publishedPartitions().length === ALL.length);

    expect(one.status().filter(({ state }) => state !== 'live')).toEqual([]);
    expect(
      one
        .status()
        .filter(({ name }) => name === 'others')
        .map(({ partition }) => partition)
        .sort(),
    ).toEqual([...ALL].sort());
    await expectFolded(world, both);
  });

  it('one instance folds all partitions, and what crosses them', async () => {
    const world = partitionedWorld();
    await tell(world.log, someFacts(60));
    const one = start(world, toys());
    await one.caughtUp();
    expect(one.assignedPartitions()).toEqual([...ALL].sort());
    await tell(world.log, someFacts(40, 60));
    await expectFolded(world);
  });

  it('two instances have disjoint partitions, and fold each record once', async () => {
    const world = partitionedWorld();
    const notes = [noting(tallies()), noting(tallies()), noting(crossing()), noting(crossing())] as const;
    const first = start(world, [notes[0].projection, notes[2].projection]);
    const second = start(world, [notes[1].projection, notes[3].projection]);
    await until(
      () =>
        first.assignedPartitions().length + second.assignedPartitions().length === ALL.length &&
        second.assignedPartitions().length > 0,
    );
    await Promise.all([first.caughtUp(), second.caughtUp()]);
    await tell(world.log, someFacts(100));
    await expectFolded(world, [tallies(), crossing()]);
    const positions = (await world.log.readAll(null, 1000)).map(({ position }) => position);
    const folded = [...notes[0].folded, ...notes[1].folded].sort((a, b) => (a < b ? -1 : 1));
    expect(folded).toEqual(positions);
    expect(notes[0].folded.length).toBeGreaterThan(0);
    expect(notes[1].folded.length).toBeGreaterThan(0);
    expect([...notes[2].folded, ...notes[3].folded]).toEqual(positions);
    expect(first.assignedPartitions().filter((name) => second.assignedPartitions().includes(name))).toEqual([]);
  });

  it('goes on where the store stands when instances come and go', async () => {
    const world = partitionedWorld();
    await tell(world.log, someFacts(30));
    const first = start(world, toys());
    await first.caughtUp();
    const second = start(world, toys());
    await tell(world.log, someFacts(30, 30));
    await until(() => second.assignedPartitions().length > 0);
    await first.stop();
    await tell(world.log, someFacts(30, 60));
    await expectFolded(world);
    const third = start(world, toys());
    await until(() => third.assignedPartitions().length > 0);
    await second.stop();
    await tell(world.log, someFacts(30, 90));
    await expectFolded(world);
  });

  it('one that was paused and wakes changes nothing', async () => {
    const world = partitionedWorld({ torn: true });
    let paused = false;
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const { inner } = world;
    let isPausing = false;
    const refused: unknown[] = [];
    const pausing = <Args extends unknown[]>(write: (...args: Args) => Promise<void>) => {
      return async (...args: Args): Promise<void> => {
        if (isPausing) {
          paused = true;
          await woken;
        }
        await write(...args).catch((error: unknown) => {
          refused.push(error);
          throw error;
        });
      };
    };
    const sleepy = { ...inner, write: pausing(inner.write), commit: pausing(inner.commit) };
    // It has all partitions for good: who pauses does not hear that others have them now.
    const deaf = { ...world.feed, subscribe: (options: any) => world.feed.subscribe({ ...options, readers: 'all' }) };
    const sleeper = start(world, toys(), {
      store: createFaultyStore(sleepy, world.far, { torn: true }),
      feed: deaf,
    });
    await tell(world.log, someFacts(20));
    await projected(world, toys());
    isPausing = true;
    await tell(world.log, someFacts(20, 20));
    await until(() => paused);
    start(world, toys());
    await tell(world.log, someFacts(40, 40));
    await expectFolded(world);
    const before = await Promise.all(toys().map(({ name }) => contents(inner, name)));
    isPausing = false;
    wake();
    await until(() => refused.length > 0);
    expect(refused[0]).toBeInstanceOf(CheckpointMoved);
    await sleeper.stop();
    expect(await Promise.all(toys().map(({ name }) => contents(inner, name)))).toEqual(before);
  });

  it('tells what has changed, once it can be read', async () => {
    const world = partitionedWorld();
    const one = start(world, toys());
    const seen = new Map<string, bigint>();
    one.documentChanges.subscribe(({ projection, changes }: DocumentChanges) => {
      for (const { key, position } of changes) seen.set(`${projection} ${key}`, position);
    });
    await tell(world.log, someFacts(50));
    await expectFolded(world);
    const expected = new Map<string, bigint>();
    for (const { name } of toys()) {
      for (const { key, position } of await contents(world.inner, name)) expected.set(`${name} ${key}`, position);
    }
    await until(() => [...expected].every(([key, position]) => seen.get(key) === position));
    expect(seen).toEqual(expected);
  });

  it('a record that cannot be folded stops its projection in its partition, and nothing else', async () => {
    const world = partitionedWorld();
    const one = start(world, [tallies(), tallies('others')]);
    await tell(world.log, [...someFacts(20), { type: 'Poisoned', key: 3, amount: 0 }]);
    await until(() => one.status().filter(({ state }) => state === 'stopped').length === 2);
    await tell(world.log, someFacts(23, 20));
    const ends = await world.feed.endPositions();
    const stuck = new Set(one.status().flatMap(({ state, partition }) => (state === 'stopped' ? [partition] : [])));
    expect(stuck.size).toBe(1);
    await until(() =>
      one.status().every(({ partition, position }) => stuck.has(partition) || position === ends.get(partition)),
    );
    expect(one.status().find(({ state }) => state === 'stopped')!.reason).toMatch(/cannot fold record \d+ \(Poisoned/);
  });
});

describe('builds beside the one that is read', () => {
  it('a new version takes over once it stands in all partitions where the old one does', async () => {
    const world = partitionedWorld();
    const old = start(world, toys());
    await tell(world.log, someFacts(50));
    await projected(world, toys());
    const next = [tallies('tallies', 2), tallies('others'), crossing('grouped', 2)];
    start(world, next);
    await tell(world.log, someFacts(30, 50));
    await old.stop();
    await expectFolded(world, next);
    expect(world.tooEarly).toEqual([]);
    expect(await world.inner.activeGeneration('others')).toBe('v1');
  });

  it('an old version that runs beside the new one leaves its builds alone', async () => {
    const world = partitionedWorld();
    start(world, [tallies('tallies', 2)]);
    await tell(world.log, someFacts(30));
    await projected(world, [tallies('tallies', 2)]);
    const old = start(world, [tallies()]);
    await until(() => old.assignedPartitions().length > 0);
    await tell(world.log, someFacts(5, 30));
    expect(old.status()).toEqual([]);
    expect(await world.inner.activeGeneration('tallies')).toBe('v2');
    expect(await world.inner.generations('tallies')).toEqual(['v2']);
    await old.stop();
    await expectFolded(world, [tallies('tallies', 2)]);
  });

  it('a rebuild makes all anew while others go on, and the replaced build stays for a while', async () => {
    const world = partitionedWorld();
    let time = 0;
    const now = () => time;
    const one = start(world, toys(), { now });
    start(world, toys(), { now });
    await tell(world.log, someFacts(60));
    await projected(world, toys());
    // What is in the documents is wrong: only the log tells how it should be.
    for (const { key, position } of (await contents(world.inner, 'tallies')).slice(0, 5)) {
      await world.inner.write({
        projection: 'tallies',
        generation: 'v1',
        partition: 'none',
        expected: null,
        writes: [{ key, document: { count: -1, sum: -1, seen: [] }, position }],
      });
    }
    const rebuilt = one.rebuild(['tallies', 'grouped']);
    await tell(world.log, someFacts(20, 60));
    expect((await rebuilt).map(({ name }) => name)).toEqual(['tallies', 'grouped']);
    await expectFolded(world);
    expect(world.tooEarly).toEqual([]);
    expect(await world.inner.activeGeneration('tallies')).toBe('v1.1');
    expect(await world.inner.activeGeneration('others')).toBe('v1');
    expect(await world.inner.generations('tallies')).toContain('v1');
    time = 10_000;
    for (;;) {
      if (!(await world.inner.generations('tallies')).includes('v1')) break;
      await setImmediate();
    }
    await tell(world.log, someFacts(20, 80));
    await expectFolded(world);
  });

  it('a rebuild whose instance dies is finished by the others', async () => {
    const world = partitionedWorld();
    const doomed = start(world, toys());
    await tell(world.log, someFacts(60));
    await projected(world, toys());
    const rebuilt = doomed.rebuild(['tallies']);
    for (;;) {
      if ((await world.inner.generations('tallies')).includes('v1.1')) break;
      await setImmediate();
    }
    await doomed.stop();
    await expect(rebuilt).rejects.toThrow();
    start(world, toys());
    for (;;) {
      if ((await world.inner.activeGeneration('tallies')) === 'v1.1') break;
      await setImmediate();
    }
    await expectFolded(world);
  });
});

describe('what goes wrong', () => {
  it('a record of a version that it does not know stops it, and says so', async () => {
    const world = partitionedWorld();
    await tell(world.log, someFacts(10));
    const unreadable = new UnknownEventVersion(
      { type: 'Counted', version: 9, data: {}, meta: { partition: 'toy-1' } },
      1,
    );
    const failing = {
      ...world.feed,
      subscribe: (...args: Parameters<typeof world.feed.subscribe>) => {
        const subscription = world.feed.subscribe(...args);
        return {
          ...subscription,
          next: async () => {
            const result = await subscription.next();
            if (!result.done && result.value.kind === 'caught-up') throw unreadable;
            return result;
          },
          [Symbol.asyncIterator]() {
            return this;
          },
        };
      },
    };
    const one = start(world, toys(), { feed: failing });
    await one.caughtUp();
    expect(one.status().length).toBeGreaterThan(0);
    for (const { state, reason } of one.status()) {
      expect([state, reason]).toEqual(['stopped', unreadable.message]);
    }
    start(world, toys());
    await one.stop();
    await expectFolded(world);
  });

  it('fault: a partition whose end has no record of its own does not look behind for ever', async () => {
    const world = partitionedWorld();
    await tell(world.log, someFacts(60));
    const end = await world.log.head();
    // As where topics begin behind what is in the log already.
    const feed: RecordFeed = {
      endPositions: world.feed.endPositions,
      subscribe(options) {
        const inner = world.feed.subscribe(options);
        const next = async () => {
          const { done, value } = await inner.next();
          if (done) return { done, value };
          return { done: false as const, value: value.kind === 'caught-up' ? { ...value, position: end } : value };
        };
        return { next, return: inner.return, [Symbol.asyncIterator]: () => ({ ...inner, next }) as never };
      },
    };

    start(world, [tallies()], { feed });

    await expectFolded(world, [tallies()]);
    const build = (await world.inner.activeGeneration('tallies'))!;
    for (const partition of ALL) {
      await expect.poll(() => world.inner.checkpoint('tallies', build, partition)).toBe(end);
    }
  });

  it('a store that has lost its data is filled again, though no record comes', async () => {
    const world = partitionedWorld();
    let near = createMemoryStore();
    const store = new Proxy(near, { get: (_, name) => Reflect.get(near, name) });
    await tell(world.log, someFacts(60));
    await start(world, toys(), { store }).caughtUp();

    near = createMemoryStore();

    await expectFolded({ ...world, inner: store });
  });

  it('a feed that fails is followed again from where the store stands', async () => {
    const world = partitionedWorld({ lost: 0.1, seed: 3 });
    let failures = 0;
    const failing = {
      ...world.feed,
      subscribe: (...args: Parameters<typeof world.feed.subscribe>) => {
        const subscription = world.feed.subscribe(...args);
        return {
          ...subscription,
          next: async () => {
            if (failures < 10 && world.far.random.chance(0.2)) {
              failures++;
              throw new Error('the connection is lost');
            }
            return subscription.next();
          },
          [Symbol.asyncIterator]() {
            return this;
          },
        };
      },
    };
    start(world, toys(), { feed: failing });
    start(world, toys());
    // Only who is brought something has a connection to lose.
    for (let from = 0; failures < 10; from += 20) {
      await tell(world.log, someFacts(20, from));
      await setImmediate();
    }
    await expectFolded(world);
  });
});

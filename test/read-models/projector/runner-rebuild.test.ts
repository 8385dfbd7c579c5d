import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import type { Projection } from '../../../src/domain/event-sourcing/projection.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import type { ProjectionRunner } from '../../../src/read-models/projector/projection-runner.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import { append, contents, count, faultyStore, gate, pureFold, runnerOf } from '../runner-kit.ts';
import { testedStores } from '../tested-stores.ts';
import { tallies } from '../toys.ts';

describe.each(testedStores)('rebuild: %s', (_name, openStore) => {
  let log: EventLog;
  let store: ReadStore;
  let runners: ProjectionRunner[];
  beforeEach(() => {
    log = createMemoryLog();
    store = openStore();
    runners = [];
  });
  afterEach(async () => {
    for (const runner of runners) await runner.stop();
    await store.close();
  });

  function runnerWith(projections: readonly Projection[], on = store, more = {}): ProjectionRunner {
    const runner = runnerOf(log, on, projections, more);
    runners.push(runner);
    return runner;
  }

  const expectFolded = async (projection: Projection) => {
    expect(await contents(store, projection.name)).toEqual(await pureFold(log, projection));
  };

  /** As a mistake in the code of an earlier day would have left it. */
  async function damage(projection: string): Promise<void> {
    const generation = (await store.activeGeneration(projection))!;
    const at = (await store.checkpoint(projection, generation, ONE_PARTITION))!;
    const writes = [{ key: '1', document: { count: -1, sum: 0, seen: [] }, position: at }];
    await store.commit([{ projection, generation, partition: ONE_PARTITION, writes, expected: at, checkpoint: at }]);
  }

  it('beside a runner while records are appended: the pure fold, each change announced once and in order', async () => {
    for (let i = 0; i < 60; i++) await count(log, i % 5, i);
    const runner = runnerWith([tallies(), tallies('others')]);
    await runner.start();
    await runner.caughtUp();
    await damage('tallies');
    const announced: bigint[] = [];
    runner.documentChanges.subscribe(({ projection, changes }) => {
      // A commit tells of its documents in no order that is promised.
      const positions = changes.map(({ position }) => position).sort((a, b) => Number(a - b));
      if (projection === 'tallies') announced.push(...positions);
    });

    let rebuilt = false;
    let appended = 0;
    const writer = (async () => {
      // No more than a slow store keeps up with.
      while (appended < 50 || (!rebuilt && appended < 2000)) {
        await count(log, appended++ % 5, 1);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const progress: number[] = [];
    const results = await runner.rebuild(['tallies'], ({ records }) => progress.push(records));
    rebuilt = true;
    await writer;

    expect(results).toMatchObject([{ name: 'tallies', seconds: 0 }]);
    expect(results[0]!.records).toBeGreaterThanOrEqual(60);
    expect(progress.length).toBeGreaterThan(5);
    await runner.waitFor((await log.head())!);
    expect(await store.generations('tallies')).toEqual(['v1.1']);
    expect(await store.generations('others')).toEqual(['v1']);
    await expectFolded(tallies());
    await expectFolded(tallies('others'));
    expect(announced).toEqual([...announced].sort((a, b) => Number(a - b)));
    expect(runner.status()).toMatchObject([{ state: 'live' }, { state: 'live' }]);
  });

  it('takes over exactly where the runner stands: no record is left out, and no change unannounced', async () => {
    for (let i = 0; i < 17; i++) await count(log, i % 5, i);
    let hold = false;
    let release = () => {};
    const held: ReadStore = {
      ...store,
      commit: async (commits) => {
        if (hold && commits[0]!.generation === 'v1') {
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        }
        return store.commit(commits);
      },
    };
    const runner = runnerWith([tallies()], held);
    await runner.start();
    await runner.caughtUp();
    const announced: bigint[] = [];
    runner.documentChanges.subscribe(({ changes }) => announced.push(...changes.map(({ position }) => position)));

    // The runner is about to commit 18, and has not seen 19, when the new build is as far as it can be.
    hold = true;
    await count(log, 1, 1);
    await new Promise((resolve) => setImmediate(resolve));
    await count(log, 1, 1);
    const rebuild = runner.rebuild(undefined, ({ position }) => {
      if (position < 17n) return;
      hold = false;
      setImmediate(() => setImmediate(release));
    });
    await rebuild;
    await runner.waitFor(19n);
    expect(announced).toEqual([18n, 19n]);
    expect(await store.activeGeneration('tallies')).toBe('v1.1');
    await expectFolded(tallies());
  });

  it('twice, and a later start goes on with that build', async () => {
    const runner = runnerWith([tallies()]);
    await runner.start();
    await runner.waitFor(await count(log, 1, 1, 2, 3));
    await runner.rebuild();
    await runner.rebuild();
    expect(await store.activeGeneration('tallies')).toBe('v1.2');
    await runner.stop();
    const next = runnerWith([tallies()]);
    await next.start();
    await next.waitFor(await count(log, 1, 4));
    expect(await store.generations('tallies')).toEqual(['v1.2']);
    await expectFolded(tallies());
  });

  it('without a running runner', async () => {
    for (let i = 0; i < 30; i++) await count(log, i % 4, i);
    expect(await runnerWith([tallies()]).rebuild()).toEqual([{ name: 'tallies', records: 30, seconds: 0 }]);
    await expectFolded(tallies());
    await damage('tallies');
    await runnerWith([tallies()]).rebuild();
    await expectFolded(tallies());
  });

  it('of an empty log', async () => {
    const runner = runnerWith([tallies()]);
    await runner.start();
    await runner.rebuild();
    await runner.waitFor(await count(log, 1, 1));
    await expectFolded(tallies());
  });

  it('brings a stopped projection back when its code has been mended', async () => {
    let mended = false;
    const fragile: Projection = {
      ...tallies(),
      apply: (document, record) => {
        if (record.type === 'Poisoned' && !mended) throw new Error('poison');
        return tallies().apply(document, { ...record, type: 'Counted' });
      },
    };
    const runner = runnerWith([fragile]);
    await runner.start();
    await runner.waitFor(await append(log, { type: 'Poisoned', key: 1, amount: 1 }));
    await count(log, 1, 2);
    expect(runner.status()).toMatchObject([{ state: 'stopped' }]);
    mended = true;
    await runner.rebuild();
    await runner.waitFor(await count(log, 1, 3));
    await expect.poll(() => runner.status()).toMatchObject([{ state: 'live', position: 3n }]);
    await expectFolded(fragile);
  });

  it('that cannot be done leaves the old build, tells why, and the others take over', async () => {
    const runner = runnerWith([tallies(), { ...tallies('careful'), types: ['Counted'] }]);
    await runner.start();
    await count(log, 1, 1);
    await runner.waitFor(await append(log, { type: 'Poisoned', key: 1, amount: 1 }));
    await expect(runner.rebuild()).rejects.toThrow('rebuild of tallies: cannot fold record 2');
    expect(await store.generations('tallies')).toEqual(['v1']);
    expect(await store.generations('careful')).toEqual(['v1.1']);
  });

  it('refuses a second one of the same projection, and unknown names', async () => {
    const runner = runnerWith([tallies()]);
    await count(log, 1, 1);
    await runner.start();
    const first = runner.rebuild();
    await expect(runner.rebuild()).rejects.toThrow(/built already/);
    await first;
    await expect(runner.rebuild(['nope'])).rejects.toThrow(/no such projection/);
  });

  it('that was broken off by a stop leaves nothing behind', async () => {
    for (let i = 0; i < 60; i++) await count(log, i % 5, i);
    const runner = runnerWith([tallies()]);
    await runner.start();
    await runner.caughtUp();
    const rebuild = runner.rebuild(undefined, () => void runner.stop());
    await expect(rebuild).rejects.toThrow();
    await runner.stop();
    expect(await store.generations('tallies')).toEqual(['v1']);
    await expectFolded(tallies());
  });

  it('that a stop breaks off in its last stretch: what is not filled yet does not take over', async () => {
    for (let i = 0; i < 5; i++) await count(log, i, 1);
    const [live, last] = [gate(), gate()];
    let isHeld = false;
    let isLast = false;
    const slow: ReadStore = {
      ...store,
      async commit(commits) {
        if (isHeld && commits[0]!.generation === 'v1') await live.passed();
        return store.commit(commits);
      },
      async load(projection, build, keys) {
        if (isLast && build !== 'v1') await last.passed();
        return store.load(projection, build, keys);
      },
    };
    const runner = runnerWith([tallies()], slow);
    await runner.start();
    await runner.caughtUp();
    isHeld = true;
    await count(log, 9, 1);
    await live.reached;
    const rebuild = runner.rebuild().then(
      () => 'rebuilt',
      () => 'broken off',
    );
    await expect.poll(async () => (await store.scan('tallies', 'v1.1', null, 10)).length).toBe(5);
    // What the runner has just folded is all that the new build lacks.
    isLast = true;
    live.open();
    await last.reached;
    const stopped = runner.stop();
    last.open();
    expect(await rebuild).toBe('broken off');
    await stopped;
    expect(await store.activeGeneration('tallies')).toBe('v1');
    await expectFolded(tallies());
  });

  it('that crashed leaves a build that the next start drops', async () => {
    for (let i = 0; i < 60; i++) await count(log, i % 5, i);
    const first = runnerWith([tallies()]);
    await first.start();
    await first.caughtUp();
    await first.stop();
    let commits = 0;
    const dying = faultyStore(store, (method) => {
      if (method === 'commit') commits++;
      return commits > 3 ? 'before' : undefined;
    });
    const crashed = runnerOf(log, dying, [tallies()], { delay: () => Promise.reject(new Error('killed')) });
    await expect(crashed.rebuild()).rejects.toThrow('killed');
    expect(await store.generations('tallies')).toEqual(['v1', 'v1.1']);

    const next = runnerWith([tallies()]);
    await next.start();
    await next.caughtUp();
    expect(await store.generations('tallies')).toEqual(['v1']);
    await expectFolded(tallies());
  });

  it('that crashed before it dropped the old build: what is read is the new one, and the next start drops the old', async () => {
    for (let i = 0; i < 60; i++) await count(log, i % 5, i);
    const first = runnerWith([tallies()]);
    await first.start();
    await first.caughtUp();
    await first.stop();
    const dying = faultyStore(store, (method) => (method === 'drop' ? 'before' : undefined));
    const crashed = runnerOf(log, dying, [tallies()], { delay: () => Promise.reject(new Error('killed')) });
    await expect(crashed.rebuild()).rejects.toThrow('killed');
    expect(await store.generations('tallies')).toEqual(['v1', 'v1.1']);
    expect(await store.activeGeneration('tallies')).toBe('v1.1');

    const next = runnerWith([tallies()]);
    await next.start();
    await next.waitFor(await count(log, 2, 7));
    expect(await store.generations('tallies')).toEqual(['v1.1']);
    await expectFolded(tallies());
  });

  it('by another instance: the one whose build it replaced stops, and does not wait for that build for ever', async () => {
    for (let i = 0; i < 20; i++) await count(log, i % 5, i);
    // Only the document that was folded last is kept in memory: the others have to be loaded.
    const loser = runnerWith([tallies()], store, { cacheDocuments: 1 });
    const winner = runnerWith([tallies()]);
    await loser.start();
    await loser.caughtUp();
    await winner.start();
    await winner.caughtUp();
    await winner.rebuild();
    const position = await count(log, 2, 7);
    await loser.waitFor(position);
    expect(loser.status()).toMatchObject([{ state: 'stopped', reason: 'projection tallies has no build v1' }]);
    await winner.waitFor(position);
    await expectFolded(tallies());
  });

  it('by an instance that has lost the projection: is refused, and what is read does not go back', async () => {
    for (let i = 0; i < 20; i++) await count(log, i % 5, i);
    // Hears of nothing that is appended, as one in another process does until it looks.
    const deaf: EventLog = { ...log, onCommitted: () => () => {} };
    const hindmost = runnerOf(deaf, store, [tallies(), tallies('others')], { setTimer: () => () => {} });
    runners.push(hindmost);
    await hindmost.start();
    await hindmost.caughtUp();
    const foremost = runnerWith([tallies()]);
    await foremost.start();
    await foremost.waitFor(await count(log, 2, 7));

    await expect(hindmost.rebuild()).rejects.toThrow(
      'rebuild of tallies: projection tallies: expected its checkpoint at 20, but it stands at 21',
    );
    await hindmost.stop();
    expect(await store.generations('tallies')).toEqual(['v1']);
    await expectFolded(tallies());
    await foremost.waitFor(await count(log, 2, 8));
    await expectFolded(tallies());
    // Nobody else has that one.
    expect(await store.generations('others')).toEqual(['v1.1']);
  });

  it('of a new version that stopped on its way: takes over from the old one', async () => {
    const old = runnerWith([{ ...tallies(), types: ['Counted'] }]);
    await old.start();
    await old.waitFor(
      await append(log, { type: 'Counted', key: 1, amount: 1 }, { type: 'Poisoned', key: 1, amount: 2 }),
    );
    await old.waitFor(await count(log, 1, 3));
    await old.stop();
    let mended = false;
    const next: Projection = {
      ...tallies('tallies', 2),
      apply: (document, record) => {
        if (record.type === 'Poisoned' && !mended) throw new Error('poison');
        return tallies('tallies', 2).apply(document, { ...record, type: 'Counted' });
      },
    };
    const runner = runnerWith([next]);
    await runner.start();
    await runner.waitFor(3n);
    expect(runner.status()).toMatchObject([{ state: 'stopped', position: 1n }]);
    expect(await store.activeGeneration('tallies')).toBe('v1');
    mended = true;
    let refused: string | undefined;
    do {
      // It still counts as being built until its filling has ended.
      await new Promise((resolve) => setImmediate(resolve));
      refused = await runner.rebuild().then(
        () => undefined,
        (error: Error) => error.message,
      );
    } while (refused?.endsWith('is being built already'));
    expect(refused).toBeUndefined();
    expect(await store.generations('tallies')).toEqual(['v2.1']);
    await expectFolded(next);
  });

  it('in the moment in which a new version takes over: its build is not dropped with the old one', async () => {
    const old = runnerWith([tallies()]);
    await old.start();
    await old.waitFor(await count(log, 1, 3));
    await old.stop();
    let asked: Promise<string | undefined> | undefined;
    const watched: ReadStore = {
      ...store,
      async activeGeneration(projection) {
        const active = await store.activeGeneration(projection);
        if (active !== 'v2') return active;
        // The old one is about to be dropped.
        asked ??= runner.rebuild().then(
          () => undefined,
          (error: Error) => error.message,
        );
        for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
        return active;
      },
    };
    const runner = runnerWith([tallies('tallies', 2)], watched);
    await runner.start();
    await runner.waitFor(1n);
    await expect.poll(() => asked).toBeDefined();
    expect(await asked).toBe('projection tallies is being built already');
    await expect.poll(async () => (await store.generations('tallies')).length).toBe(1);
    await runner.rebuild();
    expect(await store.generations('tallies')).toEqual(['v2.1']);
    await expectFolded(tallies('tallies', 2));
  });

  it('by another instance that takes over in the midst of a start: that start goes on with the new build', async () => {
    for (let i = 0; i < 20; i++) await count(log, i % 5, i);
    const winner = runnerWith([tallies()]);
    await winner.start();
    await winner.caughtUp();
    let rebuilt = false;
    const late: ReadStore = {
      ...store,
      prepare: async (projection, build) => {
        if (!rebuilt) await winner.rebuild();
        rebuilt = true;
        // `build` is gone by now: this makes an empty one of its name, which nobody reads.
        await store.prepare(projection, build);
      },
    };
    const runner = runnerWith([tallies()], late);
    await runner.start();
    await winner.stop();
    await runner.waitFor(await count(log, 2, 7));
    expect(await store.get('tallies', '2')).toMatchObject({ position: 21n });
    expect(await store.generations('tallies')).toEqual(['v1.1']);
    await expectFolded(tallies());
  });

  it('whose build another instance dropped: is given up, and holds up nobody', async () => {
    for (let i = 0; i < 20; i++) await count(log, i, i);
    const runner = runnerWith([tallies()], store, { rebuildBatchSize: 100 });
    await runner.start();
    await runner.caughtUp();
    const rebuild = runner.rebuild(undefined, () => store.drop('tallies', 'v1.1'));
    // Where it is far away, what was under way may be refused before the build is missed.
    await expect(rebuild).rejects.toThrow(/rebuild of tallies: projection tallies(?: has no build v1.1|: expected)/);
    await runner.waitFor(await count(log, 2, 7));
    expect(runner.status()).toMatchObject([{ state: 'live' }]);
    await expectFolded(tallies());
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import type { Projection } from '../../../src/domain/event-sourcing/projection.ts';
import { UnknownEventVersion } from '../../../src/domain/event-sourcing/upcast.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import type { DocumentChanges, ProjectionRunner } from '../../../src/read-models/projector/projection-runner.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import { append, contents, count, faultyStore, gate, pureFold, runnerOf } from '../runner-kit.ts';
import { testedStores } from '../tested-stores.ts';
import { type Tally, tallies } from '../toys.ts';

describe.each(testedStores)('projection runner: %s', (_name, openStore) => {
  let log: EventLog;
  let store: ReadStore;
  let clock: number;
  let runners: ProjectionRunner[];
  beforeEach(() => {
    clock = Date.UTC(2024, 0, 1);
    log = createMemoryLog({ now: () => clock });
    store = openStore();
    runners = [];
  });
  afterEach(async () => {
    for (const runner of runners) await runner.stop();
    await store.close();
  });

  async function started(projections: readonly Projection[], on = store, more = {}): Promise<ProjectionRunner> {
    const runner = runnerOf(log, on, projections, more);
    runners.push(runner);
    await runner.start();
    return runner;
  }

  const expectFolded = async (projection: Projection) => {
    expect(await contents(store, projection.name)).toEqual(await pureFold(log, projection));
  };

  describe('folds', () => {
    it('what is in the log, then what is appended', async () => {
      for (let i = 0; i < 20; i++) await count(log, i % 3, i, 1);
      await count(log, undefined, 5);
      await append(log, { type: 'Other', key: 1 });
      const runner = await started([tallies(), tallies('others')]);
      await runner.caughtUp();
      await expectFolded(tallies());
      await runner.waitFor(await count(log, 2, 100));
      await expectFolded(tallies());
      await expectFolded(tallies('others'));
    });

    it('goes on where an earlier run ended, with documents of the store', async () => {
      const first = await started([tallies()]);
      await first.waitFor(await count(log, 1, 1, 2));
      await first.stop();
      const second = await started([tallies()]);
      await second.waitFor(await count(log, 1, 3));
      await expectFolded(tallies());
    });

    it('with fewer documents in memory than there are', async () => {
      const runner = await started([tallies()], store, { cacheDocuments: 2 });
      for (let i = 0; i < 30; i++) await count(log, i % 5, i);
      await runner.waitFor(await count(log, 1, 1));
      await expectFolded(tallies());
    });

    it('with so few and so large documents that not all are kept, of which it tells the size', async () => {
      const large = {
        ...tallies(),
        apply: (document: any, record: any) => ({ ...tallies().apply(document, record), text: 'x'.repeat(5_000_000) }),
      };
      const runner = await started([large]);
      for (let i = 0; i < 8; i++) await runner.waitFor(await count(log, i, 1));
      const { bytes, limit } = runner.cacheSize;
      expect(bytes).toBeGreaterThan(10_000_000);
      expect(bytes).toBeLessThanOrEqual(limit!);
      expect(limit).toBeLessThan(8 * 5_000_000);
      await runner.waitFor(await count(log, 0, 2));
      expect(await contents(store, 'tallies')).toEqual(await pureFold(log, large));
    });

    it('not twice what a document holds already, where a store kept documents and lost their checkpoint', async () => {
      await count(log, 1, 1, 2, 3);
      await store.prepare(tallies(), 'v1');
      const [document] = await pureFold(log, tallies(), 2n);
      await store.commit([
        {
          projection: 'tallies',
          generation: 'v1',
          partition: ONE_PARTITION,
          writes: [document!],
          expected: null,
          checkpoint: 1n,
        },
      ]);
      const runner = await started([tallies()]);
      await runner.caughtUp();
      await expectFolded(tallies());
    });

    it('moves on over records that concern nobody, and stores that when it stops', async () => {
      const runner = await started([tallies()]);
      const position = await append(log, { type: 'Other' }, { type: 'Other' });
      await runner.waitFor(position);
      expect(runner.status()).toMatchObject([{ state: 'live', position, lag_events: 0 }]);
      await runner.stop();
      expect(await store.checkpoint('tallies', 'v1', ONE_PARTITION)).toBe(position);
    });

    it('stores only now and then where one stands that records do not concern, and a crash takes nothing from it', async () => {
      const rare = { ...tallies('rare'), types: ['Other'] };
      const placeOf = (name: string) => store.checkpoint(name, 'v1', ONE_PARTITION);
      let isDead = false;
      const dying = faultyStore(store, () => (isDead ? 'before' : undefined));
      const runner = await started([tallies(), rare], dying);
      await runner.waitFor(await append(log, { type: 'Other', key: 1, amount: 2 }));
      const before = await placeOf('rare');
      const position = await count(log, 1, 1, 2, 3);
      await runner.waitFor(position);
      expect([await placeOf('tallies'), await placeOf('rare')]).toEqual([position, before]);
      expect(runner.status()).toMatchObject([{ position }, { position }]);
      isDead = true;
      await runner.stop();
      const next = await started([tallies(), rare]);
      await next.waitFor(await append(log, { type: 'Other', key: 1, amount: 3 }));
      await expectFolded(rare);
      await next.waitFor(await count(log, 1, ...Array.from({ length: 1000 }, () => 1)));
      expect(await placeOf('rare')).toBeGreaterThan(position + 500n);
      await expectFolded(tallies());
      await expectFolded(rare);
    });

    it('lets others have the event loop while it catches up', async () => {
      for (let i = 0; i < 40; i++) await count(log, i, ...Array(50).fill(1));
      let rounds = 0;
      let committedInRound = 0;
      const slow = faultyStore(store, (method) => {
        if (method !== 'commit') return undefined;
        committedInRound++;
        const until = performance.now() + 11;
        while (performance.now() < until);
        return undefined;
      });
      let most = 0;
      const tick = () => {
        rounds++;
        most = Math.max(most, committedInRound);
        committedInRound = 0;
        timer = setImmediate(tick);
      };
      let timer = setImmediate(tick);
      const runner = await started([tallies()], slow, { batchSize: 100 });
      await runner.caughtUp();
      clearImmediate(timer);
      // Of 20 commits. A turn is counted from the first breath in it on: what came before stands beside what comes after.
      expect(most).toBeLessThanOrEqual(3);
      expect(rounds).toBeGreaterThanOrEqual(10);
    });
  });

  describe('says what it does', () => {
    it('nothing before it was started', () => {
      expect(runnerOf(log, store, [tallies()]).status()).toEqual([]);
    });

    it('live, at the end of the log', async () => {
      const position = await count(log, 1, 1, 2);
      const runner = await started([tallies()]);
      await runner.caughtUp();
      expect(runner.status()).toEqual([
        { name: 'tallies', version: 1, state: 'live', position, lag_events: 0, lag_seconds: 0 },
      ]);
    });

    it('announces what each commit has changed, after it', async () => {
      const runner = await started([tallies(), tallies('others')]);
      const seen: DocumentChanges[] = [];
      const stored: Promise<unknown>[] = [];
      runner.documentChanges.subscribe(({ projection, changes }) => {
        seen.push(structuredClone({ projection, changes }));
        for (const { key } of changes) stored.push(store.get<Tally>(projection, key).then((found) => found?.document));
      });
      await runner.waitFor(
        await append(log, { type: 'Counted', key: 1, amount: 2 }, { type: 'Counted', key: 2, amount: 3 }),
      );
      const changes = [
        { key: '1', position: 1n, document: { count: 1, sum: 2, seen: ['1'] } },
        { key: '2', position: 2n, document: { count: 1, sum: 3, seen: ['2'] } },
      ];
      expect(seen).toEqual([
        { projection: 'tallies', changes },
        { projection: 'others', changes },
      ]);
      expect(await Promise.all(stored)).toEqual([...changes, ...changes].map(({ document }) => document));
    });

    it('ends the announcements when it stops', async () => {
      const runner = await started([tallies()]);
      let completed = false;
      runner.documentChanges.subscribe({
        complete: () => {
          completed = true;
        },
      });
      await runner.stop();
      expect(completed).toBe(true);
      await expect(runner.waitFor(99n)).rejects.toThrow(/has stopped/);
    });
  });

  describe('waits', () => {
    it('until all projections reflect a position', async () => {
      const runner = await started([tallies(), tallies('others')]);
      const waiting = runner.waitFor(2n);
      await count(log, 1, 5, 6);
      await waiting;
      expect(await store.get('others', '1')).toMatchObject({ document: { sum: 11 } });
    });

    it('no longer than allowed', async () => {
      const runner = await started([tallies()]);
      await expect(runner.waitFor(5n, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'wait_timeout' });
    });

    it('until its caller gives up', async () => {
      const runner = await started([tallies()]);
      const giveUp = new AbortController();
      const waiting = runner.waitFor(5n, { signal: giveUp.signal });
      giveUp.abort(new Error('the client has gone'));
      await expect(waiting).rejects.toThrow('the client has gone');
      await expect(runner.waitFor(5n, { signal: giveUp.signal })).rejects.toThrow('the client has gone');
    });

    it('not for a projection that has stopped', async () => {
      const runner = await started([tallies(), tallies('others')]);
      const position = await append(log, { type: 'Poisoned', key: 1, amount: 1 });
      await runner.waitFor(position);
      expect(runner.status().map(({ state }) => state)).toEqual(['stopped', 'stopped']);
    });
  });

  describe('stops a projection alone', () => {
    const careless: Projection<Tally> = { ...tallies('careless'), types: ['Counted'] };

    it('whose apply throws, with everything before that record in place', async () => {
      clock = Date.UTC(2024, 0, 1, 12, 0, 0);
      const runner = await started([tallies(), careless]);
      // In memory when it fails, and half changed then.
      await runner.waitFor(await count(log, 1, 1));
      await append(
        log,
        { type: 'Counted', key: 1, amount: 2 },
        { type: 'Counted', key: 2, amount: 3 },
        { type: 'Poisoned', key: 1, amount: 4 },
        { type: 'Counted', key: 2, amount: 5 },
      );
      await runner.waitFor(5n);
      clock += 90_000;
      await runner.waitFor(await count(log, 3, 6));
      expect(runner.status()).toEqual([
        {
          name: 'tallies',
          version: 1,
          state: 'stopped',
          position: 3n,
          lag_events: 3,
          lag_seconds: 90,
          reason: 'cannot fold record 4 (Poisoned of toys-1): poison',
        },
        { name: 'careless', version: 1, state: 'live', position: 6n, lag_events: 0, lag_seconds: 0 },
      ]);
      expect(await contents(store, 'tallies')).toEqual(await pureFold(log, tallies(), 3n));
      expect(await store.checkpoint('tallies', 'v1', ONE_PARTITION)).toBe(3n);
      await expectFolded(careless);
    });

    it('whose key throws', async () => {
      const keyless: Projection = {
        ...tallies(),
        key: (record) => {
          if (record.data.key === 9) throw new Error('no key');
          return '1';
        },
      };
      const runner = await started([keyless, careless]);
      await count(log, 1, 1, 2);
      await runner.waitFor(await count(log, 9, 3));
      expect(runner.status()).toMatchObject(
        [{ state: 'stopped', position: 2n, reason: /no key/ }, { state: 'live' }].map((one) => ({
          ...one,
          ...('reason' in one ? { reason: expect.stringMatching(one.reason as RegExp) } : {}),
        })),
      );
      expect(await store.get('tallies', '1')).toMatchObject({ document: { sum: 3 } });
    });

    it('whose document cannot be stored', async () => {
      const big: Projection = { ...tallies('big'), apply: () => ({ sum: 1, big: 1n }) };
      const runner = await started([big, careless]);
      await runner.waitFor(await count(log, 1, 1));
      expect(runner.status()).toMatchObject([
        { name: 'big', state: 'stopped', position: null, reason: expect.stringContaining('BigInt') },
        { name: 'careless', state: 'live' },
      ]);
      await expectFolded(careless);
    });

    it('whose checkpoint another instance has moved, and leaves that instance its documents', async () => {
      const first = await started([tallies(), careless]);
      await first.waitFor(await count(log, 1, 1));
      await store.commit([
        {
          projection: 'tallies',
          generation: 'v1',
          partition: ONE_PARTITION,
          writes: [],
          expected: 1n,
          checkpoint: 77n,
        },
      ]);
      await first.waitFor(await count(log, 1, 2));
      expect(first.status()).toMatchObject([
        { name: 'tallies', state: 'stopped', position: 1n, reason: expect.stringContaining('stands at 77') },
        { name: 'careless', state: 'live', position: 2n },
      ]);
      expect(await store.get('tallies', '1')).toMatchObject({ document: { sum: 1 } });
      await expectFolded(careless);
    });
  });

  it('stops with a clear reason at a record that this code cannot read', async () => {
    const newer = createMemoryLog({
      upcast: (record) => {
        if (record.type === 'FromTheFuture') throw new UnknownEventVersion(record, 1);
        return record;
      },
    });
    log = newer;
    await count(log, 1, 1);
    const first = await started([tallies()]);
    await first.caughtUp();
    await first.stop();
    // It is written; only its announcement cannot be read either.
    await append(log, { type: 'FromTheFuture' }).catch(() => {});
    const runner = await started([tallies()]);
    await runner.waitFor(2n);
    expect(runner.status()).toMatchObject([
      { state: 'stopped', position: 1n, reason: expect.stringContaining('update this server') },
    ]);
  });

  describe('a new version', () => {
    it('is filled beside the old one, takes over when it has caught up, and the old one is dropped', async () => {
      const old = await started([tallies(), tallies('others')]);
      for (let i = 0; i < 30; i++) await count(log, i % 4, i);
      await old.waitFor(30n);
      await old.stop();

      const answers: unknown[] = [];
      const watched = faultyStore(store, (method) => {
        if (method === 'commit' || method === 'activate') answers.push(store.get<Tally>('tallies', '1'));
        return undefined;
      });
      const runner = await started([tallies('tallies', 2), tallies('others')], watched);
      const announced: DocumentChanges[] = [];
      runner.documentChanges.subscribe((change) => announced.push(change));
      await runner.caughtUp();
      expect(announced).toEqual([]);
      for (const answer of await Promise.all(answers)) {
        expect(answer).toMatchObject({ document: { sum: 1 + 5 + 9 + 13 + 17 + 21 + 25 + 29 } });
      }
      expect(answers.length).toBeGreaterThan(4);
      expect(await store.generations('tallies')).toEqual(['v2']);
      await expectFolded(tallies('tallies', 2));
      await runner.waitFor(await count(log, 1, 100));
      await expectFolded(tallies('tallies', 2));
      expect(runner.status()).toMatchObject([{ version: 2, state: 'live' }, { state: 'live' }]);
    });

    it('does not hold up the projections that are up to date', async () => {
      const old = await started([tallies('others')]);
      for (let i = 0; i < 30; i++) await count(log, i % 4, i);
      await old.waitFor(30n);
      await old.stop();

      let release = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const held: ReadStore = {
        ...store,
        load: async (projection, build, keys) => {
          if (projection === 'tallies') await gate;
          return store.load(projection, build, keys);
        },
      };
      const runner = await started([tallies(), tallies('others')], held);
      const live = new Promise<void>((resolve) => {
        runner.documentChanges.subscribe(({ projection }) => projection === 'others' && resolve());
      });
      await count(log, 1, 100);
      await live;
      expect(runner.status()).toMatchObject([
        { name: 'tallies', state: 'catching-up', position: null, lag_events: 31 },
        { name: 'others', state: 'live', position: 31n, lag_events: 0 },
      ]);
      release();
      await runner.waitFor(31n);
      await expectFolded(tallies());
    });

    it('takes over also where another instance made the first build, of an older version, in the midst of its start', async () => {
      let asked = false;
      const late: ReadStore = {
        ...store,
        prepare: async (projection, build) => {
          if (!asked) await store.prepare(tallies(), 'v1');
          asked = true;
          await store.prepare(projection, build);
        },
      };
      const runner = await started([tallies('tallies', 2)], late);
      await runner.waitFor(await count(log, 1, 5, 6));
      expect(await store.generations('tallies')).toEqual(['v2']);
      await expectFolded(tallies('tallies', 2));
    });

    it('whose filling a stop breaks off: is no failure of it, and nobody is told that it has caught up', async () => {
      const old = await started([tallies(), tallies('others')]);
      for (let i = 0; i < 30; i++) await count(log, i % 4, i);
      await old.waitFor(30n);
      await old.stop();

      const [filling, committing] = [gate(), gate()];
      const held: ReadStore = {
        ...store,
        load: async (projection, build, keys) => {
          if (projection === 'tallies') await filling.passed();
          return store.load(projection, build, keys);
        },
        commit: async (commits) => {
          if (commits[0]!.projection === 'others') await committing.passed();
          return store.commit(commits);
        },
      };
      const errors: unknown[] = [];
      const logger = { info() {}, warn() {}, error: (...line: unknown[]) => errors.push(line) };
      const runner = await started([tallies('tallies', 2), tallies('others')], held, { logger });
      const waiting = runner.waitFor(await count(log, 1, 100));
      const answered = waiting.then(
        () => 'reflected',
        (error: Error) => error.message,
      );
      await Promise.all([filling.reached, committing.reached]);
      const stopped = runner.stop();
      // The filling ends first: the batch in hand, which looks after those who wait, comes after it.
      filling.open();
      await new Promise((resolve) => setImmediate(resolve));
      committing.open();
      await stopped;
      expect(await answered).toBe('the projection runner has stopped');
      expect(runner.status()).toMatchObject([{ state: 'catching-up' }, { position: 31n }]);
      expect(errors).toEqual([]);
    });

    it('goes on with what an earlier start has filled', async () => {
      const old = await started([tallies()]);
      for (let i = 0; i < 30; i++) await count(log, i % 4, i);
      await old.waitFor(30n);
      await old.stop();
      let commits = 0;
      const failing = faultyStore(store, (method) => (method === 'commit' && ++commits > 2 ? 'before' : undefined));
      const held = runnerOf(log, failing, [tallies('tallies', 2)], {
        delay: async (_milliseconds, signal) => signal.throwIfAborted(),
        logger: { info() {}, error() {}, warn: () => void held.stop() },
      });
      await held.start();
      await expect(held.caughtUp()).rejects.toThrow(/has stopped/);
      expect(await store.checkpoint('tallies', 'v2', ONE_PARTITION)).toBe(14n);
      expect(await store.activeGeneration('tallies')).toBe('v1');

      const runner = await started([tallies('tallies', 2)]);
      await runner.caughtUp();
      await expectFolded(tallies('tallies', 2));
    });
  });
});

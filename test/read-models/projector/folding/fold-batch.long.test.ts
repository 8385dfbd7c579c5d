import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ONE_PARTITION } from '../../../../src/domain/event-sourcing/partition-of.ts';
import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import { readAllInPages } from '../../../../src/event-log/storage/read-all-in-pages.ts';
import type { ReadStore } from '../../../../src/read-models/store/read-store.ts';
import { append, contents, faultyStore, pureFold, runnerOf } from '../../runner-kit.ts';
import { testedStores } from '../../tested-stores.ts';
import { grouped, tallies } from '../../toys.ts';

const KEYS = 1300;
const RECORDS = 4000;
/** Everything in one stretch, of more documents than are written at once. */
const LARGE = { batchSize: 400, rebuildBatchSize: 100_000 };

describe.each(testedStores)('a build that is filled in stretches: %s', (_name, openStore) => {
  let log: EventLog;
  let store: ReadStore;
  beforeEach(async () => {
    log = createMemoryLog();
    store = openStore();
    await append(
      log,
      ...Array.from({ length: RECORDS }, (_, n) => ({ type: 'Counted', key: (n * 7) % KEYS, amount: n })),
    );
    const first = runnerOf(log, store, [tallies()], { batchSize: 400 });
    await first.start();
    await first.caughtUp();
    await first.stop();
  });
  afterEach(() => store.close());

  const folded = async (version: number) => pureFold(log, tallies('tallies', version));

  it('holds what the log amounts to, each document written once', async () => {
    const written: number[] = [];
    const watched: ReadStore = {
      ...store,
      write: async (part) => {
        written.push(part.writes.length);
        await store.write(part);
      },
      commit: async (commits) => {
        for (const { writes } of commits) written.push(writes.length);
        await store.commit(commits);
      },
    };
    const runner = runnerOf(log, watched, [tallies()], LARGE);
    const [result] = await runner.rebuild();
    await runner.stop();
    expect(result!.records).toBe(RECORDS);
    expect(written.reduce((sum, count) => sum + count)).toBe(KEYS);
    expect(Math.max(...written)).toBeLessThan(KEYS);
    expect(await contents(store, 'tallies')).toEqual(await folded(1));
  });

  it('of thousands of documents that change in turn has each of them written once', async () => {
    const many = 6000;
    await append(log, ...Array.from({ length: 3 * many }, (_, n) => ({ type: 'Counted', key: n % many, amount: n })));
    let written = 0;
    const watched: ReadStore = {
      ...store,
      write: async (part) => {
        written += part.writes.length;
        await store.write(part);
      },
      commit: async (commits) => {
        for (const { writes } of commits) written += writes.length;
        await store.commit(commits);
      },
    };
    // Without sizes of its own, as the command has it.
    const runner = runnerOf(log, watched, [tallies()], { batchSize: undefined });
    await runner.rebuild();
    await runner.stop();
    expect(written).toBe(many);
    expect(await contents(store, 'tallies')).toEqual(await folded(1));
  });

  it('has what has not changed for long written before the log is read to its end', async () => {
    // One document after another; the first ones come again at the end.
    const many = 30_000;
    const counted = (n: number) => ({ type: 'Counted', key: n % many, amount: n });
    await append(log, ...Array.from({ length: many + 100 }, (_, n) => counted(n)));
    const head = (await log.head())!;
    let read = 0n;
    const watchedLog: EventLog = {
      ...log,
      readAll: log.readAll,
      async *readAllFrom(...args) {
        for await (const page of log.readAllFrom(...args)) {
          read = page.at(-1)!.position;
          yield page;
        }
      },
    };
    let early = 0;
    const watched: ReadStore = {
      ...store,
      write: async (part) => {
        if (read < head) early += part.writes.length;
        await store.write(part);
      },
    };
    const runner = runnerOf(watchedLog, watched, [tallies()], { batchSize: undefined });
    await runner.rebuild();
    await runner.stop();
    expect(early).toBeGreaterThan(many / 3);
    expect(await contents(store, 'tallies')).toEqual(await folded(1));
  });

  it('gathers in tables also what was written long before its end', async () => {
    const many = 15_000;
    await append(
      log,
      ...Array.from({ length: 2 * many }, (_, n) => ({ type: 'Counted', key: Math.floor(n / 2), amount: n })),
      ...Array.from({ length: 100 }, (_, n) => ({ type: 'Counted', key: Math.floor(n / 2), amount: n })),
    );
    const whole = runnerOf(log, store, [grouped()], { batchSize: undefined });
    await whole.rebuild();
    await whole.stop();
    expect(await contents(store, 'grouped')).toEqual(await pureFold(log, grouped()));
  });

  it('that was left with documents ahead of its checkpoint counts no record twice', async () => {
    let writes = 0;
    const dying = faultyStore(store, (method) => (method === 'write' && ++writes > 1 ? 'before' : undefined));
    const delay = async (_milliseconds: number, signal: AbortSignal) => signal.throwIfAborted();
    const dead = runnerOf(log, dying, [tallies('tallies', 2)], {
      ...LARGE,
      delay,
      logger: { info() {}, error() {}, warn: () => void dead.stop() },
    });
    await dead.start();
    await expect(dead.caughtUp()).rejects.toThrow(/has stopped/);
    expect(await store.checkpoint('tallies', 'v2', ONE_PARTITION)).toBeNull();
    expect((await store.scan('tallies', 'v2', null, KEYS)).length).toBeGreaterThan(0);

    await append(log, ...Array.from({ length: 50 }, (_, n) => ({ type: 'Counted', key: n, amount: 1 })));
    const next = runnerOf(log, store, [tallies('tallies', 2)], LARGE);
    await next.start();
    await next.caughtUp();
    await next.stop();
    expect(await store.activeGeneration('tallies')).toBe('v2');
    expect(await contents(store, 'tallies')).toEqual(await folded(2));
  });

  it('gathers in tables what its documents amount to, also after it was left with some of them ahead', async () => {
    const whole = runnerOf(log, store, [grouped()], LARGE);
    await whole.start();
    await whole.caughtUp();
    await whole.stop();
    expect(await contents(store, 'grouped')).toEqual(await pureFold(log, grouped()));
    const ahead: number[] = [];
    const nextVersion = grouped('grouped', 2);
    for (let last = 0; last < 3; last++) {
      let writes = 0;
      const dying = faultyStore(store, (method) => {
        if (method === 'commit') return 'before';
        return method === 'write' && ++writes > last ? 'before' : undefined;
      });
      const delay = async (_milliseconds: number, signal: AbortSignal) => signal.throwIfAborted();
      const dead = runnerOf(log, dying, [nextVersion], {
        ...LARGE,
        delay,
        logger: { info() {}, error() {}, warn: () => void dead.stop() },
      });
      await dead.start();
      await expect(dead.caughtUp()).rejects.toThrow(/has stopped/);
      ahead.push((await store.scan('grouped', 'v2', null, 2 * KEYS)).length);
    }
    expect(ahead[0]).toBe(0);
    expect(ahead[2]).toBeGreaterThan(ahead[1]!);
    const next = runnerOf(log, store, [nextVersion], { batchSize: 100 });
    await next.start();
    await next.caughtUp();
    await next.stop();
    expect(await contents(store, 'grouped')).toEqual(await pureFold(log, nextVersion));
  });

  it('stops just before a record that cannot be folded, as one that is filled page by page does', async () => {
    await append(log, { type: 'Poisoned', key: 3, amount: 1 }, { type: 'Counted', key: 4, amount: 1 });
    const runner = runnerOf(log, store, [tallies('tallies', 2), tallies('others')], LARGE);
    await runner.start();
    await runner.caughtUp();
    const position = BigInt(RECORDS);
    expect(await store.checkpoint('tallies', 'v2', ONE_PARTITION)).toBe(position);
    expect(runner.status()[0]).toMatchObject({ state: 'stopped', position });
    expect(await contents(store, 'others')).toEqual(await pureFold(log, tallies('others'), position));
    await runner.stop();
  });

  it('gets past a log that fails again and again', async () => {
    let reads = 0;
    const flaky: EventLog = {
      ...log,
      readAllFrom: (after, options) =>
        readAllInPages(
          async (from, limit) => {
            if (++reads % 3 === 0) throw new Error('log: connection lost');
            return log.readAll(from, limit);
          },
          after,
          options,
        ),
    };
    const runner = runnerOf(flaky, store, [tallies()], LARGE);
    await runner.rebuild();
    await runner.stop();
    expect(await contents(store, 'tallies')).toEqual(await folded(1));
  });
});

describe('a part of a commit', () => {
  it.each(testedStores)('is refused where the checkpoint has moved: %s', async (_name, openStore) => {
    const store = openStore();
    await store.prepare(tallies(), 'v1');
    const writes = [{ key: '1', document: { count: 1, sum: 1, seen: [] }, position: 9n }];
    const part = { projection: 'tallies', generation: 'v1', partition: ONE_PARTITION, writes };
    await store.write({ ...part, expected: null });
    expect(await store.checkpoint('tallies', 'v1', ONE_PARTITION)).toBeNull();
    await store.commit([{ ...part, writes: [], expected: null, checkpoint: 9n }]);
    await expect(store.write({ ...part, expected: null })).rejects.toMatchObject({ code: 'checkpoint_moved' });
    expect(await store.get('tallies', '1')).toMatchObject({ position: 9n });
    await store.close();
  });
});

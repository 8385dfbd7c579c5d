import { expect, it } from 'vitest';
import { openRegistry } from '../../src/composition/registry.ts';
import { memoryKeptFeeds } from '../../src/connectors/memory-kept-feeds.ts';
import { sqliteKeptFeeds } from '../../src/connectors/sqlite-kept-feeds.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';

const adapters = {
  memory: async () => memoryKeptFeeds(),
  SQLite: async () => sqliteKeptFeeds(await openRegistry(openSqliteDatabase({ file: ':memory:' }))),
};

it.each(Object.entries(adapters))(
  'in %s one owner holds the lease until it runs out or is given back',
  async (_, open) => {
    const kept = await open();
    expect(await kept.claim('a', 1000, 15_000)).toBe(true);
    expect(await kept.claim('b', 1000, 15_000)).toBe(false);
    expect(await kept.claim('a', 10_000, 15_000)).toBe(true);
    expect(await kept.claim('b', 24_999, 15_000)).toBe(false);
    expect(await kept.claim('b', 25_000, 15_000)).toBe(true);
    expect(await kept.claim('a', 26_000, 15_000)).toBe(false);
    await kept.release('a');
    expect(await kept.claim('a', 27_000, 15_000)).toBe(false);
    await kept.release('b');
    expect(await kept.claim('a', 28_000, 15_000)).toBe(true);
  },
);

it.each(Object.entries(adapters))('in %s the budget of each source is kept', async (_, open) => {
  const kept = await open();
  expect(await kept.readBudget('x')).toBeUndefined();
  const budget = { day: '2026-11-23', used: 3.5, notBefore: 1_795_000_000_000, isOver: true, providerRemaining: 12.5 };
  await kept.writeBudget('x', { ...budget, used: 1, isOver: false, providerRemaining: null });
  await kept.writeBudget('x', budget);
  await kept.writeBudget('y', { ...budget, day: '2026-11-22' });
  expect(await kept.readBudget('x')).toEqual(budget);
});

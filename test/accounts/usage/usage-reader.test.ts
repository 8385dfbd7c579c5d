import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usage } from '../../../projections/accounts/usage.ts';
import { MAX_KEYS_PER_DAY, usageDays } from '../../../projections/accounts/usage-days.ts';
import { createUsageReader } from '../../../src/accounts/usage/create-usage-reader.ts';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import { openSqliteStore } from '../../../src/read-models/store/sqlite/sqlite-store.ts';
import { testedStores } from '../../read-models/tested-stores.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../support/longest-blocking.ts';
import { type GivenRecord, givenCall, givenRecord, NOW, usageWorld } from './usage-world.ts';

const time = (text: string): number => Date.parse(`2026-11-${text}Z`);

describe.each(testedStores)('what an account has called: %s', (_name, openStore) => {
  let store: ReadStore;
  let close: () => Promise<void>;
  beforeEach(() => {
    store = openStore();
    close = () => store.close();
  });
  afterEach(() => close());

  async function readerOf(records: readonly GivenRecord[], now = NOW) {
    const { runner } = await usageWorld(store, records);
    close = async () => {
      await runner.stop();
      await store.close();
    };
    return createUsageReader({ store, now: () => now });
  }
  const ids = async (reader: Awaited<ReturnType<typeof readerOf>>, page = 1) =>
    (await reader.page({ accountId: 1, days: 90 }, page)).calls.map(({ requestId }) => requestId);

  it('calls of neighbouring records stand by their times, and of one moment the last recorded one comes first', async () => {
    const reader = await readerOf([
      givenRecord([givenCall(NOW - 5), givenCall(NOW - 1), givenCall(NOW - 1)]),
      givenRecord([givenCall(NOW - 3), givenCall(NOW - 1), givenCall(NOW - 9)]),
      givenRecord([givenCall(NOW - 2)], { isCharged: false }),
    ]);
    expect(await ids(reader)).toEqual(['Req-1.1', 'Req-0.2', 'Req-0.1', 'Req-2.0', 'Req-1.0', 'Req-0.0', 'Req-1.2']);
  });

  it('a call that took hours stands where it came in, however late it was recorded', async () => {
    const many = Array.from({ length: 110 }, (_, n) => givenRecord([givenCall(NOW - 1000 - n)]));
    const reader = await readerOf([...many, givenRecord([givenCall(NOW), givenCall(NOW - 7_200_000)])]);
    expect((await ids(reader))[0]).toBe('Req-110.0');
    expect((await ids(reader, 2)).at(-1)).toBe('Req-110.1');
  });

  it('a full page has a next one only if there is another call', async () => {
    const calls = (count: number) => givenRecord(Array.from({ length: count }, () => givenCall(NOW)));
    const reader = await readerOf([calls(100), { ...calls(101), accountId: 2 }]);
    expect((await reader.page({ accountId: 1, days: 1 }, 1)).hasMore).toBe(false);
    expect((await reader.page({ accountId: 2, days: 1 }, 1)).hasMore).toBe(true);
    expect(await reader.page({ accountId: 2, days: 1 }, 2)).toMatchObject({ calls: [{ requestId: 'Req-1.0' }] });
  });

  it('days are UTC days, and a record over midnight counts on both', async () => {
    const over = [givenCall(time('20T23:59:59.999')), givenCall(time('21T00:00:00'), { status: 500, credits: 2 })];
    const reader = await readerOf([givenRecord(over), givenRecord([...over].reverse())], time('22T00:00:00'));

    const { days } = await reader.analytics(1, 2);
    expect(days).toEqual([
      { date: '2026-11-21', calls: 2, errors: 2, credits: 4 },
      { date: '2026-11-22', calls: 0, errors: 0, credits: 0 },
    ]);
    expect((await reader.analytics(1, 3)).days[0]).toEqual({ date: '2026-11-20', calls: 2, errors: 0, credits: 2 });
  });

  it('tells apart more keys than a day holds, and the document stays bounded', async () => {
    const keys = Array.from({ length: MAX_KEYS_PER_DAY + 100 }, (_, n) => n + 1);
    const early = time('20T10:00:00');
    const reader = await readerOf([
      ...keys.map((keyId) => givenRecord([givenCall(early, { keyId })])),
      givenRecord([givenCall(early, { keyId: 7 })], { isCharged: false, isRepeated: true }),
      givenRecord([givenCall(NOW, { keyId: 7 })]),
    ]);
    const { keys: told, days } = await reader.analytics(1, 30);
    expect(told).toHaveLength(keys.length);
    expect(told[0]).toEqual({ key_id: 7, calls: 3, credits: 2 });
    expect(told[1]).toEqual({ key_id: 1, calls: 1, credits: 1 });
    expect(days.find(({ date }) => date === '2026-11-20')!.calls).toBe(keys.length + 1);
    const [day] = await store.scan(usageDays.name, (await store.activeGeneration(usageDays.name))!, null, 1);
    expect(JSON.stringify(day!.document).length).toBeLessThan(1000);
  });

  it('says that it has nothing yet while an earlier version of the documents is the one that is read', async () => {
    await store.prepare({ ...usage, version: 3 }, 'v3');
    await store.prepare(usageDays, `v${usageDays.version}`);
    const reader = createUsageReader({ store, now: () => NOW });
    await expect(reader.page({ accountId: 1, days: 1 }, 1)).rejects.toThrow(UnavailableError);
    await expect(reader.analytics(1, 1)).rejects.toThrow(UnavailableError);
  });
});

it('looks through many calls in steps, and holds up nobody', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  const together = (record: number) =>
    givenRecord(Array.from({ length: 2500 }, (_, n) => givenCall(NOW - record * 2000 - n, { keyId: n % 9 })));
  const quiet = Array.from({ length: 500 }, (_, n) => givenRecord([givenCall(NOW - 100_000 - n)]));
  const { runner } = await usageWorld(store, [...Array.from({ length: 20 }, (_, n) => together(n)), ...quiet]);
  const reader = createUsageReader({ store, now: () => NOW });

  const ofNone = await longestBlocking(() => reader.page({ accountId: 1, days: 90, q: 'of none' }, 1));
  expect(ofNone.result).toEqual({ calls: [], hasMore: false });
  expect(ofNone.longest).toBeLessThan(MAX_BLOCKING_MS);
  const ofAll = await longestBlocking(async () => {
    let count = 0;
    for await (const _ of reader.all({ accountId: 1, days: 90 }, 1_000_000)) count++;
    return count;
  });
  expect(ofAll.result).toBe(50_500);
  expect(ofAll.longest).toBeLessThan(MAX_BLOCKING_MS);
  await runner.stop();
  await store.close();
});

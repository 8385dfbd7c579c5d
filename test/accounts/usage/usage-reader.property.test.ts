import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUsageReader } from '../../../src/accounts/usage/create-usage-reader.ts';
import type { UsageAnalytics, UsageCall, UsageFilter, UsageReader } from '../../../src/accounts/usage/usage-reader.ts';
import { testedStores } from '../../read-models/tested-stores.ts';
import { cases } from '../../support/cases.ts';
import { anyRecord, NOW, usageWorld } from './usage-world.ts';

const DAY = 86_400_000;
const records = fc.array(anyRecord, { minLength: 1, maxLength: 60 });
const filters: fc.Arbitrary<UsageFilter> = fc.record(
  {
    accountId: fc.constantFrom(1, 2, 3),
    days: fc.constantFrom(1, 2, 30, 90),
    keyId: fc.constantFrom(1, 2, 9),
    status: fc.constantFrom(200, 404, '2xx' as const, '4xx' as const, '5xx' as const),
    q: fc.constantFrom('GET_', 'odds', 'req-1', '.0', 'nothing of all'),
  },
  { requiredKeys: ['accountId', 'days'] },
);

const accepts =
  ({ days, keyId, status, q }: UsageFilter) =>
  (call: UsageCall): boolean =>
    Date.parse(call.at) >= NOW - days * DAY &&
    (keyId === undefined || call.keyId === keyId) &&
    (status === undefined || String(call.status).replace(/..$/, 'xx') === status || call.status === status) &&
    (q === undefined || `${call.operation ?? ''}\n${call.requestId}`.toLowerCase().includes(q.toLowerCase()));

async function allPages(reader: UsageReader, filter: UsageFilter): Promise<readonly (readonly UsageCall[])[]> {
  const pages: (readonly UsageCall[])[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await reader.page(filter, pages.length + 1);
    pages.push(page.calls);
    hasMore = page.hasMore;
  }
  return pages;
}

async function listed(calls: AsyncIterable<UsageCall>): Promise<readonly UsageCall[]> {
  const all: UsageCall[] = [];
  for await (const call of calls) all.push(call);
  return all;
}

/** Counted call by call. */
function analyticsOf(calls: readonly UsageCall[], count: number): UsageAnalytics {
  const dates = Array.from({ length: count }, (_, index) =>
    new Date(NOW - (count - 1 - index) * DAY).toISOString().slice(0, 10),
  );
  const within = calls.filter(({ at }) => dates.includes(at.slice(0, 10)));
  const sum = (some: readonly UsageCall[]) => ({
    calls: some.length,
    credits: some.reduce((total, { credits }) => total + credits, 0),
  });
  const byCalls = <Row extends { calls: number }>(rows: Row[], then: (a: Row, b: Row) => number) =>
    rows.sort((a, b) => b.calls - a.calls || then(a, b));
  const operations = [...new Set(within.map(({ operation }) => operation))];
  const keys = [...new Set(within.map(({ keyId }) => keyId))];
  return {
    days: dates.map((date) => {
      const ofDay = within.filter(({ at }) => at.startsWith(date));
      return { date, errors: ofDay.filter(({ status }) => status >= 400).length, ...sum(ofDay) };
    }),
    operations: byCalls(
      operations.map((operation) => ({ operation, ...sum(within.filter((one) => one.operation === operation)) })),
      (a, b) => ((a.operation ?? '~') < (b.operation ?? '~') ? -1 : 1),
    ),
    keys: byCalls(
      keys.map((key_id) => ({ key_id, ...sum(within.filter(({ keyId }) => keyId === key_id)) })),
      (a, b) => (a.key_id ?? 99) - (b.key_id ?? 99),
    ),
  };
}

describe.each(testedStores)('usage from documents: %s', (_name, openStore) => {
  it('pages and the whole have each call that passes the filter once, the newest first', async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.array(filters, { minLength: 1, maxLength: 4 }),
        fc.nat(80),
        async (all, asked, most) => {
          const store = openStore();
          const { runner, truth } = await usageWorld(store, all);
          const reader = createUsageReader({ store, now: () => NOW });
          for (const filter of asked) {
            const expected = truth(filter.accountId).filter(accepts(filter));
            const pages = await allPages(reader, filter);

            expect(pages.flat()).toEqual(expected);
            expect(pages.slice(0, -1).every(({ length }) => length === 100)).toBe(true);
            expect((await reader.page(filter, pages.length + 1)).calls).toEqual([]);
            expect(await listed(reader.all(filter, most))).toEqual(expected.slice(0, most));
          }
          await runner.stop();
          await store.close();
        },
      ),
      { numRuns: cases(100) },
    );
  });

  it('days, operations and keys are counted as call by call, and the same after a rebuild', async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.constantFrom(1, 2, 4, 30, 90), async (all, days) => {
        const store = openStore();
        const { runner, truth } = await usageWorld(store, all);
        const reader = createUsageReader({ store, now: () => NOW });
        const filter = { accountId: 1, days: 90 };
        const before = [await reader.analytics(1, days), await listed(reader.all(filter, 1000))];

        expect(before[0]).toEqual(analyticsOf(truth(1), days));
        await runner.rebuild(['usage', 'usage-days']);
        expect([await reader.analytics(1, days), await listed(reader.all(filter, 1000))]).toEqual(before);
        await runner.stop();
        await store.close();
      }),
      { numRuns: cases(100) },
    );
  });
});

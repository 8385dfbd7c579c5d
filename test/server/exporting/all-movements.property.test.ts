import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NFL, odds, schedule } from '../../api/spec/messages.ts';
import { cases } from '../../support/cases.ts';
import { readTable } from './exported-tables.ts';
import { exportingServer } from './exporting-server.ts';
import { byEvent, operationRows } from './operation-rows.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const iso = (minutes: number) => new Date(NOW - 86_400_000 + minutes * 60_000).toISOString().replace('.000Z', 'Z');

/** Prices of some bookmakers, many of them told late; a price may be told again. */
const prices = fc.array(
  fc.record({
    minute: fc.nat({ max: 600 }),
    book: fc.constantFrom('pinnacle', 'fanduel', 'bet365'),
    key: fc.constantFrom('h2h', 'totals'),
    price: fc.integer({ min: 100, max: 104 }),
    point: fc.integer({ min: 40, max: 42 }),
  }),
  { minLength: 1, maxLength: 60 },
);

const messageOf = ({
  minute,
  book,
  key,
  price,
  point,
}: {
  minute: number;
  book: string;
  key: string;
  price: number;
  point: number;
}) => ({
  ...odds('g1', book, [
    {
      key,
      outcomes:
        key === 'h2h'
          ? [
              { outcome: 'home', price },
              { outcome: 'away', price: -price - 5 },
            ]
          : [
              { outcome: 'over', price, point },
              { outcome: 'under', price: -price - 5, point },
            ],
    },
  ]),
  at: iso(minute),
});

async function withGame(use: (server: Awaited<ReturnType<typeof exportingServer>>) => Promise<void>) {
  const server = await exportingServer(NOW);
  try {
    await server.feed([{ ...schedule(NFL, 'g1', ['Kansas City Chiefs', 'Buffalo Bills'], iso(2000)), at: iso(-10) }]);
    await use(server);
  } finally {
    await server.close();
  }
}

it('exports the movements of prices in any order of arrival, as get_odds_history has them', async () => {
  await fc.assert(
    fc.asyncProperty(prices, fc.nat({ max: 600 }), async (drawn, minute) => {
      await withGame(async (server) => {
        await server.feed(...drawn.map((one) => [messageOf(one)]));
        expect(byEvent(await readTable(await server.export('odds-history')))).toEqual(
          byEvent(await operationRows(server, 'odds-history')),
        );
        const asOf = { at: Date.parse(iso(minute)), basis: 'observed' as const };
        expect(byEvent(await readTable(await server.export('odds-history', { asOf })))).toEqual(
          byEvent(await operationRows(server, 'odds-history', { as_of: iso(minute), as_of_basis: 'observed' })),
        );
      });
    }),
    { numRuns: cases(40, 8) },
  );
});

it('exports all movements of a bookmaker, of which the operation keeps the newest 200', async () => {
  await withGame(async (server) => {
    const all = Array.from({ length: 301 }, (_, n) => ({
      minute: n,
      book: 'pinnacle',
      key: 'h2h',
      price: 100 + (n % 2),
      point: 0,
    }));
    // The last of them tells of a moment long before.
    const [late] = all.splice(7, 1);
    await server.feed([...all, late!].map(messageOf));
    const exported = await readTable(await server.export('odds-history'));
    const told = await operationRows(server, 'odds-history');
    expect(told.length).toBe(200);
    expect(exported.slice(0, 200)).toEqual(told);
    expect(exported.length).toBe(600);
    expect(exported.at(-1)).toMatchObject({ moved_at: iso(1), price_from: '100', price_to: '101' });
  });
});

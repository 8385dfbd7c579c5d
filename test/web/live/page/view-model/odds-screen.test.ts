import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OddsRow, ScreenBook } from '../../../../../src/web/live/answers/odds-screen-answers.ts';
import { readScreenView } from '../../../../../src/web/live/odds/read-screen-view.ts';
import { ageText } from '../../../../../src/web/live/page/view-model/odds-screen/age-text.ts';
import { bestOffersOf } from '../../../../../src/web/live/page/view-model/odds-screen/best-offers.ts';
import { viewPath } from '../../../../../src/web/live/page/view-model/odds-screen/screen-view.ts';
import { shortPeriod } from '../../../../../src/web/live/page/view-model/period-short.ts';

type Offer = readonly [price: number, point: number | null];
const book = (slug: string, offers: readonly (Offer | null)[], counts = true): ScreenBook => ({
  slug,
  name: slug.toUpperCase(),
  at: '2026-03-01T19:00:00Z',
  counts,
  offers: offers.map((offer) => offer && { price: offer[0], point: offer[1] }),
});
const row = (points: readonly (number | null)[], books: readonly ScreenBook[]): OddsRow => ({
  id: 1,
  name: 'A at B',
  sport: 'nba',
  league: 'nba',
  league_name: 'NBA',
  starts_at: '2026-03-01T23:00:00Z',
  status: 'scheduled',
  period_label: null,
  clock: null,
  sides: [],
  outcomes: ['away', 'home'],
  points,
  books,
  fair: null,
  fair_books: [],
  series: [],
  series_book: null,
  simulated: false,
  until: null,
  position: '1',
});
const shown = (of: OddsRow, chosen: readonly string[] | null = null) => {
  const { best, hold } = bestOffersOf(of, chosen && new Set(chosen));
  return { best: best.map((one) => one && [one.price, ...one.books.map(({ slug }) => slug)]), hold };
};

describe('the best prices of a row', () => {
  it('are the highest of each side at the main line, with all who offer them', () => {
    const both = row(
      [3.5, -3.5],
      [
        book('a', [
          [-110, 3.5],
          [-110, -3.5],
        ]),
        book('b', [
          [-105, 3.5],
          [-115, -3.5],
        ]),
        book('c', [
          [-105, 3.5],
          [-115, -3.5],
        ]),
        // Another line is another bet.
        book('d', [
          [120, 1.5],
          [-140, -1.5],
        ]),
        // Too old.
        book(
          'e',
          [
            [110, 3.5],
            [110, -3.5],
          ],
          false,
        ),
      ],
    );
    const { best, hold } = shown(both);
    expect(best).toEqual([
      [-105, 'b', 'c'],
      [-110, 'a'],
    ]);
    expect(hold).toBeCloseTo(1 - 1 / (105 / 205 + 110 / 210), 9);
  });

  it('are those of the chosen bookmakers, on the line that most of them offer if none has the main line', () => {
    const lines = row(
      [3.5, -3.5],
      [
        book('a', [
          [-110, 3.5],
          [-110, -3.5],
        ]),
        book('b', [
          [-105, 4],
          [-115, -4],
        ]),
        book('c', [
          [-108, 5],
          [-112, -5],
        ]),
        book('d', [
          [-102, 5],
          [-118, -5],
        ]),
      ],
    );
    expect(shown(lines, ['b']).best).toEqual([
      [-105, 'b'],
      [-115, 'b'],
    ]);
    expect(shown(lines, ['b', 'c', 'd']).best).toEqual([
      [-102, 'd'],
      [-112, 'c'],
    ]);
    expect(shown(lines, ['nobody'])).toEqual({ best: [null, null], hold: null });
  });

  it('leave no hold below zero unless they are an arbitrage', () => {
    const price = fc.integer({ min: 100, max: 900 }).map((size) => (size % 2 ? size : -size));
    fc.assert(
      fc.property(fc.array(fc.tuple(price, price), { minLength: 1, maxLength: 8 }), (prices) => {
        const books = prices.map(([first, second], at) =>
          book(`b${at}`, [
            [first, null],
            [second, null],
          ]),
        );
        const { best, hold } = bestOffersOf(row([null, null], books), null);
        const returned = best.map((one) => (one!.price > 0 ? 1 + one!.price / 100 : 1 - 100 / one!.price));
        const isArbitrage = 1 / returned[0]! + 1 / returned[1]! < 1;
        expect(hold! < 0).toBe(isArbitrage);
      }),
    );
  });
});

describe('the words of the odds screen', () => {
  it('tell an age by its largest unit', () => {
    const at = '2026-03-01T12:00:00Z';
    const after = (seconds: number) => ageText(at, Date.parse(at) + seconds * 1000);
    expect([-5, 0, 59, 60, 3599, 3600, 86_399, 86_400].map(after)).toEqual([
      ...['0s', '0s', '59s', '1m', '59m', '1h', '23h', '1d'],
    ]);
  });

  it('are short for a period where there is little room', () => {
    const labels = ['2nd Quarter', '3rd Period', '1st Half', 'Half-time', '2nd Set', 'Bottom 5th', 'Top 9th'];
    expect(labels.map(shortPeriod)).toEqual(['Q2', 'P3', '1H', 'HT', 'S2', 'Bot 5th', 'Top 9th']);
    expect(['Overtime', '2nd Overtime', 'Extra Time 1st Half', 'Something'].map(shortPeriod)).toEqual([
      ...['OT', 'OT2', 'ET1', 'Something'],
    ]);
  });

  it('are an address that leads to the same view', () => {
    fc.assert(
      fc.property(
        fc.record({
          league: fc.constantFrom(null, 'nfl', 'epl'),
          date: fc.constantFrom(null, '2026-03-01'),
          books: fc.uniqueArray(fc.constantFrom('fanduel', 'circa', 'bet365', 'a-b.c'), { maxLength: 4 }),
          isMine: fc.boolean(),
          market: fc.constantFrom('moneyline' as const, 'total' as const, 'first_half_spread' as const),
        }),
        (given) => {
          // The address does not name the books of one's own list.
          const view = given.isMine ? { ...given, books: [] } : given;
          const path = viewPath(view);
          expect(readScreenView(path.slice(path.indexOf('?') + 1))).toEqual(view);
        },
      ),
    );
  });
});

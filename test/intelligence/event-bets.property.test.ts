import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventBets } from '../../src/intelligence/event-bets.ts';
import { computeBetPrices } from '../../src/intelligence/prices/bet-prices.ts';
import type { PriceUpdate } from '../../src/intelligence/prices/quote-board.ts';
import { QUOTED_MARKETS, quoteOf } from '../../src/intelligence/prices/quotes.ts';
import { cases } from '../support/cases.ts';
import { anyStory, BOOKS, CLOSES_AT, MINUTE, betsOptions as options } from './price-stories.ts';

const byTime = (a: PriceUpdate, b: PriceUpdate) => a.at - b.at;
function betsOf(story: readonly PriceUpdate[], now: number) {
  const bets = new EventBets(options);
  for (const told of story) bets.apply(told);
  return bets.bets(now);
}
const runs = { numRuns: cases(200) };
const anyMoment = fc.integer({ min: 0, max: 400 }).map((minute) => minute * MINUTE);

it('updates of several books at one moment give the same result in any order', () => {
  fc.assert(
    fc.property(anyStory, fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), anyMoment, (story, keys, now) => {
      const crowded = story.map((one) => ({ ...one, at: one.at - (one.at % (20 * MINUTE)) }));
      const unique = [...new Map(crowded.map((one) => [`${one.at} ${one.bookmaker}`, one])).values()];
      const shuffled = unique.map((one, index) => ({ one, key: keys[index]! })).sort((a, b) => a.key - b.key);
      const first = betsOf(unique.toSorted(byTime), now);
      expect(betsOf(shuffled.map(({ one }) => one).sort(byTime), now)).toEqual(first);
    }),
    runs,
  );
});

it('the numbers are those of the last quotes before the start, at most as old as they were then', () => {
  fc.assert(
    fc.property(anyStory, anyMoment, (story, now) => {
      const bets = betsOf(story.toSorted(byTime), now);
      const before = story.filter(({ at }) => at < CLOSES_AT).sort(byTime);
      const clock = Math.min(now, CLOSES_AT);
      const expected = QUOTED_MARKETS.flatMap((market) => {
        const quotes = BOOKS.flatMap((book) => {
          const last = before.findLast(
            ({ bookmaker, markets }) => bookmaker === book && markets.some(({ key }) => key === market),
          );
          const named = last?.markets.find(({ key }) => key === market);
          // No two prices of these stories lie far apart.
          const standing = named && { outcomes: named.outcomes, at: last!.at, isRepeated: true };
          return (standing && quoteOf(market, false, book, standing)) || [];
        });
        return computeBetPrices(market, quotes, 2, { clock, weightOf: options.weightOf });
      });
      const numbers = bets.map(({ market, fair, edges_by_book, best, ev }) => ({
        market,
        fair,
        edges_by_book,
        best,
        ev,
      }));
      expect(numbers).toEqual(expected);
    }),
    runs,
  );
});

it('the last change of a bet is by a fact before the start, and never after the requested moment', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      const inOrder = story.toSorted(byTime);
      const bets = betsOf(inOrder, CLOSES_AT);
      for (const { computedAt, token, market } of bets) {
        if (computedAt === null) {
          expect(market.book).toBeNull();
          continue;
        }
        expect(computedAt).toBeLessThan(CLOSES_AT);
        const facts = inOrder.filter(({ at }) => at === computedAt).flatMap(({ markets }) => markets);
        const key = token.bet_type.startsWith('ML') ? 'h2h' : token.index === null ? 'totals' : 'spreads';
        expect(facts.map((fact) => fact.key)).toContain(key);
      }
      // Later updates never change earlier results: the same up to any fact.
      const until = inOrder.slice(0, Math.ceil(inOrder.length / 2));
      const end = until.at(-1)?.at ?? 0;
      const sofar = betsOf(
        inOrder.filter(({ at }) => at <= end),
        end,
      );
      for (const [index, { computedAt }] of sofar.entries()) {
        if (computedAt !== null) expect(bets[index]!.computedAt).toBeGreaterThanOrEqual(computedAt);
      }
    }),
    runs,
  );
});

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findArbitrages } from '../../../src/intelligence/prices/arbitrage.ts';
import { computeBetPrices } from '../../../src/intelligence/prices/bet-prices.ts';
import { evPercent, kellyFraction } from '../../../src/intelligence/prices/odds-arithmetic.ts';
import type { Quote } from '../../../src/intelligence/prices/quotes.ts';
import { anyMarket } from './any-market.ts';
import { CLOCK, weightOf } from './quotes-of.ts';

const SCRIPT = join(import.meta.dirname, '../../system/real-data/counting/fair-prices.py');
const MARKETS = 1000;

interface Judged {
  readonly line: number | null;
  readonly fair: readonly number[] | null;
  readonly books: readonly string[] | null;
  readonly offers: readonly Readonly<Record<string, readonly [gap: number, ev: number, kelly: number]>>[] | null;
  readonly arbitrages: Readonly<Record<string, readonly [profit: number, stakes: readonly number[]]>>;
}

function near(found: number, expected: number): void {
  expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-9);
}

it('an independent script finds the same fair prices, EV, Kelly stakes and arbitrages in generated books', () => {
  const markets = fc.sample(anyMarket, { numRuns: MARKETS, seed: 18 });
  const input = JSON.stringify(markets.map(({ quotes }) => ({ clock: CLOCK, quotes })));
  const output = execFileSync('python3', [SCRIPT], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  const judged: Judged[] = JSON.parse(output);
  const counts = { fair: 0, threeWay: 0, offers: 0, ev: 0, arbitrages: 0 };
  for (const [index, { market, outcomes, quotes }] of markets.entries()) {
    const expected = judged[index]!;
    const bets = computeBetPrices(market, quotes, outcomes, { clock: CLOCK, weightOf });
    for (const [outcome, { fair, market: shown, edges_by_book: gaps, best, ev }] of bets.entries()) {
      if (expected.fair) {
        counts.fair++;
        if (outcomes === 3) counts.threeWay++;
        near(fair!.probability, expected.fair[outcome]!);
        expect(fair!.books).toEqual(expected.books);
        expect(Math.abs(shown.line ?? 0)).toBe(Math.abs(expected.line ?? 0));
      } else expect(fair).toBeNull();
      const offers = Object.entries(expected.offers?.[outcome] ?? {});
      expect(Object.keys(gaps ?? {}).sort()).toEqual(offers.map(([book]) => book).sort());
      for (const [book, [gap, percent, kelly]] of offers) {
        counts.offers++;
        const { prices } = quotes.find((quote: Quote) => quote.book === book)!;
        near(gaps![book]!, gap);
        near(evPercent(fair!.probability, prices[outcome]!), percent);
        near(kellyFraction(fair!.probability, prices[outcome]!), kelly);
      }
      const greatest = (values: number[]) => (values.length > 0 ? Math.max(...values) : undefined);
      expect(best?.edge).toBe(greatest(offers.map(([, [gap]]) => gap)));
      const earning = offers.map(([, [, percent]]) => percent).filter((percent) => percent > 0 && percent <= 25);
      expect(ev?.ev_pct).toBe(greatest(earning));
      if (ev) counts.ev++;
    }
    const crossed = findArbitrages(market, quotes, { clock: CLOCK, maxAge: 900_000 });
    expect(crossed.map(({ legs }) => String(legs[0]!.line)).sort()).toEqual(Object.keys(expected.arbitrages).sort());
    for (const { legs, profit_pct } of crossed) {
      counts.arbitrages++;
      const [profit, stakes] = expected.arbitrages[String(legs[0]!.line)]!;
      near(profit_pct, profit);
      for (const [leg, { stake_pct }] of legs.entries()) near(stake_pct, stakes[leg]!);
    }
  }
  // The generated books contain the compared cases.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(50);
});

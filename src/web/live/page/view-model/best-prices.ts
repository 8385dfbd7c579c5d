import type { EventSnapshot } from '../../answers/live-page-answers.ts';
import { decimalOf } from './odds-format.ts';
import { type BestOffer, bestOffer } from './offered-lines.ts';

type Odds = EventSnapshot['odds'];

export const cellKey = (bookmaker: string, market: string, outcome: string): string =>
  `${bookmaker}/${market}/${outcome}`;

/** An average of many bookmakers, which nobody can bet with. */
const CONSENSUS_SLUG = 'consensus';

/** The best price of an outcome at one point, and who offers it; null if nobody does. */
export function bestPriceAt(odds: Odds, market: string, outcome: string, point: number | null): BestOffer | null {
  const books = odds.flatMap(({ bookmaker: { slug }, markets }) => {
    const own = markets.find((each) => each.market === market)?.outcomes.find((each) => each.outcome === outcome);
    return own && !own.suspect && own.point === point && slug !== CONSENSUS_SLUG
      ? [[slug, { [outcome]: own.price }] as const]
      : [];
  });
  return bestOffer(Object.fromEntries(books), outcome);
}

/**
 * The best prices: for each outcome, the highest price at the point that most bookmakers offer. Different points are
 * different bets and are not compared. An outcome that only one bookmaker offers has no best price.
 */
export function bestPrices(odds: Odds): ReadonlySet<string> {
  const offers = new Map<string, { key: string; price: number; point: number | null }[]>();
  for (const { bookmaker, markets } of odds) {
    if (bookmaker.slug === CONSENSUS_SLUG) continue;
    for (const { market, outcomes } of markets) {
      for (const { outcome, price, point, suspect } of outcomes) {
        if (suspect) continue;
        const key = cellKey(bookmaker.slug, market, outcome);
        const group = `${market}/${outcome}`;
        offers.set(group, [...(offers.get(group) ?? []), { key, price: decimalOf(price), point }]);
      }
    }
  }
  const best = new Set<string>();
  for (const group of offers.values()) {
    const usual = mostCommon(group.map(({ point }) => point));
    const comparable = group.filter(({ point }) => point === usual);
    if (comparable.length < 2) continue;
    const highest = Math.max(...comparable.map(({ price }) => price));
    for (const { key, price } of comparable) if (price === highest) best.add(key);
  }
  return best;
}

/** The first of equally common values. */
function mostCommon<T>(values: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let result: T | undefined;
  for (const [value, count] of counts) if (result === undefined || count > counts.get(result)!) result = value;
  return result;
}

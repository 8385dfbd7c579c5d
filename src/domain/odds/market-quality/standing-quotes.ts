import { ownValue } from '../../primitives/own-properties.ts';
import { impliedByAmerican } from '../american-odds.ts';
import type { MAIN_MARKETS, PricedOutcome } from '../bookmaker-prices.ts';
import { isWitness, liesFarOutside, MAX_PRICE_AGE } from '../far-outside.ts';
import { type LadderTimes, pricedSince } from '../ladder-times.ts';
import { removeVig } from '../remove-vig.ts';

export type MainMarket = (typeof MAIN_MARKETS)[number];

/** What the prices of a market say, whenever they were named. */
interface CompleteMarket {
  /** Of home or over first, a draw last. */
  readonly implied: readonly number[];
  /** The same without the margin; null where the margin is not one of a bookmaker. */
  readonly fair: readonly number[] | null;
  /** Home's point of a spread, or the total; null for the moneyline. */
  readonly line: number | null;
}

/** A bookmaker's main market with a price for each outcome, as it stands. */
export interface StandingQuote extends CompleteMarket {
  readonly book: string;
  /** When it was last named, or when the oldest of its ladders came: milliseconds. */
  readonly at: number;
  readonly isRepeated: boolean;
}

/** The bookmakers of an event, as a projection keeps them. */
type StandingBooks = Readonly<
  Record<
    string,
    {
      readonly markets: Readonly<Record<string, readonly PricedOutcome[]>>;
      readonly namedAt: Readonly<Record<string, number>>;
      readonly repeated?: Readonly<Record<string, true>>;
    }
  >
>;

const PLACES: Readonly<Partial<Record<PricedOutcome['outcome'], number>>> = {
  ...{ home: 0, player_1: 0, over: 0, away: 1, player_2: 1, under: 1, draw: 2 },
};

/**
 * The quotes of one market, those alone that have every outcome.
 * @param outcomes their number
 * @param ladders of exchanges whose ladders come one by one, by book
 */
export function standingQuotes(
  books: StandingBooks,
  market: MainMarket,
  outcomes: number,
  ladders: ReadonlyMap<string, LadderTimes>,
): StandingQuote[] {
  const quotes: StandingQuote[] = [];
  for (const [book, { markets, namedAt, repeated }] of Object.entries(books)) {
    const prices = ownValue(markets, market);
    const complete = prices && completeMarketOf(prices, market, outcomes);
    if (!complete) continue;
    const { implied, fair, line } = complete;
    const isRepeated = repeated !== undefined && Object.hasOwn(repeated, market);
    const named = ownValue(namedAt, market) ?? 0;
    const times = ladders.get(book);
    const at = times ? Math.min(...prices.map((one) => pricedSince(times, market, named, one))) : named;
    quotes.push({ book, implied, fair, line, at, isRepeated });
  }
  return quotes;
}

/** By the prices, which are replaced whole: those of the other books stand through most reports. */
const completeMarkets = new WeakMap<readonly PricedOutcome[], CompleteMarket | null>();

function completeMarketOf(
  prices: readonly PricedOutcome[],
  market: MainMarket,
  outcomes: number,
): CompleteMarket | null {
  let complete = completeMarkets.get(prices);
  if (complete === undefined) {
    complete = readCompleteMarket(prices, market, outcomes);
    completeMarkets.set(prices, complete);
  }
  return complete;
}

function readCompleteMarket(
  prices: readonly PricedOutcome[],
  market: MainMarket,
  outcomes: number,
): CompleteMarket | null {
  const priced = completeOutcomes(prices, outcomes);
  if (!priced) return null;
  const line = market === 'h2h' ? null : (priced[0]!.point ?? null);
  if (market !== 'h2h' && line === null) return null;
  const implied = priced.map(({ price }) => impliedByAmerican(price));
  return { implied, fair: withoutMargin(implied), line };
}

function completeOutcomes(priced: readonly PricedOutcome[], outcomes: number): PricedOutcome[] | null {
  const found: PricedOutcome[] = [];
  for (const one of priced) {
    const place = PLACES[one.outcome];
    if (place === undefined || place >= outcomes) return null;
    found[place] = one;
  }
  for (let place = 0; place < outcomes; place++) if (!found[place]) return null;
  return found;
}

const MAX_SUMS: readonly number[] = [0, 0, 1.15, 1.2];
/** As of a fair price; null where the sum is not one of a bookmaker. */
function withoutMargin(implied: readonly number[]): readonly number[] | null {
  const sum = implied.reduce((total, one) => total + one, 0);
  return sum < 0.98 || sum > MAX_SUMS[implied.length]! ? null : removeVig(implied);
}

export const isFreshQuote = ({ at }: StandingQuote, clock: number): boolean => clock - at <= MAX_PRICE_AGE;

/** Whether another quote may bear this one out, or not. */
export const isWitnessOf = (quote: StandingQuote, other: StandingQuote): boolean =>
  other !== quote && other.line === quote.line && isWitness(other.book);

/** Whether an unrepeated price of the quote lies far outside all others of its line. */
export const isOutlier = (quote: StandingQuote, all: readonly StandingQuote[]): boolean =>
  !quote.isRepeated &&
  quote.implied.some((implied, outcome) =>
    liesFarOutside({ implied, at: quote.at }, all, (other) =>
      isWitnessOf(quote, other) ? { implied: other.implied[outcome]!, at: other.at } : undefined,
    ),
  );

/** The quotes on the line that most of them have; of equal lines the one nearer to 0, then the smaller one. */
export function onMainLine(quotes: readonly StandingQuote[]): readonly StandingQuote[] {
  const counts = new Map<number | null, number>();
  for (const { line } of quotes) counts.set(line, (counts.get(line) ?? 0) + 1);
  if (counts.size <= 1) return quotes;
  const [main] = [...counts].sort(
    ([a, ofA], [b, ofB]) => ofB - ofA || Math.abs(a ?? 0) - Math.abs(b ?? 0) || (a ?? 0) - (b ?? 0),
  );
  return quotes.filter(({ line }) => line === main![0]);
}

/**
 * The median of the others, for each number: what the market says without that one.
 * @param least fewer others have none
 */
export function mediansOfOthers(numbers: readonly number[], least: number): readonly (number | null)[] {
  const others = numbers.length - 1;
  if (others < least || others < 1) return numbers.map(() => null);
  const places = numbers.map((_, place) => place).sort((a, b) => numbers[a]! - numbers[b]!);
  const rankOf = new Map(places.map((place, rank) => [place, rank]));
  return numbers.map((_, place) => {
    const own = rankOf.get(place)!;
    const at = (rank: number): number => numbers[places[rank < own ? rank : rank + 1]!]!;
    return others % 2 === 1 ? at((others - 1) / 2) : (at(others / 2 - 1) + at(others / 2)) / 2;
  });
}

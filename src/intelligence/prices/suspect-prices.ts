import { type MarketDepth, offeredSince } from '../../domain/odds/book-depth.ts';
import type { PricedOutcome, WatchedMarket } from '../../domain/odds/bookmaker-prices.ts';
import { farSideOf, isWitness, liesFarOutside, type StandingPrice } from '../../domain/odds/far-outside.ts';
import { isMoneyline } from '../../domain/odds/three-way.ts';
import { impliedProbability } from './odds-arithmetic.ts';
import type { Quote } from './quotes.ts';

/**
 * A price is suspect while all of this is true: its book has not repeated it at a later time; at least two other books,
 * of which an average is none, price the same outcome at the same line, each named at most `MAX_PRICE_AGE` before it, or
 * after it; and it lies far from every one of them, on the same side of all. It is a mistake of a page or a feed, or news
 * that one book has alone; both are known soon, by the repetition or by the others.
 *
 * The rule asks only what stands: so the answer is the same whatever the order of arrival, and as of any moment.
 */

/** Whether a price may be suspect after it moved so: only a price far from the last one, or at another line, may be. */
export const isSuspiciousMove = (from: number, to: number, isSameLine: boolean): boolean =>
  !isSameLine || farSideOf(impliedProbability(to), impliedProbability(from)) !== 0;

/**
 * The quotes without those that have a suspect price.
 * @param quotes one for each book, of one market
 * @param standing the market of each book as it stands, complete or not; asked for only where it matters
 */
export function withoutSuspects(
  market: WatchedMarket,
  quotes: readonly Quote[],
  standing: () => readonly MarketOfBook[],
): readonly Quote[] {
  if (!quotes.some(({ isUnrepeated }) => isUnrepeated)) return quotes;
  const suspects = findSuspects(market, standing());
  return suspects.size === 0 ? quotes : quotes.filter(({ book }) => !suspects.has(book));
}

/** A bookmaker's watched market as it stands, complete or not. */
export interface MarketOfBook {
  readonly book: string;
  readonly outcomes: readonly PricedOutcome[];
  /** When the market was last named: milliseconds. */
  readonly at: number;
  /** Where ladders of the market come one by one: since when one of its prices is offered. */
  readonly atOf?: ((price: PricedOutcome) => number) | undefined;
  /** The order books of the market, by which the same is known. */
  readonly depth?: MarketDepth | undefined;
  readonly isRepeated: boolean;
}

const offeredAt = ({ at, atOf, depth }: MarketOfBook, price: PricedOutcome): number =>
  atOf?.(price) ?? offeredSince(depth, at, price);

/** The price of one book at one line. */
export interface BookPriceAtLine {
  readonly book: string;
  readonly price: number;
  /** When it was last named: milliseconds. */
  readonly at: number;
  readonly isRepeated: boolean;
}

/** The books whose price of one outcome at one line is suspect. @param prices one for each book */
export const suspectBooksAtLine = (prices: readonly BookPriceAtLine[]): string[] =>
  prices.length < MIN_BOOKS
    ? []
    : prices
        .filter(
          (own) =>
            !own.isRepeated &&
            liesFarOutside({ implied: impliedProbability(own.price), at: own.at }, prices, (other) =>
              other === own || !isWitness(other.book)
                ? undefined
                : { implied: impliedProbability(other.price), at: other.at },
            ),
        )
        .map(({ book }) => book);

/** Itself, and the two others that it lies far from. */
const MIN_BOOKS = 3;

type Outcomes = ReadonlySet<PricedOutcome['outcome']>;

/**
 * The outcomes of a watched market with a suspect price, by book; books without one are left out.
 * @param market its name: prices of spreads and totals at different points are different lines
 * @param standing one for each book
 */
export function findSuspects(market: WatchedMarket, standing: readonly MarketOfBook[]): ReadonlyMap<string, Outcomes> {
  const hasPoints = !isMoneyline(market);
  const found = new Map<string, Outcomes>();
  for (const one of standing) {
    if (one.isRepeated) continue;
    const suspects = one.outcomes.filter((own) =>
      liesFarOutside({ implied: impliedProbability(own.price), at: offeredAt(one, own) }, standing, (other) =>
        other === one || !isWitness(other.book) ? undefined : priceLike(own, other, hasPoints),
      ),
    );
    if (suspects.length > 0) found.set(one.book, new Set(suspects.map(({ outcome }) => outcome)));
  }
  return found;
}

/** The price of the same outcome at the same line. */
function priceLike(
  { outcome, point }: PricedOutcome,
  other: MarketOfBook,
  hasPoints: boolean,
): StandingPrice | undefined {
  const own = other.outcomes.findLast((one) => one.outcome === outcome);
  if (!own || (hasPoints && own.point !== point)) return undefined;
  return { implied: impliedProbability(own.price), at: offeredAt(other, own) };
}

import type { PricedOutcome } from '../../domain/odds/bookmaker-prices.ts';
import { farSideOf, liesFarOutside, type StandingPrice } from '../../domain/odds/far-outside.ts';
import { impliedProbability } from './odds-arithmetic.ts';
import type { Quote } from './quotes.ts';

/**
 * A price is suspect while all of this is true: its book has not repeated it at a later time; at least two
 * other books price the same outcome at the same line, each named at most `MAX_PRICE_AGE` before it, or after it; and
 * it lies far from every one of them, on the same side of all. It is a mistake of a page or a feed, or news that one
 * book has alone; both are known soon, by the repetition or by the others.
 *
 * The rule asks only what stands: so the answer is the same whatever the order of arrival, and as of any moment.
 */

/** Whether a price may be suspect after it moved so: only a price far from the last one, or at another line, may be. */
export const isSuspiciousMove = (from: number, to: number, isSameLine: boolean): boolean =>
  !isSameLine || farSideOf(impliedProbability(to), impliedProbability(from)) !== 0;

/** The quotes without those that have a suspect price. @param quotes one for each book, of one market */
export function withoutSuspects(quotes: readonly Quote[]): readonly Quote[] {
  const suspects = quotes.filter((quote) => quote.isUnrepeated && isSuspectQuote(quote, quotes));
  return suspects.length === 0 ? quotes : quotes.filter((quote) => !suspects.includes(quote));
}

const isSuspectQuote = (quote: Quote, all: readonly Quote[]): boolean =>
  quote.prices.some((price, outcome) =>
    liesFarOutside({ implied: impliedProbability(price), at: quote.at }, all, (other) =>
      other === quote || other.line !== quote.line
        ? undefined
        : { implied: impliedProbability(other.prices[outcome]!), at: other.at },
    ),
  );

/** A bookmaker's main market as it stands, complete or not. */
export interface MarketOfBook {
  readonly book: string;
  readonly outcomes: readonly PricedOutcome[];
  /** When the market was last named: milliseconds. */
  readonly at: number;
  /** Where ladders of the market come one by one: since when one of its prices is offered. */
  readonly atOf?: ((price: PricedOutcome) => number) | undefined;
  readonly isRepeated: boolean;
}

const offeredAt = ({ at, atOf }: MarketOfBook, price: PricedOutcome): number => atOf?.(price) ?? at;

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
              other === own ? undefined : { implied: impliedProbability(other.price), at: other.at },
            ),
        )
        .map(({ book }) => book);

/** Itself, and the two others that it lies far from. */
const MIN_BOOKS = 3;

type Outcomes = ReadonlySet<PricedOutcome['outcome']>;

/**
 * The outcomes of a main market with a suspect price, by book; books without one are left out.
 * @param markets one for each book
 * @param hasPoints whether prices at different points are different lines: of spreads and totals
 */
export function findSuspects(markets: readonly MarketOfBook[], hasPoints: boolean): ReadonlyMap<string, Outcomes> {
  const found = new Map<string, Outcomes>();
  for (const market of markets) {
    if (market.isRepeated) continue;
    const suspects = market.outcomes.filter((own) =>
      liesFarOutside({ implied: impliedProbability(own.price), at: offeredAt(market, own) }, markets, (other) =>
        other === market ? undefined : priceLike(own, other, hasPoints),
      ),
    );
    if (suspects.length > 0) found.set(market.book, new Set(suspects.map(({ outcome }) => outcome)));
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

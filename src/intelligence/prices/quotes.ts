import type { PricedOutcome } from '../../domain/odds/bookmaker-prices.ts';
import { impliedProbability } from './odds-arithmetic.ts';

export const QUOTED_MARKETS = ['h2h', 'spreads', 'totals'] as const;
export type QuotedMarket = (typeof QUOTED_MARKETS)[number];

/** A bookmaker's main market of the whole match, with a price for each outcome. */
export interface Quote {
  readonly book: string;
  /** American, in the order of `outcomesOf`. */
  readonly prices: readonly number[];
  /** Home's point of a spread, the total, null of the moneyline. */
  readonly line: number | null;
  /** When a message named the market last: milliseconds. */
  readonly at: number;
}

/** How an outcome is called, whichever sport it is of. */
export type MarketSide = 'home' | 'away' | 'draw' | 'over' | 'under';

/** The outcomes of a market, in the order of the bets. @param hasDraw whether the sport's moneyline has one */
export function outcomesOf(market: QuotedMarket, hasDraw: boolean): readonly MarketSide[] {
  if (market === 'totals') return OVER_UNDER;
  return market === 'h2h' && hasDraw ? HOME_AWAY_DRAW : HOME_AWAY;
}
const OVER_UNDER: readonly MarketSide[] = ['over', 'under'];
const HOME_AWAY: readonly MarketSide[] = ['home', 'away'];
const HOME_AWAY_DRAW: readonly MarketSide[] = ['home', 'away', 'draw'];

const SIDE_OF: Readonly<Record<PricedOutcome['outcome'], MarketSide>> = {
  ...{ home: 'home', player_1: 'home', away: 'away', player_2: 'away' },
  ...{ draw: 'draw', over: 'over', under: 'under' },
};

/**
 * What a bookmaker has of a market as a quote; null unless it is whole: each outcome and no other has a price, the
 * points of a spread are opposite, those of a total equal. Of an outcome that stands twice the last counts.
 */
export function quoteOf(
  market: QuotedMarket,
  hasDraw: boolean,
  book: string,
  { outcomes, at }: { readonly outcomes: readonly PricedOutcome[]; readonly at: number },
): Quote | null {
  const bySide = new Map(outcomes.map((outcome) => [SIDE_OF[outcome.outcome], outcome]));
  const sides = outcomesOf(market, hasDraw);
  const told = sides.flatMap((side) => bySide.get(side) ?? []);
  if (told.length < sides.length || bySide.size > sides.length) return null;
  const prices = told.map(({ price }) => price);
  if (market === 'h2h') return { book, prices, line: null, at };
  const [first, second] = told.map(({ point }) => point);
  if (first === undefined || second === undefined) return null;
  if (first !== (market === 'spreads' ? -second : second)) return null;
  // A line of -0 is one of 0.
  return { book, prices, line: first + 0, at };
}

/** So long a quote counts: milliseconds. Older ones are as if withdrawn. */
export const MAX_QUOTE_AGE = 4_500_000;

/** The quotes that count at a moment (milliseconds). @param most how old they may be */
export const freshQuotes = (quotes: readonly Quote[], clock: number, most = MAX_QUOTE_AGE): Quote[] =>
  quotes.filter(({ at }) => clock - at <= most);

/** Whether a quote of a bookmaker says at its time what its earlier one still said then. */
export function isSameQuote(earlier: Quote | undefined, quote: Quote | undefined): boolean {
  if (!earlier || !quote) return earlier === quote;
  const isSame = earlier.line === quote.line && earlier.prices.every((price, index) => price === quote.prices[index]);
  return isSame && quote.at - earlier.at <= MAX_QUOTE_AGE;
}

/** Whole seconds from a quote to the moment at which it is looked at, never below 0. */
export const ageInSeconds = ({ at }: Quote, clock: number): number => Math.max(0, Math.floor((clock - at) / 1000));

/** The sum of the implied probabilities: 1 and the margin. */
const bookSum = ({ prices }: Pick<Quote, 'prices'>): number =>
  prices.reduce((sum, price) => sum + impliedProbability(price), 0);

const MOST_OF_TWO = 1.15;
const MOST_OF_THREE = 1.2;
const NEAR = 1e-9;

/** Whether the margin is one that a bookmaker takes: less is a mistake or a stale side, more hides what is thought. */
export function hasPlausibleMargin(quote: Quote): boolean {
  const sum = bookSum(quote);
  return sum >= 1 - NEAR && sum <= (quote.prices.length > 2 ? MOST_OF_THREE : MOST_OF_TWO) + NEAR;
}

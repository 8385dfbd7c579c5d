import { areLaddersOf, datedFeeAt, type MarketDepth, offeredSince } from '../../domain/odds/book-depth.ts';
import type { PricedOutcome, WatchedMarket } from '../../domain/odds/bookmaker-prices.ts';
import { MAX_PRICE_AGE } from '../../domain/odds/far-outside.ts';
import { isMoneyline, THREE_WAY } from '../../domain/odds/three-way.ts';
import type { Level, VenueFee } from '../../domain/odds/venue-fee.ts';
import { impliedProbability } from './odds-arithmetic.ts';

/** The markets that have forecasts; prices are compared on `WATCHED_MARKETS`. */
export const QUOTED_MARKETS = ['h2h', 'spreads', 'totals'] as const;
export type QuotedMarket = (typeof QUOTED_MARKETS)[number];

/** A bookmaker's watched market, with a price for each outcome. */
export interface Quote {
  readonly book: string;
  /** American odds, in the order of `outcomesOf`. */
  readonly prices: readonly number[];
  /** Home's point of a spread, or the total; null for the moneyline. */
  readonly line: number | null;
  /**
   * When an update last held this market, even at an unchanged price: milliseconds. Of an exchange whose ladders come one
   * by one the oldest ladder counts, whatever has named its price since.
   */
  readonly at: number;
  /** Present until the book repeats the prices at a later time: nothing but one message says them. */
  readonly isUnrepeated?: true;
  /** Of an exchange: what can be bought of each outcome, best price first. */
  readonly ladders?: readonly (readonly Level[])[];
  /** Of an exchange, at the time of the quote. */
  readonly fee?: VenueFee | undefined;
  /** Of an exchange: its view of the market, by outcome, summing to 1; null where its books are too thin to have one. */
  readonly mid?: readonly number[] | null;
  /** For one stake, of an exchange: what it comes back as, by outcome; undefined where the ladder ends before it. */
  readonly decimals?: readonly (number | undefined)[];
  /** For one stake: the outcomes whose ladder ends before it. */
  readonly unfilled?: readonly boolean[];
}

/** The name of an outcome, independent of the sport. */
export type MarketSide = 'home' | 'away' | 'draw' | 'over' | 'under';

/** The outcomes of a market, in the order of the bets. @param hasDraw whether the sport's moneyline has a draw */
export function outcomesOf(market: WatchedMarket, hasDraw: boolean): readonly MarketSide[] {
  if (market === 'totals') return OVER_UNDER;
  return market === THREE_WAY || (market === 'h2h' && hasDraw) ? HOME_AWAY_DRAW : HOME_AWAY;
}
const OVER_UNDER: readonly MarketSide[] = ['over', 'under'];
const HOME_AWAY: readonly MarketSide[] = ['home', 'away'];
const HOME_AWAY_DRAW: readonly MarketSide[] = ['home', 'away', 'draw'];

const SIDE_OF: Readonly<Record<PricedOutcome['outcome'], MarketSide>> = {
  home: 'home',
  player_1: 'home',
  away: 'away',
  player_2: 'away',
  draw: 'draw',
  over: 'over',
  under: 'under',
};

/** A bookmaker's watched market as it stands. */
interface StandingMarket {
  readonly outcomes: readonly PricedOutcome[];
  /** When an update last held it: milliseconds. */
  readonly at: number;
  /** Whether the book has repeated the prices at a later time. */
  readonly isRepeated: boolean;
  /** The order books of the market, if it is one of an exchange. */
  readonly depth?: MarketDepth | undefined;
}

const UNREPEATED = { isUnrepeated: true } as const;

/**
 * Turns a bookmaker's outcomes of a market into a quote. Null unless the market is complete: each outcome and no other
 * has a price, the points of a spread are opposite, and those of a total are equal. If an outcome occurs twice, the
 * last one counts.
 */
export function quoteOf(
  market: WatchedMarket,
  hasDraw: boolean,
  book: string,
  { outcomes, at: namedAt, isRepeated, depth: known }: StandingMarket,
): Quote | null {
  const bySide = new Map(outcomes.map((outcome) => [SIDE_OF[outcome.outcome], outcome]));
  const sides = outcomesOf(market, hasDraw);
  const priced = sides.flatMap((side) => bySide.get(side) ?? []);
  if (priced.length < sides.length || bySide.size > sides.length) return null;
  const prices = priced.map(({ price }) => price);
  const depth = known && areLaddersOf(known, priced) ? known : undefined;
  const more = { ...(isRepeated ? undefined : UNREPEATED), ...(depth ? booksOf(depth, priced, namedAt) : undefined) };
  const at = offeredSince(depth, namedAt);
  if (isMoneyline(market)) return { book, prices, line: null, at, ...more };
  const [first, second] = priced.map(({ point }) => point);
  if (first === undefined || second === undefined) return null;
  if (first !== (market === 'spreads' ? -second : second)) return null;
  // Turns -0 into 0.
  return { book, prices, line: first + 0, at, ...more };
}

/** The widest spread, and the least money at each best price, with which the middle is a view of the market. */
const MAX_SPREAD = 0.04;
const MIN_SIZE = 100;

function booksOf(
  { outcomes, fees }: MarketDepth,
  priced: readonly PricedOutcome[],
  at: number,
): Pick<Quote, 'ladders' | 'fee' | 'mid'> {
  const books = priced.map(({ outcome, point }) =>
    outcomes.find((one) => one.outcome === outcome && one.point === point),
  );
  const mids = books.map((one) => {
    const [bid, ask] = [one?.bids[0], one?.asks[0]];
    const isSound = bid && ask && bid[1] >= MIN_SIZE && ask[1] >= MIN_SIZE;
    // A spread of four points is one whatever the last digit of a computer says; a crossed book is none.
    return isSound && ask[0] > bid[0] && ask[0] - bid[0] <= MAX_SPREAD + 1e-9 ? (bid[0] + ask[0]) / 2 : null;
  });
  const sum = mids.reduce<number>((total, mid) => total + (mid ?? 0), 0);
  return {
    ladders: books.map((one) => one?.asks ?? []),
    fee: datedFeeAt(fees, at),
    mid: mids.every((mid) => mid !== null) ? mids.map((mid) => mid / sum) : null,
  };
}

/**
 * The maximum age of a quote: 75 minutes, in milliseconds. An older quote is stale: it counts as withdrawn, so it is
 * never among the best prices, nor counted in a fair price.
 */
export const MAX_QUOTE_AGE = MAX_PRICE_AGE;

/** Whether a price that was last named at `at` is valid at a moment (milliseconds). @param maxAge its maximum age */
export const isFresh = (at: number, clock: number, maxAge = MAX_QUOTE_AGE): boolean => clock - at <= maxAge;

/** The quotes that are valid at a moment (milliseconds). @param maxAge their maximum age */
export const freshQuotes = (quotes: readonly Quote[], clock: number, maxAge = MAX_QUOTE_AGE): Quote[] =>
  quotes.filter(({ at }) => isFresh(at, clock, maxAge));

/** Whether a quote only repeats the bookmaker's earlier quote, which was still valid at that time. */
export function isSameQuote(earlier: Quote | undefined, quote: Quote | undefined): boolean {
  if (!earlier || !quote) return earlier === quote;
  const isSame = earlier.line === quote.line && earlier.prices.every((price, index) => price === quote.prices[index]);
  // Lists of an order book are replaced where they change.
  const isSameBook = earlier.ladders?.every((ladder, outcome) => ladder === quote.ladders?.[outcome]) ?? !quote.ladders;
  return isSame && isSameBook && isFresh(earlier.at, quote.at);
}

/** Whole seconds from a quote to the moment of the evaluation, never below 0. */
export const ageInSeconds = ({ at }: Quote, clock: number): number => Math.max(0, Math.floor((clock - at) / 1000));

/** The sum of the implied probabilities: 1 plus the margin. */
const bookSum = ({ prices }: Pick<Quote, 'prices'>): number =>
  prices.reduce((sum, price) => sum + impliedProbability(price), 0);

const MAX_SUM_OF_TWO = 1.15;
const MAX_SUM_OF_THREE = 1.2;
const TOLERANCE = 1e-9;

/**
 * Whether the margin is plausible for a bookmaker. A smaller one is a mistake or has a stale side; a larger one hides
 * the bookmaker's view.
 */
export function hasPlausibleMargin(quote: Quote): boolean {
  const sum = bookSum(quote);
  return sum >= 1 - TOLERANCE && sum <= (quote.prices.length > 2 ? MAX_SUM_OF_THREE : MAX_SUM_OF_TWO) + TOLERANCE;
}

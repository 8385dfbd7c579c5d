import type { WatchedMarket } from '../../domain/odds/bookmaker-prices.ts';
import { isMoneyline } from '../../domain/odds/three-way.ts';
import { costOfReturn } from '../../domain/odds/venue-fee.ts';
import { lineForOutcome } from './bet-prices.ts';
import { impliedProbability } from './odds-arithmetic.ts';
import { ageInSeconds, freshQuotes, type Quote } from './quotes.ts';
import { roundTo } from './rounding.ts';
import { isBettableBook } from './sharp-books.ts';
import { decimalOf, isOffered, quotesForStake, sizeOf, USUAL_STAKE } from './stake-prices.ts';

/** One of several bets that are made together. */
interface CrossedLeg {
  /** The index of the market's outcome. */
  readonly outcome: number;
  readonly book: string;
  /** Signed for the outcome. */
  readonly line: number | null;
  readonly price: number;
  /** The share of the whole stake, in percent, such that each leg returns the same. */
  readonly stake_pct: number;
  readonly quote_age_seconds: number;
  /** Of an exchange alone: the money that can be staked at its best price. */
  readonly size?: number;
}

/** Bets with several bookmakers on one market that cover all of its outcomes. */
export interface CrossedBets {
  readonly kind: 'arbitrage' | 'middle';
  /** The profit on a stake of 100: of an arbitrage in any case, of a middle if it misses. Two decimals. */
  readonly profit_pct: number;
  /** The open interval of totals, or of home's margin, in which both bets win; null for an arbitrage. */
  readonly middle: readonly [low: number, high: number] | null;
  /** In the order of the outcomes. */
  readonly legs: readonly CrossedLeg[];
}

interface Options {
  /** The moment of the evaluation, in milliseconds. */
  readonly clock: number;
  /** The maximum age of a quote, in milliseconds. */
  readonly maxAge: number;
  /** The money of all legs together; 100 unless told. */
  readonly stake?: number | undefined;
}

/** Percent. A larger profit is somebody's mistake, and is dropped. */
export const MAX_PROFIT = 25;
/** How old a quote may be unless told, in milliseconds. */
export const USUAL_QUOTE_AGE = 900_000;
/** A middle that costs more is dropped. */
const MAX_COST = 10;

/** The quotes at which somebody can bet, by line. */
function quotesByLine(quotes: readonly Quote[], { clock, maxAge }: Options): Map<number | null, Quote[]> {
  const lines = new Map<number | null, Quote[]>();
  for (const quote of freshQuotes(quotes, clock, maxAge).filter(isBettableBook)) {
    const same = lines.get(quote.line);
    if (same) same.push(quote);
    else lines.set(quote.line, [quote]);
  }
  return lines;
}

/** Halvings of the range of returns: they tell apart what differs by far less than a cent. */
const HALVINGS = 50;
/** Of the stake. */
const UNSPENT = 1e-6;

/**
 * The best quote for each outcome of those that are offered, for a stake that is divided over the legs so that each
 * returns the same: the largest such return is searched. Undefined if the ladders of an outcome end before the stake.
 * @param groups the quotes of each leg
 */
function bestForStake(groups: readonly (readonly Quote[])[], stake: number): readonly Quote[] | undefined {
  const legsAt = (returned: number) => groups.map((group, outcome) => cheapest(group, outcome, returned));
  const costAt = (returned: number) => legsAt(returned).reduce((sum, { cost }) => sum + cost, 0);
  const least = stake * UNSPENT;
  if (groups.every((group) => group.every(({ ladders }) => !ladders))) return legsAt(least).map(({ quote }) => quote);
  // More than the best prices give is not returned.
  let [low, high] = [0, (stake * least) / costAt(least)];
  if (costAt(high) <= stake) low = high;
  for (let round = 0; round < HALVINGS && low < high; round++) {
    const middle = (low + high) / 2;
    if (costAt(middle) <= stake) low = middle;
    else high = middle;
  }
  const legs = legsAt(low);
  const spent = legs.reduce((sum, { cost }) => sum + cost, 0);
  if (spent < stake * (1 - UNSPENT)) return undefined;
  const best = legs.map(({ quote, cost }) => quotesForStake([quote], (stake * cost) / spent)[0]!);
  return best.every(isOffered) ? best : undefined;
}

/** The quote at which so much is returned for the least money, then the newer one, then by slug. */
function cheapest(quotes: readonly Quote[], outcome: number, returned: number) {
  let [quote, cost] = [quotes[0]!, costOf(quotes[0]!, outcome, returned)];
  for (const one of quotes.slice(1)) {
    const own = costOf(one, outcome, returned);
    const less = cost - own || one.at - quote.at || (one.book < quote.book ? 1 : -1);
    if (less > 0) [quote, cost] = [one, own];
  }
  return { quote, cost };
}

/** Infinite where the ladder ends before. */
const costOf = (quote: Quote, outcome: number, returned: number): number =>
  quote.ladders
    ? (costOfReturn(quote.ladders[outcome]!, returned, quote.fee) ?? Number.POSITIVE_INFINITY)
    : returned / decimalOf(quote, outcome);

/** Whether the legs return more than the stake, whatever American odds round. */
const earns = (legs: readonly Quote[]): boolean =>
  legs.reduce((sum, quote, outcome) => sum + 1 / decimalOf(quote, outcome), 0) < 1;

/**
 * The lines on which the best prices of all outcomes earn a profit in any case; at most one arbitrage for each line.
 * @param quotes one for each book, in any order
 */
export function findArbitrages(market: WatchedMarket, quotes: readonly Quote[], options: Options): CrossedBets[] {
  const { stake = USUAL_STAKE } = options;
  return [...quotesByLine(quotes, options).values()].flatMap((group) => {
    const best = bestForStake(Array(group[0]!.prices.length).fill(group), stake);
    if (!best || !earns(best)) return [];
    if (new Set(best.map(({ book }) => book)).size < 2) return [];
    const crossed = createCrossedBets('arbitrage', market, best, null, options);
    return crossed.profit_pct > 0 && crossed.profit_pct <= MAX_PROFIT ? [crossed] : [];
  });
}

/**
 * The widest interval between two lines in which both of two bets win; of equal ones the cheaper one. Null if none
 * loses at most 10%, or earns at least `minProfit` if given.
 * @param quotes one for each book, in any order
 */
export function findMiddle(
  market: WatchedMarket,
  quotes: readonly Quote[],
  { minProfit = -MAX_COST, ...options }: Options & { readonly minProfit?: number | undefined },
): CrossedBets | null {
  if (isMoneyline(market)) return null;
  const { stake = USUAL_STAKE } = options;
  const lines = [...quotesByLine(quotes, options)].map(([line, group]) => ({ line: line!, group }));
  let widest: CrossedBets | null = null;
  for (const one of lines) {
    for (const other of lines) {
      // The first leg is over, or home: over a low total, or home with many points.
      const [low, high] = market === 'totals' ? [one.line, other.line] : [0 - one.line, 0 - other.line];
      if (low >= high) continue;
      const best = bestForStake([one.group, other.group], stake);
      const crossed = best && createCrossedBets('middle', market, best, [low, high], options);
      if (crossed && crossed.profit_pct >= minProfit && (!widest || isWider(crossed, widest))) widest = crossed;
    }
  }
  return widest;
}

function isWider(a: CrossedBets, b: CrossedBets): boolean {
  const width = ({ middle }: CrossedBets) => middle![1] - middle![0];
  const more = width(a) - width(b) || a.profit_pct - b.profit_pct;
  // As the last criterion, the smaller line of the first leg.
  return more === 0 ? a.legs[0]!.line! < b.legs[0]!.line! : more > 0;
}

function createCrossedBets(
  kind: CrossedBets['kind'],
  market: WatchedMarket,
  quotes: readonly Quote[],
  middle: CrossedBets['middle'],
  { clock }: Options,
): CrossedBets {
  // They follow from the prices that are shown.
  const implied = quotes.map(({ prices }, outcome) => impliedProbability(prices[outcome]!));
  const sum = implied.reduce((one, other) => one + other, 0);
  return {
    kind,
    profit_pct: roundTo(100 * (1 / sum - 1), 2),
    middle,
    legs: quotes.map((quote, outcome) => {
      const size = sizeOf(quote, outcome);
      return {
        outcome,
        book: quote.book,
        line: lineForOutcome(market, outcome, quote.line),
        price: quote.prices[outcome]!,
        stake_pct: roundTo((100 * implied[outcome]!) / sum, 2),
        quote_age_seconds: ageInSeconds(quote, clock),
        ...(size === null ? {} : { size }),
      };
    }),
  };
}

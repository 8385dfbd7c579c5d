import type { WatchedMarket } from '../../domain/odds/bookmaker-prices.ts';
import { isMoneyline } from '../../domain/odds/three-way.ts';
import { computeFairLine, type FairPrice } from './fair-line.ts';
import { evPercent, kellyFraction, priceGap } from './odds-arithmetic.ts';
import { ageInSeconds, freshQuotes, type Quote } from './quotes.ts';
import { compareByWeight, type SharpWeight, splitSharpAndSoft } from './sharp-books.ts';
import { isOffered, quotesForStake, sizeOf, USUAL_STAKE } from './stake-prices.ts';

/** An offer whose price is compared with the fair one. `edge` is the gap, as a probability. */
interface BestOffer {
  readonly book: string;
  readonly price: number;
  readonly edge: number;
  readonly quote_age_seconds: number;
}

/** An offer with a positive expected value, if the fair price is right. */
export interface EvOffer {
  readonly beta: true;
  readonly book: string;
  readonly price: number;
  readonly ev_pct: number;
  readonly kelly_fraction: number;
  readonly quote_age_seconds: number;
  readonly n_books: number;
  /** Of an exchange alone: the money that can be staked at its best price. */
  readonly size?: number;
}

/** The prices of one bet. */
export interface BetPrices {
  readonly market: { readonly book: string | null; readonly price: number | null; readonly line: number | null };
  readonly fair: {
    readonly probability: number;
    readonly books: readonly string[];
    readonly n_books: number;
    readonly is_consensus: boolean;
  } | null;
  /** Price gaps of soft books, by slug. */
  readonly edges_by_book: Readonly<Record<string, number>> | null;
  readonly best: BestOffer | null;
  readonly ev: EvOffer | null;
}

/**
 * The probabilities by which offers are judged in the place of the fair ones; null: no offer is.
 * @param fair of a market's outcomes
 * @param line as in a quote
 */
export type JudgeFair = (fair: readonly number[], line: number | null) => readonly number[] | null;

/** A larger EV is somebody's mistake, and is dropped. */
export const MAX_EV = 25;

interface BetPriceOptions {
  /** The moment of the evaluation, in milliseconds. */
  readonly clock: number;
  readonly weightOf: SharpWeight;
  /** The book whose EV is searched; absent: the best of all books. */
  readonly only?: string;
  /** The money of each bet; 100 unless told. */
  readonly stake?: number;
  /** What EV and stakes are computed with; absent: the fair probabilities. All other numbers stay. */
  readonly judge?: JudgeFair | undefined;
}

/**
 * The prices of the bets of one market, in the order of its outcomes.
 * @param quotes one for each book, in any order
 * @param outcomes the number of the market's outcomes
 */
export function computeBetPrices(
  market: WatchedMarket,
  quotes: readonly Quote[],
  outcomes: number,
  { clock, weightOf, only, judge, stake = USUAL_STAKE }: BetPriceOptions,
): BetPrices[] {
  // Sort once here, so that later sorts find sorted quotes.
  const fresh = quotesForStake(freshQuotes(quotes, clock), stake).sort(compareByWeight(weightOf));
  const valued = computeFairLine(fresh, weightOf);
  // A moneyline has no line. Show any quote of it, whatever its margin.
  const line = valued || !isMoneyline(market) ? valued?.line : null;
  const onLine = line === undefined ? [] : fresh.filter((quote) => quote.line === line);
  const [first] = onLine;
  const fairPrice = valued?.fair ?? null;
  const judged = fairPrice && judge ? judge(fairPrice.probabilities, valued!.line) : (fairPrice?.probabilities ?? null);
  const offers = valued?.fair?.isFromSharpBooks ? splitSharpAndSoft(onLine, weightOf).soft : [];
  // Members are listed one by one, here and below: this runs for each bet at each price change, and a spread is many
  // times slower.
  return Array.from({ length: outcomes }, (_, outcome) => {
    const { fair, edges_by_book, best, ev } = compareWithFair(fairPrice, judged, offers, outcome, clock, only);
    const marketPrice = {
      book: first?.book ?? null,
      price: first?.prices[outcome] ?? null,
      line: first ? lineForOutcome(market, outcome, first.line) : null,
    };
    return { market: marketPrice, fair, edges_by_book, best, ev };
  });
}

/** The line with its sign for the outcome. */
export function lineForOutcome(market: WatchedMarket, outcome: number, line: number | null): number | null {
  return line !== null && market === 'spreads' && outcome === 1 ? 0 - line : line;
}

function compareWithFair(
  fair: FairPrice | null,
  judged: readonly number[] | null,
  offers: readonly Quote[],
  outcome: number,
  clock: number,
  only: string | undefined,
): Pick<BetPrices, 'fair' | 'edges_by_book' | 'best' | 'ev'> {
  if (!fair) return { fair: null, edges_by_book: null, best: null, ev: null };
  const probability = fair.probabilities[outcome]!;
  const n_books = fair.books.length;
  const shown = { probability, books: fair.books, n_books, is_consensus: n_books >= 2 };
  if (offers.length === 0) return { fair: shown, edges_by_book: null, best: null, ev: null };
  const gaps = offers.map((offer) =>
    isOffered(offer, outcome) ? priceGap(probability, offer.prices[outcome]!) : null,
  );
  const returns = offers.map((offer) => {
    if (judged === null) return null;
    const percent = evPercent(judged[outcome]!, offer.prices[outcome]!);
    const counts = percent > 0 && percent <= MAX_EV && (only === undefined || offer.book === only);
    return counts && isOffered(offer, outcome) ? percent : null;
  });
  const best = greatest(offers, gaps);
  if (!best) return { fair: shown, edges_by_book: null, best: null, ev: null };
  const earning = greatest(offers, returns);
  return {
    fair: shown,
    edges_by_book: Object.fromEntries(
      offers.flatMap(({ book }, index) => (gaps[index] === null ? [] : [[book, gaps[index]!]])),
    ),
    best: {
      book: best.offer.book,
      price: best.offer.prices[outcome]!,
      quote_age_seconds: ageInSeconds(best.offer, clock),
      edge: best.value,
    },
    ev: earning && createEvOffer(earning, outcome, judged![outcome]!, n_books, clock),
  };
}

/** @param n_books how many books made the fair probability */
export const createEvOffer = (
  { offer, value }: Found,
  outcome: number,
  probability: number,
  n_books: number,
  clock: number,
): EvOffer => {
  const size = sizeOf(offer, outcome);
  return {
    beta: true,
    book: offer.book,
    price: offer.prices[outcome]!,
    quote_age_seconds: ageInSeconds(offer, clock),
    ev_pct: value,
    n_books,
    kelly_fraction: kellyFraction(probability, offer.prices[outcome]!),
    ...(size === null ? {} : { size }),
  };
};

/** An offer, and what it is worth. */
interface Found {
  readonly offer: Quote;
  readonly value: number;
}

/**
 * The offer with the greatest value; of equal ones the newer one, and then the first one of the list.
 */
export function greatest(offers: readonly Quote[], values: readonly (number | null)[]): Found | null {
  let found: Found | null = null;
  for (const [index, offer] of offers.entries()) {
    const value = values[index]!;
    if (value === null) continue;
    if (!found || value > found.value || (value === found.value && offer.at > found.offer.at)) found = { offer, value };
  }
  return found;
}

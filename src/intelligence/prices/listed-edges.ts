import type { WatchedMarket } from '../../domain/odds/bookmaker-prices.ts';
import { createEvOffer, type EvOffer, greatest, type JudgeFair, lineForOutcome, MAX_EV } from './bet-prices.ts';
import { type BookList, countBetterElsewhere, quotesInList } from './book-list.ts';
import { computeFairLine, type FairPrice } from './fair-line.ts';
import { evPercent } from './odds-arithmetic.ts';
import { freshQuotes, type Quote } from './quotes.ts';
import { compareByWeight, type SharpWeight } from './sharp-books.ts';
import { isOffered, quotesForStake, USUAL_STAKE } from './stake-prices.ts';

/** The best offer of the listed books for one outcome. */
export interface ListedEdge {
  /** Signed for the outcome. */
  readonly line: number | null;
  readonly fairProbability: number;
  /** The probability that the offer is judged by: the fair one, unless another was asked for. */
  readonly judgedProbability: number;
  readonly ev: EvOffer;
  /** Books outside the list with a better price. */
  readonly betterElsewhere: number;
}

interface Options {
  /** The moment of the evaluation, in milliseconds. */
  readonly clock: number;
  readonly weightOf: SharpWeight;
  /** The money of each bet; 100 unless told. */
  readonly stake?: number | undefined;
  /** Absent: offers are judged by the fair probabilities. */
  readonly judge?: JudgeFair | undefined;
}

/**
 * The edges of a list, in the order of the outcomes; null where there is none.
 * @param only the book whose edges are searched; absent: the best of all listed books
 */
export type EdgesOfList = (list: BookList, only?: string) => readonly (ListedEdge | null)[];

/**
 * The edges of listed books on the main line, for any number of lists: what they share is computed once. A reference
 * book outside the list informs the fair price as ever. One in the list is compared with the fair price of the other
 * reference books on that line, so that no book is compared with itself.
 * @param quotes one for each book, in any order
 * @param outcomes the number of the market's outcomes
 */
export function createEdgesOfList(
  market: WatchedMarket,
  quotes: readonly Quote[],
  outcomes: number,
  { clock, weightOf, judge, stake = USUAL_STAKE }: Options,
): EdgesOfList {
  // In a fixed order, sums are the same whatever the order of arrival.
  const fresh = quotesForStake(freshQuotes(quotes, clock), stake).sort(compareByWeight(weightOf));
  const valued = computeFairLine(fresh, weightOf);
  const none = Array.from({ length: outcomes }, () => null);
  if (!valued?.fair?.isFromSharpBooks) return () => none;
  const { line, fair } = valued;
  const onLine = fresh.filter((quote) => quote.line === line);
  const references = onLine.filter(({ book }) => weightOf(book) > 0);
  const compared: Compared[] = onLine.flatMap((offer) => {
    const others = references.filter(({ book }) => book !== offer.book);
    const own = others.length < references.length ? computeFairLine(others, weightOf)?.fair : fair;
    const judged = own && (judge ? judge(own.probabilities, line) : own.probabilities);
    if (!own || !judged) return [];
    return [{ offer, fair: own, judged, returns: judged.map((p, outcome) => returnOf(offer, p, outcome)) }];
  });

  return (list, only) => {
    const listed = new Set(quotesInList(onLine, list, clock));
    const some = compared.filter(({ offer }) => listed.has(offer) && (only === undefined || offer.book === only));
    const offers = some.map(({ offer }) => offer);
    return none.map((_, outcome) => {
      const best = greatest(
        offers,
        some.map(({ returns }) => returns[outcome]!),
      );
      if (!best) return null;
      const { fair: own, judged } = some.find(({ offer }) => offer === best.offer)!;
      const judgedProbability = judged[outcome]!;
      const fairProbability = own.probabilities[outcome]!;
      const bet = { outcome, line, price: best.offer.prices[outcome]! };
      return {
        line: lineForOutcome(market, outcome, line),
        fairProbability,
        judgedProbability,
        ev: createEvOffer(best, outcome, judgedProbability, own.books.length, clock),
        betterElsewhere: countBetterElsewhere([bet], onLine, list, clock),
      };
    });
  };
}

interface Compared {
  readonly offer: Quote;
  /** Without the offer itself. */
  readonly fair: FairPrice;
  readonly judged: readonly number[];
  /** By outcome, in percent; null: no edge. */
  readonly returns: readonly (number | null)[];
}

function returnOf(offer: Quote, probability: number, outcome: number): number | null {
  const percent = evPercent(probability, offer.prices[outcome]!);
  return isOffered(offer, outcome) && percent > 0 && percent <= MAX_EV ? percent : null;
}

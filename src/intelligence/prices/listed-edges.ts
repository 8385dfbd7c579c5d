import { createEvOffer, type EvOffer, greatest, lineForOutcome, MAX_EV } from './bet-prices.ts';
import { type BookList, countBetterElsewhere, quotesInList } from './book-list.ts';
import { computeFairLine, type FairPrice } from './fair-line.ts';
import { evPercent } from './odds-arithmetic.ts';
import { freshQuotes, type Quote, type QuotedMarket } from './quotes.ts';
import { compareByWeight, type SharpWeight } from './sharp-books.ts';

/** The best offer of the listed books for one outcome. */
export interface ListedEdge {
  /** Signed for the outcome. */
  readonly line: number | null;
  readonly fairProbability: number;
  readonly ev: EvOffer;
  /** Books outside the list with a better price. */
  readonly betterElsewhere: number;
}

interface Options {
  /** The moment of the evaluation, in milliseconds. */
  readonly clock: number;
  readonly weightOf: SharpWeight;
  readonly list: BookList;
  /** The book whose edges are searched; absent: the best of all listed books. */
  readonly only?: string | undefined;
}

/**
 * The edges of listed books on the main line, in the order of the outcomes; null where there is none. A reference book
 * outside the list informs the fair price as ever. One in the list is compared with the fair price of the other
 * reference books on that line, so that no book is compared with itself.
 * @param quotes one for each book, in any order
 * @param outcomes the number of the market's outcomes
 */
export function computeListedEdges(
  market: QuotedMarket,
  quotes: readonly Quote[],
  outcomes: number,
  { clock, weightOf, list, only }: Options,
): (ListedEdge | null)[] {
  // In a fixed order, sums are the same whatever the order of arrival.
  const fresh = freshQuotes(quotes, clock).sort(compareByWeight(weightOf));
  const valued = computeFairLine(fresh, weightOf);
  if (!valued?.fair?.isFromSharpBooks) return Array.from({ length: outcomes }, () => null);
  const { line, fair } = valued;
  const onLine = fresh.filter((quote) => quote.line === line);
  const references = onLine.filter(({ book }) => weightOf(book) > 0);
  const fairFor = ({ book }: Quote): FairPrice | null =>
    weightOf(book) > 0
      ? (computeFairLine(
          references.filter((reference) => reference.book !== book),
          weightOf,
        )?.fair ?? null)
      : fair;
  const compared = quotesInList(onLine, list, clock)
    .filter(({ book }) => only === undefined || book === only)
    .flatMap((offer) => {
      const own = fairFor(offer);
      return own ? [{ offer, fair: own }] : [];
    });
  return Array.from({ length: outcomes }, (_, outcome) => {
    const returns = compared.map(({ offer, fair: { probabilities } }) => {
      const percent = evPercent(probabilities[outcome]!, offer.prices[outcome]!);
      return percent > 0 && percent <= MAX_EV ? percent : null;
    });
    const best = greatest(
      compared.map(({ offer }) => offer),
      returns,
    );
    if (!best) return null;
    const own = compared.find(({ offer }) => offer === best.offer)!.fair;
    const fairProbability = own.probabilities[outcome]!;
    const bet = { outcome, line, price: best.offer.prices[outcome]! };
    return {
      line: lineForOutcome(market, outcome, line),
      fairProbability,
      ev: createEvOffer(best, outcome, fairProbability, own.books.length, clock),
      betterElsewhere: countBetterElsewhere([bet], onLine, list, clock),
    };
  });
}

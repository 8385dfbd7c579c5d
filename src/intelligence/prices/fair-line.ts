import { removeVig } from '../../domain/odds/remove-vig.ts';
import { impliedProbability } from './odds-arithmetic.ts';
import { hasPlausibleMargin, type Quote } from './quotes.ts';
import { roundProbabilities } from './rounding.ts';
import { type SharpWeight, splitSharpAndSoft } from './sharp-books.ts';

/** The fair prices of one line, by outcome. */
export interface FairPrice {
  /** As published: six decimals that sum to 1. */
  readonly probabilities: readonly number[];
  /** The books whose prices were used: by weight, then slug. */
  readonly books: readonly string[];
  /**
   * Whether they are reference books. If not, no price is compared with the fair one, because it would be compared with
   * itself.
   */
  readonly isFromSharpBooks: boolean;
}

/** The main line of a market (null for the moneyline), and the fair price there, if there is one. */
export interface FairLine {
  readonly line: number | null;
  readonly fair: FairPrice | null;
}

const MIN_SOFT_BOOKS = 3;

/**
 * The fair price on the main line: the weighted mean of the reference books' views, or else the plain mean of at least
 * three soft books. A view is a book's prices without its margin. Undefined if no quote is eligible.
 * @param quotes fresh quotes, one for each book, in any order
 */
export function computeFairLine(quotes: readonly Quote[], weightOf: SharpWeight): FairLine | undefined {
  // An exchange stands for the market by its middle alone: what its asks cost after fees is no view of anybody.
  const isEligible = (quote: Quote) =>
    quote.ladders && weightOf(quote.book) > 0 ? quote.mid != null : hasPlausibleMargin(quote);
  const { references, soft } = splitSharpAndSoft(quotes.filter(isEligible), weightOf);
  const isFromSharpBooks = references.length > 0;
  const [counted, weigh] = isFromSharpBooks ? [references, weightOf] : [soft, () => 1];
  const line = mainLine(counted, weigh);
  if (line === undefined) return undefined;
  const onLine = counted.filter((quote) => quote.line === line);
  if (!isFromSharpBooks && onLine.length < MIN_SOFT_BOOKS) return { line, fair: null };
  const probabilities = roundProbabilities(
    weightedMean(
      onLine.map(({ prices, mid }) => mid ?? removeVig(prices.map(impliedProbability))),
      onLine.map(({ book }) => weigh(book)),
    ),
  );
  return { line, fair: { probabilities, books: onLine.map(({ book }) => book), isFromSharpBooks } };
}

/** The line of the greatest weight; of equal ones the smaller one by absolute value, then the smaller one. */
function mainLine(quotes: readonly Quote[], weightOf: SharpWeight): number | null | undefined {
  const weights = new Map<number | null, number>();
  for (const { line, book } of quotes) weights.set(line, (weights.get(line) ?? 0) + weightOf(book));
  const [best] = [...weights].sort(
    ([a, ofA], [b, ofB]) => ofB - ofA || Math.abs(a ?? 0) - Math.abs(b ?? 0) || (a ?? 0) - (b ?? 0),
  );
  return best?.[0];
}

/**
 * The weighted geometric mean of several views, scaled to sum 1. Uses `exp` and `log`, whose last digit may differ
 * between machines; a single view needs neither.
 * @param views each holds the probabilities of all outcomes
 */
function weightedMean(views: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const [only] = views;
  if (views.length === 1) return [...only!];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const means = only!.map((_, outcome) => {
    const logs = views.reduce((sum, view, index) => sum + weights[index]! * Math.log(view[outcome]!), 0);
    return Math.exp(logs / total);
  });
  const sum = means.reduce((one, other) => one + other, 0);
  return means.map((mean) => mean / sum);
}

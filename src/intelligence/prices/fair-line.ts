import { impliedProbability } from './odds-arithmetic.ts';
import { hasPlausibleMargin, type Quote } from './quotes.ts';
import { roundProbabilities } from './rounding.ts';
import { type SharpWeight, splitSharpAndSoft } from './sharp-books.ts';

/** The market's own view of one line, by outcome. */
export interface FairPrice {
  /** Published: six decimals that sum to 1. */
  readonly probabilities: readonly number[];
  /** Whose prices it rests on: by weight, then slug. */
  readonly books: readonly string[];
  /** Whether they are reference books. Where they are not, no price is compared with it: it would be with itself. */
  readonly isFromSharpBooks: boolean;
}

/** What fair prices of a market rest on: its line (null of the moneyline), and what is fair there, if anything is. */
export interface FairLine {
  readonly line: number | null;
  readonly fair: FairPrice | null;
}

const MIN_SOFT_BOOKS = 3;

/**
 * What is fair on the main line: the weighted mean of the reference books' views, else the plain one of three soft books
 * or more. A view is a book's prices without its margin. Undefined where no quote is eligible.
 * @param quotes fresh ones, one a book, in any order
 */
export function computeFairLine(quotes: readonly Quote[], weightOf: SharpWeight): FairLine | undefined {
  const { references, soft } = splitSharpAndSoft(quotes.filter(hasPlausibleMargin), weightOf);
  const isFromSharpBooks = references.length > 0;
  const [counted, weigh] = isFromSharpBooks ? [references, weightOf] : [soft, () => 1];
  const line = mainLine(counted, weigh);
  if (line === undefined) return undefined;
  const there = counted.filter((quote) => quote.line === line);
  if (!isFromSharpBooks && there.length < MIN_SOFT_BOOKS) return { line, fair: null };
  const probabilities = roundProbabilities(
    weightedMean(
      there.map(({ prices }) => removeVig(prices.map(impliedProbability))),
      there.map(({ book }) => weigh(book)),
    ),
  );
  return { line, fair: { probabilities, books: there.map(({ book }) => book), isFromSharpBooks } };
}

/** The line of the greatest weight; of equals the smaller one in size, then the smaller one. */
function mainLine(quotes: readonly Quote[], weightOf: SharpWeight): number | null | undefined {
  const weights = new Map<number | null, number>();
  for (const { line, book } of quotes) weights.set(line, (weights.get(line) ?? 0) + weightOf(book));
  const [best] = [...weights].sort(
    ([a, ofA], [b, ofB]) => ofB - ofA || Math.abs(a ?? 0) - Math.abs(b ?? 0) || (a ?? 0) - (b ?? 0),
  );
  return best?.[0];
}

/**
 * The weighted geometric mean of several views, scaled to sum to 1. With `exp` and `log`, which are not the same to the
 * last digit on every machine; a single view needs neither.
 * @param views each the probabilities of all outcomes
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

/**
 * Removes a bookmaker's margin by odds ratio: the true odds of every outcome are the offered ones times the same factor,
 * `logit p = logit r - c`, with `c` such that the probabilities sum to 1.
 *
 * Of two outcomes `c` is known: `p = 1 / (1 + sqrt(b1 / b2))`, where `b` is what a unit staked wins. Of three it is
 * searched for by halves, with `exp`, which is not the same to the last digit on every machine; what is published of it
 * has six decimals.
 * @param implied the implied probabilities of all outcomes, each between 0 and 1
 */
export function removeVig(implied: readonly number[]): number[] {
  const odds = implied.map((probability) => probability / (1 - probability));
  if (odds.length === 2) {
    const first = 1 / (1 + Math.sqrt(odds[1]! / odds[0]!));
    return [first, 1 - first];
  }
  const at = (shift: number) => odds.map((one) => one / (one + Math.exp(shift)));
  let [low, high] = [-1, 5];
  let found = at(0);
  for (let step = 0; step < MOST_STEPS; step++) {
    const middle = (low + high) / 2;
    found = at(middle);
    const excess = found.reduce((sum, one) => sum + one, 0) - 1;
    if (Math.abs(excess) <= NEAR) break;
    if (excess > 0) low = middle;
    else high = middle;
  }
  return found;
}

const NEAR = 1e-12;
/** More halves than the digits of a number tell apart. */
const MOST_STEPS = 100;

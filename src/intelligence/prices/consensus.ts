import { type ReferenceWeight, splitByKind } from './books.ts';
import { impliedProbability } from './odds-arithmetic.ts';
import { isEligible, type Quote } from './quotes.ts';
import { publishedProbabilities } from './rounding.ts';
import { withoutVig } from './vig.ts';

/** The market's own view of one line, by outcome. */
export interface Fair {
  /** Published: six decimals that sum to 1. */
  readonly probabilities: readonly number[];
  /** Whose prices it rests on: by weight, then slug. */
  readonly books: readonly string[];
  /** Whether they are reference books. Where they are not, no price is compared with it: it would be with itself. */
  readonly isOfReferences: boolean;
}

/** What fair prices of a market rest on: its line (null of the moneyline), and what is fair there, if anything is. */
export interface Valued {
  readonly line: number | null;
  readonly fair: Fair | null;
}

const FEWEST_SOFT = 3;

/**
 * What is fair on the main line: the weighted mean of the reference books' views, else the plain one of three soft books
 * or more. A view is a book's prices without its margin. Undefined where no quote is eligible.
 * @param quotes fresh ones, one a book, in any order
 */
export function valueLine(quotes: readonly Quote[], weightOf: ReferenceWeight): Valued | undefined {
  const { references, soft } = splitByKind(quotes.filter(isEligible), weightOf);
  const isOfReferences = references.length > 0;
  const [counted, weigh] = isOfReferences ? [references, weightOf] : [soft, () => 1];
  const line = mainLine(counted, weigh);
  if (line === undefined) return undefined;
  const there = counted.filter((quote) => quote.line === line);
  if (!isOfReferences && there.length < FEWEST_SOFT) return { line, fair: null };
  const probabilities = publishedProbabilities(
    weightedMean(
      there.map(({ prices }) => withoutVig(prices.map(impliedProbability))),
      there.map(({ book }) => weigh(book)),
    ),
  );
  return { line, fair: { probabilities, books: there.map(({ book }) => book), isOfReferences } };
}

/** The line of the greatest weight; of equals the smaller one in size, then the smaller one. */
function mainLine(quotes: readonly Quote[], weightOf: ReferenceWeight): number | null | undefined {
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
export function weightedMean(views: readonly (readonly number[])[], weights: readonly number[]): number[] {
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

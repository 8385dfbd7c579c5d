import type { Quote } from './quotes.ts';

/** How much a bookmaker's prices count for what is fair; 0 for a soft one, which is only compared. */
export type SharpWeight = (book: string) => number;

/** The slug of an average of many bookmakers: nobody can bet with it. */
const AGGREGATE = 'consensus';
export const isBettableBook = ({ book }: Pick<Quote, 'book'>): boolean => book !== AGGREGATE;

/** By weight, the greatest first, then by slug. A fixed order makes sums of them the same, however they came. */
export function compareByWeight(weightOf: SharpWeight): (a: Quote, b: Quote) => number {
  return (a, b) => weightOf(b.book) - weightOf(a.book) || (a.book < b.book ? -1 : a.book > b.book ? 1 : 0);
}

/** Those that stand for the market, and those that are compared with it. Both in the order of `byWeight`. */
export function splitSharpAndSoft(
  quotes: readonly Quote[],
  weightOf: SharpWeight,
): { readonly references: Quote[]; readonly soft: Quote[] } {
  const sorted = [...quotes].sort(compareByWeight(weightOf));
  const isReference = ({ book }: Quote) => weightOf(book) > 0;
  return {
    references: sorted.filter(isReference),
    soft: sorted.filter((quote) => !isReference(quote) && isBettableBook(quote)),
  };
}

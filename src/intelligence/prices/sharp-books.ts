import { ascending } from 'd3-array';
import { isAverageOfBooks } from '../../domain/catalogue/catalogue.ts';
import type { Quote } from './quotes.ts';

/** The weight of a bookmaker's prices in the fair price; 0 for a soft book, which is only compared with it. */
export interface SharpWeight {
  (book: string): number;
  /** Where weights are learnt: those of a sport at a moment (milliseconds). Absent: they are always these. */
  readonly at?: ((sport: string, moment: number) => SharpWeight) | undefined;
}

/** The weights that are in force for a sport at a moment: milliseconds. */
export const weightsAt = (weightOf: SharpWeight, sport: string, moment: number): SharpWeight =>
  weightOf.at ? weightOf.at(sport, moment) : weightOf;

export const isBettableBook = ({ book }: Pick<Quote, 'book'>): boolean => !isAverageOfBooks(book);

/** By weight, the greatest first, then by slug. In a fixed order, sums are the same whatever the order of arrival. */
export function compareByWeight(weightOf: SharpWeight): (a: Quote, b: Quote) => number {
  return (a, b) => weightOf(b.book) - weightOf(a.book) || ascending(a.book, b.book);
}

/**
 * Splits the quotes into those that stand for the market and those that are compared with it. Both in the order of
 * `compareByWeight`.
 */
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

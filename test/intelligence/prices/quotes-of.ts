import { SHARP_BOOK_WEIGHTS } from '../../../src/domain/catalogue/catalogue.ts';
import type { Quote } from '../../../src/intelligence/prices/quotes.ts';

/** The moment at which tests evaluate quotes. */
export const CLOCK = Date.parse('2026-03-01T12:00:00Z');

/** A quote that is some seconds old. */
export const quote = (book: string, prices: readonly number[], line: number | null = null, age = 0): Quote => ({
  book,
  prices,
  line,
  at: CLOCK - age * 1000,
});

export const weightOf = (book: string): number => SHARP_BOOK_WEIGHTS[book] ?? 0;

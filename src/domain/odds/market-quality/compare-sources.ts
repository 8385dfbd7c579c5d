import { ownValue, setOwn } from '../../primitives/own-properties.ts';
import { MINUTE } from '../../primitives/time.ts';
import type { MarketSums } from './quality-sums.ts';
import type { StandingQuote } from './standing-quotes.ts';

/** The newest report of one source on a market of a book. */
export interface SourceReport {
  /** Milliseconds. */
  readonly at: number;
  readonly line: number | null;
  readonly implied: readonly number[];
  /** The chance of the first outcome; null where the margin is not one of a bookmaker. */
  readonly fair: number | null;
}

/** What two sources report within this time is of the same moment. */
const SAME_MOMENT = MINUTE;
/** Sources of one book that are compared: a bound of memory. */
const MAX_SOURCES = 8;

/**
 * Compares the report of a source on a book with those of its other sources on the same line at the same moment.
 * @param reports by source; changed
 * @returns the report of the source before
 */
export function compareSources(
  { sources }: MarketSums,
  reports: Record<string, SourceReport>,
  { quote, source, at }: { readonly quote: StandingQuote; readonly source: string; readonly at: number },
): SourceReport | undefined {
  const { book, line, implied, fair } = quote;
  const before = ownValue(reports, source);
  if (!before && Object.keys(reports).length >= MAX_SOURCES) return before;
  for (const [other, last] of Object.entries(reports)) {
    if (other === source || last.line !== line || Math.abs(at - last.at) > SAME_MOMENT) continue;
    add(sources, book, { source, implied }, { source: other, implied: last.implied });
  }
  setOwn(reports, source, { at, line, implied, fair: fair && fair[0]! });
  return before;
}

interface ComparedPrices {
  readonly source: string;
  readonly implied: readonly number[];
}

/** One row for each two sources, whichever reports later. */
function add(sums: MarketSums['sources'], book: string, one: ComparedPrices, other: ComparedPrices): void {
  const [own, against] = one.source < other.source ? [one, other] : [other, one];
  let row = sums.find((sum) => sum.book === book && sum.source === own.source && sum.against === against.source);
  if (!row) {
    row = { book, source: own.source, against: against.source, n: 0, difference: 0 };
    sums.push(row);
  }
  row.n++;
  // The decimal price is the inverse of what it implies.
  const all = own.implied.reduce((sum, implied, outcome) => sum + against.implied[outcome]! / implied - 1, 0);
  row.difference += all / own.implied.length;
}

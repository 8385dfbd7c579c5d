import type { BookPrices, PricedOutcome } from '../../domain/odds/bookmaker-prices.ts';
import { ownValue, setOwn } from '../../domain/primitives/own-properties.ts';

/** A bookmaker's prices of the two sides of a line: home and away, or over and under. */
type PricePair = readonly [number | null, number | null];

/** A price on a line: of one of the two sides, of one bookmaker. */
export interface LinePrice {
  /** What has the line: a market, or that of a side or player. */
  readonly of: string;
  readonly line: number;
  readonly bookmaker: string;
  readonly side: 0 | 1;
  readonly price: number;
  readonly isAlternate: boolean;
}

/** A line with all bookmakers that have prices on it. */
export interface PricedLine {
  readonly of: string;
  readonly line: number;
  /** By bookmaker, in the order of the slugs. */
  readonly books: Readonly<Record<string, PricePair>>;
}

/**
 * One for each line of what has lines. Bookmakers that have it as an alternate one stand beside those that have it as
 * the main one, and no alternate price replaces a main one. Of prices of the same kind, line and side the last counts.
 */
export function groupPricesByLine(rungs: readonly LinePrice[]): PricedLine[] {
  const lines = new Map<string, PricedLine & { readonly books: Record<string, [number | null, number | null]> }>();
  const isMain = new Set<string>();
  for (const rung of [...rungs].sort((a, b) => (a.bookmaker < b.bookmaker ? -1 : a.bookmaker > b.bookmaker ? 1 : 0))) {
    const { of, line, bookmaker, side, price, isAlternate } = rung;
    const name = `${line} ${of}`;
    const cell = `${side} ${bookmaker} ${name}`;
    if (isAlternate && isMain.has(cell)) continue;
    if (!isAlternate) isMain.add(cell);
    const known = lines.get(name) ?? { of, line, books: {} };
    lines.set(name, known);
    const pair = ownValue(known.books, bookmaker) ?? [null, null];
    pair[side] = price;
    setOwn(known.books, bookmaker, pair);
  }
  return [...lines.values()];
}

/** 0 for home and over, 1 for away and under; undefined for what is no side of a line. */
function sideOfSpread({ outcome }: PricedOutcome): 0 | 1 | undefined {
  if (outcome === 'home' || outcome === 'player_1') return 0;
  return outcome === 'away' || outcome === 'player_2' ? 1 : undefined;
}
export const sideOfTotal = ({ outcome }: PricedOutcome): 0 | 1 | undefined =>
  outcome === 'over' ? 0 : outcome === 'under' ? 1 : undefined;

/** Never -0. */
const spreadLine = (point: number, side: 0 | 1): number => (side === 0 ? point : -point) + 0;

/** A market's outcomes, and its alternate ones where they are asked for. */
export function marketOutcomes(
  { markets }: BookPrices,
  name: string,
  includeAlts: boolean,
): readonly { readonly outcome: PricedOutcome; readonly isAlternate: boolean }[] {
  const of = (key: string, isAlternate: boolean) =>
    (ownValue(markets, key) ?? []).map((outcome) => ({ outcome, isAlternate }));
  return [...of(name, false), ...(includeAlts ? of(`${name}+`, true) : [])];
}

/** The prices of spreads or totals with their lines; outcomes without a point have none. */
export function linePricesOf(
  of: string,
  bookmaker: string,
  outcomes: ReturnType<typeof marketOutcomes>,
  kind: 'spreads' | 'totals',
): LinePrice[] {
  return outcomes.flatMap(({ outcome, isAlternate }) => {
    const side = kind === 'spreads' ? sideOfSpread(outcome) : sideOfTotal(outcome);
    const { point, price } = outcome;
    if (side === undefined || point === undefined) return [];
    const line = kind === 'spreads' ? spreadLine(point, side) : point + 0;
    return [{ of, line, bookmaker, side, price, isAlternate }];
  });
}

/** The prices with names for their two sides. */
export function nameLineSides<First extends string, Second extends string>(
  books: PricedLine['books'],
  first: First,
  second: Second,
): Record<string, Record<First | Second, number | null>> {
  const named: Record<string, Record<First | Second, number | null>> = {};
  for (const [bookmaker, [one, other]] of Object.entries(books)) {
    setOwn(named, bookmaker, { [first]: one, [second]: other } as Record<First | Second, number | null>);
  }
  return named;
}

import type { BookPrices, PricedOutcome } from '../../domain/odds/bookmaker-prices.ts';
import { ownValue, setOwn } from '../../domain/primitives/own-properties.ts';

/** A bookmaker's prices of the two sides of a line: home and away, or over and under. */
type PricePair = readonly [number | null, number | null];

/** One bookmaker's price of one side of a line. */
export interface LinePrice {
  /** Subject of the line: a market, or a market of one side or player. */
  readonly of: string;
  readonly line: number;
  readonly bookmaker: string;
  readonly side: 0 | 1;
  readonly price: number;
  readonly isAlternate: boolean;
}

/** A line with all bookmakers that have prices of it. */
export interface PricedLine {
  readonly of: string;
  readonly line: number;
  /** By bookmaker, ordered by slug. */
  readonly books: Readonly<Record<string, PricePair>>;
}

/**
 * Groups prices by subject and line. A line may be the main one of some bookmakers and an alternate one of others; an
 * alternate price never replaces a main price. Of several prices of the same kind, line and side, the last one counts.
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

/** 0 for home and over, 1 for away and under; undefined for outcomes that are no side of a line. */
function sideOfSpread({ outcome }: PricedOutcome): 0 | 1 | undefined {
  if (outcome === 'home' || outcome === 'player_1') return 0;
  return outcome === 'away' || outcome === 'player_2' ? 1 : undefined;
}
export const sideOfTotal = ({ outcome }: PricedOutcome): 0 | 1 | undefined =>
  outcome === 'over' ? 0 : outcome === 'under' ? 1 : undefined;

/** Adding 0 turns -0 into 0. */
const spreadLine = (point: number, side: 0 | 1): number => (side === 0 ? point : -point) + 0;

/** The outcomes of a market, with its alternate ones if requested. */
export function marketOutcomes(
  { markets }: BookPrices,
  name: string,
  includeAlts: boolean,
): readonly { readonly outcome: PricedOutcome; readonly isAlternate: boolean }[] {
  const of = (key: string, isAlternate: boolean) =>
    (ownValue(markets, key) ?? []).map((outcome) => ({ outcome, isAlternate }));
  return [...of(name, false), ...(includeAlts ? of(`${name}+`, true) : [])];
}

/** The prices of spreads or totals with their lines. Outcomes without a point are left out. */
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

/** The prices under the names of their two sides. */
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

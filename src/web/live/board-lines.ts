import type { OddsDocument } from '../../../projections/odds.ts';
import type { MovementsDocument } from '../../../projections/odds-movements.ts';
import type { Movement } from '../../domain/movements.ts';
import { movementsOf } from '../../domain/packed-movements.ts';
import type { BookPrices, PricedOutcome } from '../../domain/prices.ts';
import { type EventSides, hasPlaceholder } from '../../domain/side-names.ts';
import type { Bookmakers } from '../../read-models/rendering/bookmakers.ts';
import { MARKETS, mainOutcomes, outcomeName } from '../../read-models/rendering/odds.ts';
import type { BoardLine, LineOutcome, LinePoint } from './live-answers.ts';

/** Points of one chart on the board. */
const MOST_POINTS = 60;

export type MarketKey = BoardLine['market'];

export interface PricedBook {
  readonly bookmaker: { readonly slug: string; readonly name: string };
  readonly prices: BookPrices;
}

/** Who has prices of main lines, in the order of bookmakers; nobody while it is not known who plays. */
export function pricedBooks(
  document: OddsDocument | undefined,
  { nameOf, compare }: Bookmakers,
): readonly PricedBook[] {
  if (!document || hasPlaceholder(document)) return [];
  return Object.entries(document.books)
    .filter(([, prices]) => MARKETS.some(({ key }) => mainOutcomes(prices, key).length > 0))
    .map(([slug, prices]) => ({ bookmaker: { slug, name: nameOf(slug) }, prices }))
    .sort((a, b) => compare(a.bookmaker.slug, b.bookmaker.slug));
}

export const pointOf = (market: MarketKey, point: number | null | undefined): number | null =>
  market === 'h2h' ? null : (point ?? null);

/** One bookmaker's main line of a market. */
export interface MainLine {
  readonly market: MarketKey;
  readonly label: string;
  readonly outcomes: readonly (Omit<LineOutcome, 'moved'> & Pick<PricedOutcome, 'outcome'>)[];
}

/** A bookmaker's main lines, of markets with prices. @param sides whose names the outcomes bear */
export function mainLines(sides: EventSides, prices: BookPrices): readonly MainLine[] {
  return MARKETS.flatMap(({ key, label }) => {
    const outcomes = mainOutcomes(prices, key).map(({ outcome, price, point }) => ({
      outcome,
      name: outcomeName(sides, outcome),
      price,
      point: pointOf(key, point),
    }));
    return outcomes.length > 0 ? [{ market: key, label, outcomes }] : [];
  });
}

/** The lines of one bookmaker with their movements, as the board shows them. */
export function boardLines(sides: EventSides, book: PricedBook, document: MovementsDocument | undefined): BoardLine[] {
  const movements = document ? movementsOf(document) : [];
  return mainLines(sides, book.prices).map(({ market, label, outcomes }) => ({
    bookmaker: book.bookmaker,
    market,
    label,
    outcomes: outcomes.map((line) => ({ ...line, moved: lastMove(movements, market, line.outcome) })),
    series: seriesOf(movements, market, outcomes[0]!.outcome),
  }));
}

function lastMove(movements: readonly Movement[], market: MarketKey, outcome: string): LineOutcome['moved'] {
  const last = movements.findLast((movement) => movement.market === market && movement.outcome === outcome);
  return last ? { at: last.at, price_from: last.from, point_from: pointOf(market, last.pointFrom) } : null;
}

/** What an outcome stood at, from before the first movement that is kept; empty where it never moved. */
function seriesOf(movements: readonly Movement[], market: MarketKey, outcome: PricedOutcome['outcome']): LinePoint[] {
  const own = movements.filter((movement) => movement.market === market && movement.outcome === outcome);
  const kept = own.slice(-(MOST_POINTS - 1));
  const [first] = kept;
  if (!first) return [];
  return [
    { at: first.at, price: first.from, point: pointOf(market, first.pointFrom) },
    ...kept.map(({ at, to, pointTo }) => ({ at, price: to, point: pointOf(market, pointTo) })),
  ];
}

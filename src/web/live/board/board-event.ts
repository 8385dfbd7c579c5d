import type { OddsDocument } from '../../../../projections/odds/odds.ts';
import type { MovementsDocument } from '../../../../projections/odds/odds-movements.ts';
import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { rulesOf } from '../../../domain/catalogue/sport-rules.ts';
import type { BookPrices, PricedOutcome, WatchedMarket } from '../../../domain/odds/bookmaker-prices.ts';
import type { Movement } from '../../../domain/odds/line-movements.ts';
import { unpackMovements } from '../../../domain/odds/packed-movements.ts';
import { isMoneyline } from '../../../domain/odds/three-way.ts';
import { type EventSides, hasPlaceholder } from '../../../domain/side-profiles.ts';
import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { renderEventSummary, renderScoreSnapshot } from '../../../read-models/rendering/render-event.ts';
import { MARKETS, mainOutcomes, outcomeName } from '../../../read-models/rendering/render-odds.ts';
import type { BoardEvent, BoardLine, LineOutcome, LinePoint, Market } from '../answers/live-page-answers.ts';

/** The documents of a board event, all of one moment. */
interface BoardEventDocuments {
  readonly event: EventDocument;
  readonly odds: OddsDocument | undefined;
  /** The movements of the bookmaker that `bestKnownBook` names. */
  readonly movements: MovementsDocument | undefined;
}

/** The bookmaker whose lines the board shows; undefined if nobody has prices. */
export const bestKnownBook = (odds: OddsDocument | undefined, bookmakers: Bookmakers): string | undefined =>
  booksWithPrices(odds, bookmakers)[0]?.bookmaker.slug;

/** The source name of demo messages. */
export const DEMO_SOURCE = 'demo';

/** Whether the demo set its status: every message about an event's state leaves its source there. */
export const isSimulated = ({ event }: EventDocument): boolean => event.statusSources.includes(DEMO_SOURCE);

/** Orders the sides as in the event's name. */
export function inDisplayOrder<T>(sport: string, [first, second]: readonly [T, T]): readonly [T, T] {
  return rulesOf(sport).homeFirst ? [first, second] : [second, first];
}

type ScoreSnapshot = ReturnType<typeof renderScoreSnapshot>;

/** What every page shows of a scheduled event. */
export function renderEventHead(event: EventDocument, snapshot: ScoreSnapshot = renderScoreSnapshot(event)) {
  const { id, name, sport, league, starts_at } = renderEventSummary(event);
  const { status, period_label, clock, scores } = snapshot;
  return {
    id,
    name,
    sport,
    league,
    starts_at,
    status,
    period_label,
    clock,
    sides: inDisplayOrder(sport, [scores[0]!, scores[1]!]).map((side) => ({
      role: side.role,
      name: side.name,
      abbreviation: side.abbreviation,
      score: side.score,
      game_score: side.game_score,
      is_winner: side.is_winner,
    })),
  };
}

/** Each side's scores by period: of the same moment as the scores that stand beside them. */
function periodsOf(sport: string, { scores }: ScoreSnapshot): BoardEvent['periods'] {
  const byPeriod = new Map<string, [number | null, number | null]>();
  for (const index of [0, 1] as const) {
    for (const { period, score } of scores[index]?.period_scores ?? []) {
      const both = byPeriod.get(period) ?? [null, null];
      both[index] = score;
      byPeriod.set(period, both);
    }
  }
  return [...byPeriod].map(([period, both]) => ({ period, scores: inDisplayOrder(sport, both) }));
}

/** @param documents of a scheduled event */
export function renderBoardEvent(
  { event, odds, movements }: BoardEventDocuments,
  bookmakers: Bookmakers,
): Omit<BoardEvent, 'position'> {
  const books = booksWithPrices(odds, bookmakers);
  const snapshot = renderScoreSnapshot(event);
  return {
    ...renderEventHead(event, snapshot),
    periods: periodsOf(event.sport, snapshot),
    lines: books.length > 0 ? boardLines(odds!, books[0]!, movements) : [],
    bookmakers: books.length,
    simulated: isSimulated(event),
  };
}

/** Points of one chart on the board. */
const MAX_SPARKLINE_POINTS = 60;

interface PricedBook {
  readonly bookmaker: { readonly slug: string; readonly name: string };
  readonly prices: BookPrices;
}

/** The bookmakers with prices of main lines, in the order of bookmakers. None until both sides are known. */
export function booksWithPrices(
  document: OddsDocument | undefined,
  { nameOf, compare }: Bookmakers,
): readonly PricedBook[] {
  if (!document || hasPlaceholder(document)) return [];
  return Object.entries(document.books)
    .filter(([, prices]) => MARKETS.some(({ key }) => mainOutcomes(prices, key).length > 0))
    .map(([slug, prices]) => ({ bookmaker: { slug, name: nameOf(slug) }, prices }))
    .sort((a, b) => compare(a.bookmaker.slug, b.bookmaker.slug));
}

export const pointOrNull = (market: WatchedMarket, point: number | null | undefined): number | null =>
  isMoneyline(market) ? null : (point ?? null);

/** One bookmaker's main line of a market. */
interface MainLine {
  readonly market: Market;
  readonly label: string;
  readonly outcomes: readonly (Omit<LineOutcome, 'moved'> & Pick<PricedOutcome, 'outcome'>)[];
}

/**
 * A bookmaker's main lines, for markets with prices.
 * @param sides give the outcomes their names
 */
export function mainLines(sides: EventSides, prices: BookPrices): readonly MainLine[] {
  return MARKETS.flatMap(({ key, label }) => {
    const outcomes = mainOutcomes(prices, key).map(({ outcome, price, point }) => ({
      outcome,
      name: outcomeName(sides, outcome),
      price,
      point: pointOrNull(key, point),
    }));
    return outcomes.length > 0 ? [{ market: key, label, outcomes }] : [];
  });
}

/** The lines of one bookmaker with their movements, as the board shows them. */
function boardLines(sides: EventSides, book: PricedBook, document: MovementsDocument | undefined): BoardLine[] {
  const movements = document ? unpackMovements(document) : [];
  return mainLines(sides, book.prices).map(({ market, label, outcomes }) => ({
    bookmaker: book.bookmaker,
    market,
    label,
    outcomes: outcomes.map((line) => ({ ...line, moved: lastMove(movements, market, line.outcome) })),
    series: seriesOf(movements, market, outcomes[0]!.outcome),
  }));
}

function lastMove(movements: readonly Movement[], market: Market, outcome: string): LineOutcome['moved'] {
  const last = movements.findLast((movement) => movement.market === market && movement.outcome === outcome);
  return last ? { at: last.at, price_from: last.from, point_from: pointOrNull(market, last.pointFrom) } : null;
}

/** The values of an outcome, starting with the one before the first stored movement. Empty if it never moved. */
export function seriesOf(
  movements: readonly Movement[],
  market: WatchedMarket,
  outcome: PricedOutcome['outcome'],
  maxPoints = MAX_SPARKLINE_POINTS,
): LinePoint[] {
  const own = movements.filter((movement) => movement.market === market && movement.outcome === outcome);
  const recent = own.slice(-(maxPoints - 1));
  const [first] = recent;
  if (!first) return [];
  return [
    { at: first.at, price: first.from, point: pointOrNull(market, first.pointFrom) },
    ...recent.map(({ at, to, pointTo }) => ({ at, price: to, point: pointOrNull(market, pointTo) })),
  ];
}

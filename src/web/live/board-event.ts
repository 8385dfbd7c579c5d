import type { EventDocument } from '../../../projections/events.ts';
import type { OddsDocument } from '../../../projections/odds.ts';
import type { MovementsDocument } from '../../../projections/odds-movements.ts';
import { rulesOf } from '../../domain/sides.ts';
import type { Bookmakers } from '../../read-models/rendering/bookmakers.ts';
import { eventSummary, scoreSnapshot } from '../../read-models/rendering/event.ts';
import { boardLines, pricedBooks } from './board-lines.ts';
import type { BoardEvent } from './live-answers.ts';

/** What the board draws of an event, all of one moment. */
export interface BoardDocuments {
  readonly event: EventDocument;
  readonly odds: OddsDocument | undefined;
  /** The movements of the bookmaker that `boardBook` names. */
  readonly movements: MovementsDocument | undefined;
}

/** The bookmaker whose lines the board shows; undefined where nobody has prices. */
export const boardBook = (odds: OddsDocument | undefined, bookmakers: Bookmakers): string | undefined =>
  pricedBooks(odds, bookmakers)[0]?.bookmaker.slug;

/** The source of the messages of the demo. */
export const DEMO = 'demo';

/** Whether its status was told by the demo: every message on an event's state leaves its source there. */
export const isSimulated = ({ event }: EventDocument): boolean => event.statusSources.includes(DEMO);

/** The sides in the order in which they show: as in the event's name. */
export function inShownOrder<T>(sport: string, [first, second]: readonly [T, T]): readonly [T, T] {
  return rulesOf(sport).homeFirst ? [first, second] : [second, first];
}

/** @param documents of an event that was scheduled */
export function renderBoardEvent(
  { event, odds, movements }: BoardDocuments,
  bookmakers: Bookmakers,
): Omit<BoardEvent, 'position'> {
  const { id, name, sport, league, starts_at } = eventSummary(event);
  const { status, period_label, clock, scores } = scoreSnapshot(event);
  const books = pricedBooks(odds, bookmakers);
  return {
    id,
    name,
    sport,
    league,
    starts_at,
    status,
    period_label,
    clock,
    sides: inShownOrder(sport, [scores[0]!, scores[1]!]).map((side) => ({
      role: side.role,
      name: side.name,
      abbreviation: side.abbreviation,
      score: side.score,
      game_score: side.game_score,
      is_winner: side.is_winner,
    })),
    lines: books.length > 0 ? boardLines(odds!, books[0]!, movements) : [],
    bookmakers: books.length,
    simulated: isSimulated(event),
  };
}

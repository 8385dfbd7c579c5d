import type { Board, BoardEvent, BoardSport } from '../../answers/live-page-answers.ts';
import { expireHighlights, type Highlights, NO_HIGHLIGHTS, updateHighlights } from './highlights.ts';

export interface ShownEvent {
  readonly event: BoardEvent;
  readonly highlights: Highlights;
}

/** The page's data of one day. */
export interface BoardState {
  readonly board: Omit<Board, 'events'> | null;
  readonly events: ReadonlyMap<number, ShownEvent>;
  /** Events that the stream sent since the board was last requested: the answer may be older. */
  readonly receivedSinceRequest: ReadonlyMap<number, BoardEvent>;
}

export const EMPTY_BOARD: BoardState = { board: null, events: new Map(), receivedSinceRequest: new Map() };

/** Marks that the board is requested. */
export const withRequestStarted = (state: BoardState): BoardState => ({ ...state, receivedSinceRequest: new Map() });

/** Days are UTC days, as on the server. */
export const dayOf = ({ starts_at }: Pick<BoardEvent, 'starts_at'>): string => starts_at.slice(0, 10);

/** Takes the answer to a board request. An event that it lacks disappears, unless the stream sent it meanwhile. */
export function withBoard(state: BoardState, answer: Board, now: number): BoardState {
  const { events: answered, ...board } = answer;
  const before = state.board?.date === board.date ? state.events : new Map<number, ShownEvent>();
  const events = new Map(answered.map((event) => [event.id, newer(before.get(event.id), event, now)]));
  let next: BoardState = { board, events, receivedSinceRequest: state.receivedSinceRequest };
  for (const event of state.receivedSinceRequest.values()) next = withEvent(next, event, now, before.get(event.id));
  return next;
}

/** Takes an event from the stream. It is shown on the board of its day, and removed from the board of another day. */
export function withEvent(state: BoardState, event: BoardEvent, now: number, shown?: ShownEvent): BoardState {
  const receivedSinceRequest = new Map(state.receivedSinceRequest).set(
    event.id,
    newest(state.receivedSinceRequest.get(event.id), event),
  );
  const before = state.events.get(event.id) ?? shown;
  const after = newer(before, event, now);
  if (state.board?.date === dayOf(after.event)) {
    return { ...state, events: new Map(state.events).set(event.id, after), receivedSinceRequest };
  }
  if (!state.events.has(event.id)) return { ...state, receivedSinceRequest };
  const events = new Map(state.events);
  events.delete(event.id);
  return { ...state, events, receivedSinceRequest };
}

const newest = (known: BoardEvent | undefined, event: BoardEvent): BoardEvent =>
  known && BigInt(known.position) > BigInt(event.position) ? known : event;

/** Of two versions of one event the greater position wins, in whatever order they arrive. */
function newer(shown: ShownEvent | undefined, event: BoardEvent, now: number): ShownEvent {
  if (!shown) return { event, highlights: NO_HIGHLIGHTS };
  if (newest(shown.event, event) === shown.event || event.position === shown.event.position) return shown;
  return { event, highlights: updateHighlights(shown.event, shown.highlights, event, now) };
}

/** Removes expired highlights. Returns the same object if there are none. */
export function withoutExpiredHighlights(state: BoardState, now: number): BoardState {
  const changed: [number, ShownEvent][] = [];
  for (const [id, { event, highlights }] of state.events) {
    const left = expireHighlights(highlights, now);
    if (left !== highlights) changed.push([id, { event, highlights: left }]);
  }
  return changed.length === 0 ? state : { ...state, events: new Map([...state.events, ...changed]) };
}

/** Whether the board lacks this event's sport or league, and must be loaded again. */
export function lacksLeagueOf(board: { readonly sports: readonly BoardSport[] } | null, event: BoardEvent): boolean {
  const sport = board?.sports.find(({ slug }) => slug === event.sport);
  return board !== null && !sport?.leagues.some(({ slug }) => slug === event.league);
}

import type { Board, BoardEvent, BoardSport } from '../../live-answers.ts';
import { type Marks, marksAfter, NO_MARKS, withoutOld } from './moves.ts';

export interface ShownEvent {
  readonly event: BoardEvent;
  readonly marks: Marks;
}

/** What the page knows of one day. */
export interface BoardState {
  readonly board: Omit<Board, 'events'> | null;
  readonly events: ReadonlyMap<number, ShownEvent>;
  /** Events that the stream has told of since the board was last asked for: the answer may be older than they are. */
  readonly heard: ReadonlySet<number>;
}

export const EMPTY_BOARD: BoardState = { board: null, events: new Map(), heard: new Set() };

/** The board is being asked for, again or for the first time. */
export const whileAsking = (state: BoardState): BoardState => ({ ...state, heard: new Set() });

/** An answer to the request for the board. What it no longer has is gone, unless the stream told of it meanwhile. */
export function withBoard(state: BoardState, answer: Board, now: number): BoardState {
  const { events: told, ...board } = answer;
  const sameDay = state.board?.date === board.date;
  const events = new Map<number, ShownEvent>();
  for (const event of told) events.set(event.id, newer(sameDay ? state.events.get(event.id) : undefined, event, now));
  if (sameDay || state.board === null) {
    for (const id of state.heard) {
      const shown = state.events.get(id);
      if (shown && !events.has(id)) events.set(id, shown);
    }
  }
  return { board, events, heard: state.heard };
}

/** An event that the stream told of. */
export function withEvent(state: BoardState, event: BoardEvent, now: number): BoardState {
  const before = state.events.get(event.id);
  const after = newer(before, event, now);
  const heard = state.heard.has(event.id) ? state.heard : new Set(state.heard).add(event.id);
  if (after === before && heard === state.heard) return state;
  return { ...state, events: new Map(state.events).set(event.id, after), heard };
}

/** Of two versions of one event the greater position wins, whatever way they came. */
function newer(shown: ShownEvent | undefined, event: BoardEvent, now: number): ShownEvent {
  if (!shown) return { event, marks: NO_MARKS };
  if (BigInt(event.position) <= BigInt(shown.event.position)) return shown;
  return { event, marks: marksAfter(shown.event, shown.marks, event, now) };
}

/** Without the marks that have been shown long enough; the same object where there are none. */
export function withoutOldMarks(state: BoardState, now: number): BoardState {
  const changed: [number, ShownEvent][] = [];
  for (const [id, { event, marks }] of state.events) {
    const left = withoutOld(marks, now);
    if (left !== marks) changed.push([id, { event, marks: left }]);
  }
  return changed.length === 0 ? state : { ...state, events: new Map([...state.events, ...changed]) };
}

/** Whether the board must be asked for again, since it does not tell of this event's sport or league. */
export function isUnknownTo(board: { readonly sports: readonly BoardSport[] } | null, event: BoardEvent): boolean {
  const sport = board?.sports.find(({ slug }) => slug === event.sport);
  return board !== null && !sport?.leagues.some(({ slug }) => slug === event.league);
}

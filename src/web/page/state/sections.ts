import type { BoardEvent, BoardSport } from '../../live-answers.ts';
import type { BoardState, ShownEvent } from './board-state.ts';
import { byPhaseAndStart, phaseOf } from './order.ts';

/** `all`, `live`, or the slug of a sport. */
export type Filter = string;

export interface Tab {
  readonly filter: Filter;
  readonly name: string;
  readonly count: number;
  readonly live: number;
}

export interface Section {
  readonly sport: BoardSport;
  readonly events: readonly ShownEvent[];
}

const isLive = ({ status }: BoardEvent): boolean => phaseOf(status) === 'live';

/** What can be chosen: everything, what is live, and each sport of the day. */
export function tabsOf({ board, events }: BoardState): Tab[] {
  const all = [...events.values()].map(({ event }) => event);
  const live = all.filter(isLive).length;
  const sports = (board?.sports ?? []).map(({ slug, name }) => {
    const own = all.filter(({ sport }) => sport === slug);
    return { filter: slug, name, count: own.length, live: own.filter(isLive).length };
  });
  return [
    { filter: 'all', name: 'All', count: all.length, live },
    { filter: 'live', name: 'Live', count: live, live },
    ...sports.filter(({ count }) => count > 0),
  ];
}

/** The events to show, by sport in the order of the catalogue; sports without one are left out. */
export function sectionsOf({ board, events }: BoardState, filter: Filter): Section[] {
  const shown = [...events.values()].filter(({ event }) => {
    return filter === 'all' || (filter === 'live' ? isLive(event) : event.sport === filter);
  });
  shown.sort((a, b) => byPhaseAndStart(a.event, b.event));
  return (board?.sports ?? [])
    .map((sport) => ({ sport, events: shown.filter(({ event }) => event.sport === sport.slug) }))
    .filter(({ events: own }) => own.length > 0);
}

/** The filter that holds on this day: one for a sport that has no events here gives way to all. */
export const filterFor = (state: BoardState, wanted: Filter): Filter =>
  wanted === 'all' || tabsOf(state).some(({ filter }) => filter === wanted) ? wanted : 'all';

/** Ids in the order in which the board shows them. */
export const idsInOrder = (state: BoardState, filter: Filter): number[] =>
  sectionsOf(state, filter).flatMap(({ events }) => events.map(({ event }) => event.id));

import type { BoardEvent, BoardSport } from '../../answers/live-page-answers.ts';
import type { BoardState, ShownEvent } from './board-state.ts';
import { byPhaseAndStart, phaseOf } from './event-phase.ts';

/** `all`, `live`, or the slug of a sport. */
export type Filter = string;

export interface Tab {
  readonly filter: Filter;
  readonly name: string;
  readonly count: number;
  readonly live: number;
}

export interface Section {
  /** Slug of the sport; `live` for the live events of all sports. */
  readonly key: Filter;
  readonly name: string;
  /** The league, if the sport has only one on this day; null if each event shows its own. */
  readonly league: string | null;
  readonly events: readonly ShownEvent[];
  /** Hidden events of the sport on this day; they appear if the sport is chosen. */
  readonly more: number;
}

/** While all sports are shown, each shows only its next events and the last ones that ended. */
const MAX_COMING = 3;
const MAX_SHORTENED = 5;

const isLive = ({ status }: BoardEvent): boolean => phaseOf(status) === 'live';

/** The filters: everything, live events, and each sport of the day. */
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

/** The events to show, by sport in the order of the catalogue. If all sports are shown, live events come first. */
export function sectionsOf({ board, events }: BoardState, filter: Filter): Section[] {
  const shown = [...events.values()].sort((a, b) => byPhaseAndStart(a.event, b.event));
  const sports = board?.sports ?? [];
  const wanted = filter === 'all' || filter === 'live' ? sports : sports.filter(({ slug }) => slug === filter);
  const live = filter === 'all' || filter === 'live' ? liveSection(shown, sports) : [];
  const bySport = filter === 'live' ? [] : wanted.map((sport) => sportSection(shown, sport, live.length > 0));
  const sections = bySport.filter(({ events: own }) => own.length > 0);
  return [...live, ...(sections.length > 1 ? sections.map(shortenSection) : sections)];
}

function liveSection(shown: readonly ShownEvent[], sports: readonly BoardSport[]): Section[] {
  const sportIndex = ({ event }: ShownEvent) => sports.findIndex(({ slug }) => slug === event.sport);
  const live = shown.filter(({ event }) => isLive(event)).sort((a, b) => sportIndex(a) - sportIndex(b));
  return live.length === 0 ? [] : [{ key: 'live', name: 'Live now', league: null, events: live, more: 0 }];
}

function sportSection(shown: readonly ShownEvent[], sport: BoardSport, withoutLive: boolean): Section {
  const { slug, name, leagues } = sport;
  const own = shown.filter(({ event }) => event.sport === slug && !(withoutLive && isLive(event)));
  return { key: slug, name, league: leagues.length === 1 ? leagues[0]!.name : null, events: own, more: 0 };
}

function shortenSection(section: Section): Section {
  const { events } = section;
  if (events.length <= MAX_SHORTENED) return section;
  const isComing = ({ event }: ShownEvent) => phaseOf(event.status) === 'coming';
  const coming = events.filter(isComing).slice(0, MAX_COMING);
  const rest = events.filter((event) => !isComing(event)).slice(coming.length - MAX_SHORTENED);
  return { ...section, events: [...coming, ...rest], more: events.length - coming.length - rest.length };
}

/**
 * The sport or league of an event, if its section does not show it: the sport among several sports, otherwise the
 * league.
 */
export function competitionLabel(
  section: Section,
  event: BoardEvent,
  sports: readonly BoardSport[],
): string | undefined {
  if (section.league !== null) return undefined;
  const sport = sports.find(({ slug }) => slug === event.sport);
  const league = sport?.leagues.find(({ slug }) => slug === event.league)?.name;
  return section.key !== 'live' || sport?.leagues.length !== 1 ? league : sport.name;
}

/** The filter for this day. A sport without events on this day is replaced by `all`. */
export const filterFor = (state: BoardState, wanted: Filter): Filter =>
  wanted === 'all' || tabsOf(state).some(({ filter }) => filter === wanted) ? wanted : 'all';

/** Ids in display order. */
export const idsInOrder = (state: BoardState, filter: Filter): number[] =>
  sectionsOf(state, filter).flatMap(({ events }) => events.map(({ event }) => event.id));

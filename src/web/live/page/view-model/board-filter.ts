import type { BoardEvent, BoardSport } from '../../answers/live-page-answers.ts';
import type { BoardState } from './board-state.ts';
import { hasEnded, phaseOf } from './event-phase.ts';

const STATES = ['live', 'soon', 'over'] as const;
/** How far an event is: being played, to come, or over (or not taking place). */
type EventState = (typeof STATES)[number];

/** Which events of the day the board shows. Null: whichever. */
export interface BoardFilter {
  readonly state: EventState | null;
  /** Slugs. */
  readonly sport: string | null;
  readonly league: string | null;
  /** What a name contains; empty for any. It is not part of the address. */
  readonly text: string;
}

export const NO_FILTER: BoardFilter = { state: null, sport: null, league: null, text: '' };

/** The filter of an address's query; what it does not know is left out. */
export function filterOf(search: string): BoardFilter {
  const query = new URLSearchParams(search);
  const state = STATES.find((one) => one === query.get('state')) ?? null;
  return { state, sport: query.get('sport') || null, league: query.get('league') || null, text: '' };
}

/** `?sport=soccer&state=live`; empty for no filter. */
export function filterQuery({ sport, league, state }: BoardFilter): string {
  const query = new URLSearchParams();
  if (sport !== null) query.set('sport', sport);
  if (league !== null) query.set('league', league);
  if (state !== null) query.set('state', state);
  return query.size === 0 ? '' : `?${query}`;
}

/**
 * The filter for this day: a sport or league without events on it is left out. A league chooses its sport too, so that
 * the choice is to be seen: leagues are offered below their sport.
 */
export function filterFor({ board }: BoardState, filter: BoardFilter): BoardFilter {
  const sports = board?.sports ?? [];
  const ofLeague = sports.find(({ leagues }) => leagues.some(({ slug }) => slug === filter.league));
  const sport = ofLeague ?? sports.find(({ slug }) => slug === filter.sport);
  return { ...filter, sport: sport?.slug ?? null, league: ofLeague ? filter.league : null };
}

export const stateOf = ({ status }: Pick<BoardEvent, 'status'>): EventState => {
  if (hasEnded(status)) return 'over';
  return phaseOf(status) === 'live' ? 'live' : 'soon';
};

/** Without case and accents: `Zürich` is found as `zurich`. */
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Whether the board shows an event. Each word that was typed must stand in a name of the event, its sport or league. */
export function matcherOf({ state, sport, league, text }: BoardFilter, sports: readonly BoardSport[]) {
  const words = folded(text).split(/\s+/).filter(Boolean);
  const leagueNames = new Map(
    sports.flatMap(({ name, leagues }) => leagues.map((own) => [own.slug, `${own.slug} ${own.name} ${name}`] as const)),
  );
  return (event: BoardEvent): boolean => {
    if (state !== null && stateOf(event) !== state) return false;
    if (sport !== null && event.sport !== sport) return false;
    if (league !== null && event.league !== league) return false;
    if (words.length === 0) return true;
    const sides = event.sides.map(({ name, abbreviation }) => `${name} ${abbreviation ?? ''}`);
    const names = folded([event.name, ...sides, leagueNames.get(event.league) ?? ''].join(' '));
    return words.every((word) => names.includes(word));
  };
}

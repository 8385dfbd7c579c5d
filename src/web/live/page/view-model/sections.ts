import type { BoardEvent, BoardSport } from '../../answers/live-page-answers.ts';
import { type BoardFilter, matcherOf, stateOf } from './board-filter.ts';
import type { BoardState, ShownEvent } from './board-state.ts';
import { byPhaseAndStart, phaseOf } from './event-phase.ts';
import { type Favourites, isFavourite } from './favourites.ts';

/** A choice of the filter: what it changes, and how many events of the day are so. */
export interface Chip {
  readonly key: string;
  readonly name: string;
  readonly choice: Partial<Pick<BoardFilter, 'state' | 'sport' | 'league'>>;
  readonly isChosen: boolean;
  readonly count: number;
  readonly live: number;
}

export interface Section {
  /** Slug of the sport; `favourites`, or `live` for the live events of all sports. */
  readonly key: string;
  readonly name: string;
  /** The league of all its events: the chosen one, or the only one on this day; null if each event shows its own. */
  readonly league: BoardSport['leagues'][number] | null;
  readonly events: readonly ShownEvent[];
  /** Hidden events of the sport on this day; they appear if the sport is chosen. */
  readonly more: number;
}

/** While all sports are shown, each shows only its next events and the last ones that ended. */
const MAX_COMING = 3;
const MAX_SHORTENED = 5;

const isLive = ({ status }: BoardEvent): boolean => phaseOf(status) === 'live';

const STATE_NAMES = [
  ['live', 'Live'],
  ['soon', 'Soon'],
  ['over', 'Over'],
] as const;

/** All events, those of each state, of each sport of the day, and of each league of the chosen sport. */
export function chipsOf({ board, events }: BoardState, filter: BoardFilter): Chip[] {
  const all = [...events.values()].map(({ event }) => event);
  const chip = (
    key: string,
    name: string,
    choice: Chip['choice'],
    isChosen: boolean,
    of: (event: BoardEvent) => boolean,
  ): Chip => {
    const own = all.filter(of);
    return { key, name, choice, isChosen, count: own.length, live: own.filter(isLive).length };
  };
  const sports = board?.sports ?? [];
  const leagueChip = ({ slug, name }: BoardSport['leagues'][number]) => {
    const isChosen = filter.league === slug;
    return chip(`league-${slug}`, name, { league: isChosen ? null : slug }, isChosen, ({ league }) => league === slug);
  };
  const chips = [
    ...STATE_NAMES.map(([state, name]) => {
      const isChosen = filter.state === state;
      return chip(state, name, { state: isChosen ? null : state }, isChosen, (event) => stateOf(event) === state);
    }),
    ...sports.flatMap(({ slug, name, leagues }) => {
      const isChosen = filter.sport === slug;
      const choice = { sport: isChosen ? null : slug, league: null };
      const own = chip(slug, name, choice, isChosen, ({ sport }) => sport === slug);
      return [own, ...(isChosen && leagues.length > 1 ? leagues.map(leagueChip) : [])];
    }),
  ];
  const { state, sport, league } = filter;
  const isAll = state === null && sport === null && league === null;
  return [
    chip('all', 'All', { state: null, sport: null, league: null }, isAll, () => true),
    ...chips.filter(({ count, isChosen }) => count > 0 || isChosen),
  ];
}

/**
 * The events to show: favourites, live ones, then by sport in the order of the catalogue. A chosen sport has its live
 * events in its own section.
 */
export function sectionsOf({ board, events }: BoardState, filter: BoardFilter, favourites: Favourites): Section[] {
  const sports = board?.sports ?? [];
  const isShown = matcherOf(filter, sports);
  const shown = [...events.values()]
    .filter(({ event }) => isShown(event))
    .sort((a, b) => byPhaseAndStart(a.event, b.event));
  const starred = shown.filter(({ event }) => isFavourite(favourites, event));
  const others = shown.filter((one) => !starred.includes(one));
  const live = filter.sport === null && filter.league === null ? liveSection(others, sports) : [];
  const bySport = sports.map((sport) => sportSection(others, sport, live.length > 0, filter.league));
  const sections = bySport.filter(({ events: own }) => own.length > 0);
  const isWhole = filter.text !== '' || filter.state !== null || filter.league !== null || sections.length < 2;
  return [
    ...(starred.length === 0
      ? []
      : [{ key: 'favourites', name: 'Favourites', league: null, events: starred, more: 0 }]),
    ...live,
    ...(isWhole ? sections : sections.map(shortenSection)),
  ];
}

function liveSection(shown: readonly ShownEvent[], sports: readonly BoardSport[]): Section[] {
  const sportIndex = ({ event }: ShownEvent) => sports.findIndex(({ slug }) => slug === event.sport);
  const live = shown.filter(({ event }) => isLive(event)).sort((a, b) => sportIndex(a) - sportIndex(b));
  return live.length === 0 ? [] : [{ key: 'live', name: 'Live now', league: null, events: live, more: 0 }];
}

function sportSection(
  shown: readonly ShownEvent[],
  sport: BoardSport,
  withoutLive: boolean,
  chosenLeague: string | null,
): Section {
  const { slug, name, leagues } = sport;
  const own = shown.filter(({ event }) => event.sport === slug && !(withoutLive && isLive(event)));
  const league = leagues.length === 1 ? leagues[0]! : leagues.find((one) => one.slug === chosenLeague);
  return { key: slug, name, league: league ?? null, events: own, more: 0 };
}

function shortenSection(section: Section): Section {
  const { events } = section;
  if (events.length <= MAX_SHORTENED) return section;
  const isComing = ({ event }: ShownEvent) => phaseOf(event.status) === 'coming';
  const coming = events.filter(isComing).slice(0, MAX_COMING);
  const rest = events.filter((event) => !isComing(event)).slice(coming.length - MAX_SHORTENED);
  return { ...section, events: [...coming, ...rest], more: events.length - coming.length - rest.length };
}

/** The league of an event in short, as on the odds screen, if its section does not name it. */
export function competitionLabel(
  section: Section,
  event: BoardEvent,
  sports: readonly BoardSport[],
): string | undefined {
  return section.league === null ? leagueOf(event, sports)?.abbreviation : undefined;
}

export const leagueName = (event: BoardEvent, sports: readonly BoardSport[]): string | undefined =>
  leagueOf(event, sports)?.name;

type BoardLeague = BoardSport['leagues'][number];

/** The leagues of a board by slug: each row asks for its own at each change. */
const leagueIndexes = new WeakMap<readonly BoardSport[], ReadonlyMap<string, BoardLeague>>();

function leagueOf({ league }: BoardEvent, sports: readonly BoardSport[]): BoardLeague | undefined {
  let index = leagueIndexes.get(sports);
  if (!index) {
    index = new Map(sports.flatMap(({ leagues }) => leagues).map((one) => [one.slug, one]));
    leagueIndexes.set(sports, index);
  }
  return index.get(league);
}

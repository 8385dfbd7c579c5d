import { addedLeaguesOf, addedSports } from './added-leagues.ts';
import { BUILT_IN_SPORTS, type BuiltInSlugs, type League, type Sport } from './built-in-sports.ts';

export type { League, LeagueType, Sport, SportSlug } from './built-in-sports.ts';

/** The sports and leagues of this process: those that are built in, then those that were installed. */
export const SPORTS: readonly Sport[] = [
  ...BUILT_IN_SPORTS,
  ...addedSports().map((sport) => ({ ...sport, leagues: [] })),
].map((sport) => ({ ...sport, leagues: [...sport.leagues, ...addedLeaguesOf(sport.slug)] }));

/** Those of CONFIG are among them, though types name only those that are built in. */
export const SPORT_SLUGS = SPORTS.map(({ slug }) => slug) as unknown as BuiltInSlugs;

const sportsBySlug = new Map<string, Sport>(SPORTS.map((s) => [s.slug, s]));
const leagues = SPORTS.flatMap((s) => s.leagues);
const leaguesBySlug = new Map(leagues.map((l) => [l.slug, l]));
const leaguesById = new Map(leagues.map((l) => [l.id, l]));

export const findSport = (slug: string): Sport | undefined => sportsBySlug.get(slug);
export const findLeague = (slug: string): League | undefined => leaguesBySlug.get(slug);
export const findLeagueById = (id: number): League | undefined => leaguesById.get(id);

/** The id of a season is computed from league and year, so it is the same on every server. */
export const seasonId = (league: Pick<League, 'id'>, year: number): number => league.id * 10_000 + year;
export const findSeasonById = (id: number): { league: League; year: number } | undefined => {
  const league = findLeagueById(Math.floor(id / 10_000));
  return league && { league, year: id % 10_000 };
};

/** The season year of a start time (milliseconds). */
export function seasonYear(league: League, startsAt: number): number {
  const date = new Date(startsAt);
  const started = date.getUTCMonth() + 1 >= league.season_starts_in;
  return started ? date.getUTCFullYear() : date.getUTCFullYear() - 1;
}

export const EVENT_STATUSES = [
  'scheduled',
  'delayed',
  'postponed',
  'inprogress',
  'suspended',
  'cancelled',
  'walkover',
  'final',
] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

export const RESULT_TYPES = ['regulation', 'overtime', 'shootout', 'retired', 'walkover'] as const;
export type ResultType = (typeof RESULT_TYPES)[number];

export const INJURY_STATUSES = [
  'available',
  'probable',
  'day_to_day',
  'questionable',
  'doubtful',
  'suspended',
  'out',
  'ir',
] as const;
export type InjuryStatus = (typeof INJURY_STATUSES)[number];

/** Known bookmakers. Feeds may send any other well-formed slug too. */
export const BOOKMAKERS: Readonly<Record<string, string>> = {
  pinnacle: 'Pinnacle',
  fanduel: 'FanDuel',
  draftkings: 'DraftKings',
  betmgm: 'BetMGM',
  caesars: 'Caesars',
  bet365: 'bet365',
  circa: 'Circa',
  westgate: 'Westgate',
  wynn: 'Wynn',
  south_point: 'South Point',
  stations: 'Stations',
  hardrock: 'Hard Rock',
  betonline: 'BetOnline',
  betr: 'Betr',
  betrivers: 'BetRivers',
  lowvig: 'LowVig',
  bovada: 'Bovada',
};
/** Default weights of sharp bookmakers in the fair price. All other bookmakers have weight 0. */
export const SHARP_BOOK_WEIGHTS: Readonly<Record<string, number>> = {
  pinnacle: 3,
  circa: 2,
  betonline: 1,
  lowvig: 1,
  consensus: 1,
};
/** Who sets prices: a bookmaker, people among themselves, on contracts, or nobody: an average of others. */
export const BOOKMAKER_TYPES = ['sportsbook', 'exchange', 'prediction_market', 'consensus'] as const;
export type BookmakerType = (typeof BOOKMAKER_TYPES)[number];
/** Types that CONFIG may change. Every other slug is a sportsbook, or an exchange once it has sent an order book. */
export const DEFAULT_BOOKMAKER_TYPES: Readonly<Record<string, BookmakerType>> = { consensus: 'consensus' };
/** Whether the prices of this slug are an average of others: nobody can bet at them, and they bear out no other price. */
export const isAverageOfBooks = (slug: string): boolean => slug === 'consensus';
export const BOOKMAKER_SLUG = /^[a-z0-9_]{1,40}$/;

/** A leading tour name, which the league already says. */
const TOUR = /^(?:ATP|WTA)\b[\s:-]*/i;

/** The name of a tennis tournament, without the tour. */
export const tournamentName = (competition: string): string => competition.replace(TOUR, '') || competition;

/** The tournament name as a slug: lower case, other characters become `_`. */
export const tournamentSlug = (competition: string): string =>
  tournamentName(competition)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');

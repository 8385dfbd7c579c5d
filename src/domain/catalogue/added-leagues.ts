import type { League, SportSlug } from './built-in-sports.ts';

export const YEAR_NAMES = ['start', 'end', 'span'] as const;
export type YearName = (typeof YEAR_NAMES)[number];
export const LEAGUE_PROVIDERS = ['espn', 'the_odds_api', 'action_network', 'football_data'] as const;
export type LeagueProvider = (typeof LEAGUE_PROVIDERS)[number];

/** A league of the CONFIG file, as written there. */
export interface AddedLeague {
  readonly sport: SportSlug;
  readonly name: string;
  readonly country?: string | undefined;
  readonly season: { readonly start_month: number; readonly year_name: YearName };
  readonly providers?: Readonly<Partial<Record<LeagueProvider, string | undefined>>> | undefined;
  readonly tier?: number | undefined;
}
/** By slug. */
export type AddedLeagues = Readonly<Record<string, AddedLeague>>;

const FIRST_ID = 1_000;
/** The id of a season is `id * 10_000 + year`, and fits into 32 bits. */
const IDS = 200_000;

/** The id of an added league: FNV-1a of its slug, so that it is the same on every server. */
export function addedLeagueId(slug: string): number {
  let hash = 0x811c9dc5;
  for (const character of slug) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return FIRST_ID + (hash % IDS);
}

let installed: AddedLeagues = {};
let wasRead = false;

/**
 * Adds leagues to the catalogue of this process, before anything reads it: schemas, tables and lists are made of the
 * catalogue as their modules load.
 * @throws Error when the catalogue was read already
 */
export function installLeagues(leagues: AddedLeagues): void {
  if (wasRead) throw new Error('leagues are installed before the catalogue is read, and it was read already');
  installed = leagues;
}

/** The leagues that were installed. From the first reading on they stay as they are. */
export function installedLeagues(): AddedLeagues {
  wasRead = true;
  return installed;
}

export const isAddedLeague = (slug: string): boolean => Object.hasOwn(installedLeagues(), slug);

export const addedLeaguesOf = (sport: SportSlug): League[] =>
  Object.entries(installedLeagues())
    .filter(([, league]) => league.sport === sport)
    .map(([slug, { name, country, season }]) => ({
      id: addedLeagueId(slug),
      slug,
      sport,
      name,
      abbreviation: slug.toUpperCase().replaceAll('_', ' '),
      league_type: sport === 'tennis' ? 'individual_tour' : 'team_league',
      country_code: country ?? null,
      season_starts_in: season.start_month,
    }));

/** What a provider calls the added leagues: its name, our slug, the sport. */
export const namesAt = (provider: LeagueProvider): readonly (readonly [name: string, slug: string, SportSlug])[] =>
  Object.entries(installedLeagues()).flatMap(([slug, { sport, providers }]) => {
    const name = providers?.[provider];
    return name === undefined ? [] : [[name, slug, sport] as const];
  });

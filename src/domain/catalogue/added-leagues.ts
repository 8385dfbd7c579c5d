import { fnv1a } from '../primitives/fnv1a.ts';
import type { League, Sport, SportSlug } from './built-in-sports.ts';
import type { OwnFormat } from './own-format.ts';
import type { OwnRules } from './own-rules.ts';

export const YEAR_NAMES = ['start', 'end', 'span'] as const;
export type YearName = (typeof YEAR_NAMES)[number];
export const LEAGUE_PROVIDERS = ['espn', 'the_odds_api', 'action_network', 'football_data'] as const;
export type LeagueProvider = (typeof LEAGUE_PROVIDERS)[number];

/** A sport of the CONFIG file, which plays by the rules of one that is built in. */
export interface OwnSport {
  readonly slug: string;
  readonly like: SportSlug;
}

/** A league of the CONFIG file, as written there. */
export interface AddedLeague {
  readonly sport: SportSlug | OwnSport;
  readonly name: string;
  readonly country?: string | undefined;
  readonly season: { readonly start_month: number; readonly year_name: YearName };
  readonly providers?: Readonly<Partial<Record<LeagueProvider, string | undefined>>> | undefined;
  readonly tier?: number | undefined;
  /** Where its games are played otherwise than those of its sport. */
  readonly rules?: OwnRules | undefined;
  /** What its table decides; absent: it is not known. */
  readonly format?: OwnFormat | undefined;
}
/** By slug. */
export type AddedLeagues = Readonly<Record<string, AddedLeague>>;

const FIRST_ID = 1_000;
/** The id of a season is `id * 10_000 + year`, and fits into 32 bits. */
const IDS = 200_000;

/** The id of an added league or sport: it follows from its slug, so that it is the same on every server. */
export const addedId = (slug: string): number => FIRST_ID + (fnv1a(slug) % IDS);

let installed: AddedLeagues = {};
let wasRead = false;

/**
 * Adds leagues to the catalogue of this process, before anything reads it: schemas, tables and lists are made of the
 * catalogue as their modules load.
 * @throws Error when the catalogue was read already, with other leagues
 */
export function installLeagues(leagues: AddedLeagues): void {
  if (JSON.stringify(leagues) === JSON.stringify(installed)) return;
  if (wasRead) throw new Error('leagues are installed before the catalogue is read, and it was read already');
  installed = leagues;
}

/** The leagues that were installed. From the first reading on they stay as they are. */
export function installedLeagues(): AddedLeagues {
  wasRead = true;
  return installed;
}

export const isAddedLeague = (slug: string): boolean => Object.hasOwn(installedLeagues(), slug);

/** `name` by which answers and questions call what has no short name of its own. */
const inCapitals = (slug: string): string => slug.toUpperCase().replaceAll('_', ' ');

/** A sport of its own counts among the slugs of sports. */
export const sportOfLeague = ({ sport }: AddedLeague): SportSlug =>
  typeof sport === 'string' ? sport : (sport.slug as SportSlug);

let ownSports: ReadonlyMap<string, SportSlug> | undefined;
/** As `likeBySlug`, of sports that were taken out of CONFIG. */
const formerSports = new Map<string, SportSlug>();

/**
 * A sport of which events are recorded plays on by the rules by which it began.
 * @throws Error when CONFIG has others for it
 */
export function rememberSport(slug: string, like: string): void {
  const given = likeBySlug().get(slug);
  if (given === undefined) formerSports.set(slug, like as SportSlug);
  else if (given !== like) {
    throw new Error(`CONFIG: the sport ${slug} is like ${given}, but what is recorded of it is like ${like}`);
  }
}

/** Whether a sport plays by the rules of another one. */
export const isOwnSport = (sport: string): boolean => likeBySlug().has(sport);

/** By its slug, the built-in sport by whose rules each sport of its own plays. */
function likeBySlug(): ReadonlyMap<string, SportSlug> {
  ownSports ??= new Map(
    Object.values(installedLeagues()).flatMap(({ sport }) =>
      typeof sport === 'string' ? [] : [[sport.slug, sport.like] as const],
    ),
  );
  return ownSports;
}

/** The built-in sport by whose rules a sport plays: itself, unless it is one of CONFIG. */
export function playsLike(sport: SportSlug): SportSlug;
export function playsLike(sport: string): string;
export function playsLike(sport: string): string {
  return likeBySlug().get(sport) ?? formerSports.get(sport) ?? sport;
}

/** Sports, with those of CONFIG that play like one of them. */
export const withOwnSports = (sports: readonly SportSlug[]): readonly SportSlug[] => [
  ...sports,
  ...[...likeBySlug()].flatMap(([slug, like]) => (sports.includes(like) ? [slug as SportSlug] : [])),
];

/** The sports of CONFIG, without their leagues. */
export const addedSports = (): Omit<Sport, 'leagues'>[] =>
  [...likeBySlug().keys()].map((slug) => ({
    id: addedId(slug),
    slug: slug as SportSlug,
    name: inCapitals(slug),
    is_team_sport: true,
  }));

export const addedLeaguesOf = (sport: SportSlug): League[] =>
  Object.entries(installedLeagues())
    .filter(([, league]) => sportOfLeague(league) === sport)
    .map(([slug, { name, country, season }]) => ({
      id: addedId(slug),
      slug,
      sport,
      name,
      abbreviation: inCapitals(slug),
      league_type: sport === 'tennis' ? 'individual_tour' : 'team_league',
      country_code: country ?? null,
      season_starts_in: season.start_month,
    }));

/** What a provider calls the added leagues: its name, our slug, the sport. */
export const namesAt = (provider: LeagueProvider): readonly (readonly [name: string, slug: string, SportSlug])[] =>
  Object.entries(installedLeagues()).flatMap(([slug, league]) => {
    const name = league.providers?.[provider];
    return name === undefined ? [] : [[name, slug, sportOfLeague(league)] as const];
  });

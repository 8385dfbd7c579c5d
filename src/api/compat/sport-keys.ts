import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { isDoubles } from '../../../projections/sports-events/events.ts';
import { installedLeagues, playsLike } from '../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { findLeague, tournamentName, tournamentSlug } from '../../domain/catalogue/catalogue.ts';
import { isTennis } from '../../domain/catalogue/sport-rules.ts';

/** A sport of The Odds API: a league, or a tennis tournament. */
export interface OddsApiSport {
  readonly key: string;
  readonly group: string;
  readonly title: string;
  readonly description: string;
  readonly sport: SportSlug;
  readonly league: string;
  /** Its one market is who wins a season of the league. */
  readonly isOutright?: true;
}

const sport = (key: string, group: string, title: string, description: string, slug: SportSlug, league: string) => ({
  key,
  group,
  title,
  description,
  sport: slug,
  league,
});

const US = 'American Football';
const SOCCER = 'Soccer';
const GROUPS: Readonly<Record<SportSlug, readonly [prefix: string, group: string]>> = {
  nfl: ['americanfootball', US],
  ncaaf: ['americanfootball', US],
  nba: ['basketball', 'Basketball'],
  ncaab: ['basketball', 'Basketball'],
  mlb: ['baseball', 'Baseball'],
  nhl: ['icehockey', 'Ice Hockey'],
  tennis: ['tennis', 'Tennis'],
  soccer: ['soccer', SOCCER],
};
/** The leagues of CONFIG: by the key that The Odds API has for them, else by one made in its way. */
const ADDED = Object.entries(installedLeagues()).map(([league, { name, providers }]) => {
  const { abbreviation, sport: slug } = findLeague(league)!;
  const [prefix, group] = GROUPS[playsLike(slug)];
  return sport(providers?.the_odds_api ?? `${prefix}_${league}`, group, abbreviation, name, slug, league);
});
/** Team sports, and added tours of tennis, by league. */
const LEAGUES: ReadonlyMap<string, OddsApiSport> = new Map(
  [
    sport('americanfootball_nfl', US, 'NFL', 'US Football', 'nfl', 'nfl'),
    sport('americanfootball_ncaaf', US, 'NCAAF', 'US College Football', 'ncaaf', 'ncaaf'),
    sport('basketball_nba', 'Basketball', 'NBA', 'US Basketball', 'nba', 'nba'),
    sport('basketball_ncaab', 'Basketball', 'NCAAB', 'US College Basketball', 'ncaab', 'ncaab'),
    sport('baseball_mlb', 'Baseball', 'MLB', 'Major League Baseball', 'mlb', 'mlb'),
    sport('icehockey_nhl', 'Ice Hockey', 'NHL', 'US Ice Hockey', 'nhl', 'nhl'),
    sport('soccer_epl', SOCCER, 'EPL', 'English Premier League', 'soccer', 'epl'),
    sport('soccer_usa_mls', SOCCER, 'MLS', 'Major League Soccer', 'soccer', 'mls'),
    sport('soccer_spain_la_liga', SOCCER, 'La Liga - Spain', 'Spanish Soccer', 'soccer', 'la_liga'),
    sport('soccer_italy_serie_a', SOCCER, 'Serie A - Italy', 'Italian Soccer', 'soccer', 'serie_a'),
    sport('soccer_germany_bundesliga', SOCCER, 'Bundesliga - Germany', 'German Soccer', 'soccer', 'bundesliga'),
    sport('soccer_france_ligue_one', SOCCER, 'Ligue 1 - France', 'French Soccer', 'soccer', 'ligue_1'),
    sport('soccer_uefa_champs_league', SOCCER, 'UEFA Champions League', 'European Champions League', 'soccer', 'ucl'),
    sport('soccer_fifa_world_cup', SOCCER, 'FIFA World Cup', 'FIFA World Cup', 'soccer', 'fifa_world_cup'),
    ...ADDED,
  ].map((one) => [one.league, one]),
);
export const LEAGUE_SPORTS: readonly OddsApiSport[] = [...LEAGUES.values()];
const BY_KEY: ReadonlyMap<string, OddsApiSport> = new Map(LEAGUE_SPORTS.map((one) => [one.key, one]));
export const findLeagueSport = (key: string): OddsApiSport | undefined => BY_KEY.get(key);

/** Who wins a league has a key of its own. These are those of The Odds API; other leagues' keys are made alike. */
const OUTRIGHTS: Readonly<Record<string, readonly [key: string, title: string, description: string]>> = {
  nfl: ['americanfootball_nfl_super_bowl_winner', 'NFL Super Bowl Winner', 'Super Bowl Winner'],
  ncaaf: [
    'americanfootball_ncaaf_championship_winner',
    'NCAAF Championship Winner',
    'US College Football Championship Winner',
  ],
  nba: ['basketball_nba_championship_winner', 'NBA Championship Winner', 'Championship Winner'],
  ncaab: [
    'basketball_ncaab_championship_winner',
    'NCAAB Championship Winner',
    'US College Basketball Championship Winner',
  ],
  mlb: ['baseball_mlb_world_series_winner', 'MLB World Series Winner', 'World Series Winner'],
  nhl: ['icehockey_nhl_championship_winner', 'NHL Championship Winner', 'Stanley Cup Winner'],
};
export const OUTRIGHT_SPORTS: readonly OddsApiSport[] = LEAGUE_SPORTS.map((one) => {
  const { key, title, description } = one;
  const named = OUTRIGHTS[one.league] ?? [`${key}_winner`, `${title} Winner`, `${description} Winner`];
  return { ...one, key: named[0], title: named[1], description: named[2], isOutright: true };
});
const OUTRIGHTS_BY_KEY: ReadonlyMap<string, OddsApiSport> = new Map(OUTRIGHT_SPORTS.map((one) => [one.key, one]));
export const isOutright = (sport: OddsApiSport | 'upcoming'): sport is OddsApiSport =>
  sport !== 'upcoming' && sport.isOutright === true;
export const findOutrightSport = (key: string): OddsApiSport | undefined => OUTRIGHTS_BY_KEY.get(key);

/** Tennis leagues, each with the name of its singles. */
export const TOURS = { atp: "Men's Singles", wta: "Women's Singles" } as const;
export type Tour = keyof typeof TOURS;

/** Tournaments with a fixed key, each with its other names as slugs (`tournamentSlug`). */
const BOTH_TOURS: Readonly<Record<string, readonly string[]>> = {
  aus_open_singles: ['australian_open', 'aus_open'],
  canadian_open: ['national_bank_open', 'rogers_cup', 'canada_masters'],
  china_open: [],
  cincinnati_open: ['western_southern_open', 'western_southern_financial_group_masters'],
  dubai: ['dubai_duty_free_tennis_championships', 'dubai_tennis_championships'],
  french_open: ['roland_garros'],
  indian_wells: ['bnp_paribas_open', 'indian_wells_masters', 'indian_wells_open'],
  italian_open: ['internazionali_bnl_d_italia', 'internazionali_d_italia'],
  madrid_open: ['mutua_madrid_open'],
  miami_open: ['miami_open_presented_by_itau', 'sony_ericsson_open'],
  qatar_open: ['qatar_exxonmobil_open', 'qatar_totalenergies_open', 'qatar_total_open'],
  us_open: [],
  wimbledon: ['the_championships_wimbledon'],
};
const OWN_KEYS: Readonly<Record<Tour, Readonly<Record<string, readonly string[]>>>> = {
  atp: {
    ...BOTH_TOURS,
    monte_carlo_masters: ['rolex_monte_carlo_masters'],
    paris_masters: ['rolex_paris_masters', 'bnp_paribas_masters'],
    shanghai_masters: ['rolex_shanghai_masters'],
  },
  wta: { ...BOTH_TOURS, wuhan_open: ['dongfeng_voyah_wuhan_open'] },
};
const ALIASES: Readonly<Record<Tour, ReadonlyMap<string, string>>> = { atp: aliasesOf('atp'), wta: aliasesOf('wta') };

function aliasesOf(tour: Tour): ReadonlyMap<string, string> {
  return new Map(Object.entries(OWN_KEYS[tour]).flatMap(([key, names]) => names.map((name) => [name, key] as const)));
}

const PREFIX = /^tennis_(atp|wta)_(.+)$/;

/** The slugs of tournaments that a key stands for; undefined if it is not a key of tennis. */
export function parseTournamentKey(
  key: string,
): { readonly tour: Tour; readonly slugs: readonly string[] } | undefined {
  const parts = PREFIX.exec(key);
  if (!parts) return undefined;
  const [tour, name] = [parts[1] as Tour, parts[2]!];
  // An alias of a tournament with a fixed key is not a key.
  if (ALIASES[tour].has(name)) return undefined;
  const others = Object.hasOwn(OWN_KEYS[tour], name) ? OWN_KEYS[tour][name]! : [];
  return { tour, slugs: [name, ...others] };
}

/** The leagues that a key of The Odds API stands for; `upcoming` stands for all. Empty for an unknown key. */
export function leaguesOfKey(key: string): readonly string[] {
  if (key === 'upcoming') return [...LEAGUES.keys(), ...Object.keys(TOURS)];
  const league = (findLeagueSport(key) ?? findOutrightSport(key))?.league ?? parseTournamentKey(key)?.tour;
  return league === undefined ? [] : [league];
}

/** The sport of a tournament, from the name of the competition. */
function tournamentSport(tour: Tour, competition: string): OddsApiSport {
  const slug = tournamentSlug(competition);
  return {
    key: `tennis_${tour}_${ALIASES[tour].get(slug) ?? slug}`,
    group: 'Tennis',
    title: `${tour.toUpperCase()} ${tournamentName(competition)}`,
    description: TOURS[tour],
    sport: 'tennis',
    league: tour,
  };
}

/** The sport of an event; undefined for doubles, and for a match without a known tournament. */
export function sportOfEvent(document: EventDocument): OddsApiSport | undefined {
  const known = LEAGUES.get(document.league);
  if (!isTennis(document.sport)) return known;
  if (known || !Object.hasOwn(TOURS, document.league)) return isDoubles(document) ? undefined : known;
  const name = document.event.schedule?.competition?.name;
  if (name === undefined || isDoubles(document)) return undefined;
  return tournamentSport(document.league as Tour, name);
}

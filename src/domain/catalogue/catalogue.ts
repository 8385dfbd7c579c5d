/** The sports and leagues of the server, with the slugs of the API. Ids never change. */
export const SPORT_SLUGS = ['nfl', 'nba', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'tennis', 'soccer'] as const;
export type SportSlug = (typeof SPORT_SLUGS)[number];

export type LeagueType = 'team_league' | 'individual_tour' | 'tournament';

export interface League {
  readonly id: number;
  readonly slug: string;
  readonly sport: SportSlug;
  readonly name: string;
  readonly abbreviation: string;
  readonly league_type: LeagueType;
  /** ISO alpha-3; null for leagues that belong to no country. */
  readonly country_code: string | null;
  /** Month (1-12) in which a season starts. The year of that month is the year of the season. */
  readonly season_starts_in: number;
}

export interface Sport {
  readonly id: number;
  readonly slug: SportSlug;
  readonly name: string;
  readonly is_team_sport: boolean;
  readonly leagues: readonly League[];
}

type LeagueRow = [
  id: number,
  slug: string,
  name: string,
  abbr: string,
  type: LeagueType,
  country: string | null,
  month: number,
];

const sport = (id: number, slug: SportSlug, name: string, rows: readonly LeagueRow[]): Sport => ({
  id,
  slug,
  name,
  is_team_sport: slug !== 'tennis',
  leagues: rows.map(
    ([leagueId, leagueSlug, leagueName, abbreviation, league_type, country_code, season_starts_in]) => ({
      id: leagueId,
      slug: leagueSlug,
      sport: slug,
      name: leagueName,
      abbreviation,
      league_type,
      country_code,
      season_starts_in,
    }),
  ),
});

export const SPORTS: readonly Sport[] = [
  sport(1, 'nfl', 'American Football', [[1, 'nfl', 'National Football League', 'NFL', 'team_league', 'USA', 8]]),
  sport(2, 'nba', 'Basketball', [[2, 'nba', 'National Basketball Association', 'NBA', 'team_league', 'USA', 9]]),
  sport(3, 'mlb', 'Baseball', [[3, 'mlb', 'Major League Baseball', 'MLB', 'team_league', 'USA', 2]]),
  sport(4, 'nhl', 'Ice Hockey', [[4, 'nhl', 'National Hockey League', 'NHL', 'team_league', 'USA', 9]]),
  sport(5, 'ncaaf', 'College Football', [[5, 'ncaaf', 'NCAA Division I Football', 'NCAAF', 'team_league', 'USA', 8]]),
  sport(6, 'ncaab', 'College Basketball', [
    [6, 'ncaab', "NCAA Division I Men's Basketball", 'NCAAB', 'team_league', 'USA', 10],
  ]),
  sport(7, 'tennis', 'Tennis', [
    [7, 'atp', 'Association of Tennis Professionals Tour', 'ATP', 'individual_tour', null, 1],
    [8, 'wta', "Women's Tennis Association Tour", 'WTA', 'individual_tour', null, 1],
  ]),
  sport(8, 'soccer', 'Soccer', [
    [9, 'fifa_world_cup', 'FIFA World Cup', 'FIFA WC', 'tournament', null, 1],
    [10, 'mls', 'Major League Soccer', 'MLS', 'team_league', 'USA', 1],
    [11, 'epl', 'Premier League', 'EPL', 'team_league', 'GBR', 7],
    [12, 'la_liga', 'La Liga', 'LALIGA', 'team_league', 'ESP', 7],
    [13, 'serie_a', 'Serie A', 'SERIEA', 'team_league', 'ITA', 7],
    [14, 'bundesliga', 'Bundesliga', 'BUND', 'team_league', 'DEU', 7],
    [15, 'ligue_1', 'Ligue 1', 'LIGUE1', 'team_league', 'FRA', 7],
    [16, 'ucl', 'UEFA Champions League', 'UCL', 'tournament', null, 7],
  ]),
];

const sportsBySlug = new Map<string, Sport>(SPORTS.map((s) => [s.slug, s]));
const leagues = SPORTS.flatMap((s) => s.leagues);
const leaguesBySlug = new Map(leagues.map((l) => [l.slug, l]));
const leaguesById = new Map(leagues.map((l) => [l.id, l]));

export const findSport = (slug: string): Sport | undefined => sportsBySlug.get(slug);
export const findLeague = (slug: string): League | undefined => leaguesBySlug.get(slug);
export const findLeagueById = (id: number): League | undefined => leaguesById.get(id);

/** The id of a season is computed from league and year, so it is the same on every server. */
export const seasonId = (league: League, year: number): number => league.id * 10_000 + year;
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

/** The sports and leagues that are built in, with the slugs of the API. Ids never change. */
export const BUILT_IN_SLUGS = ['nfl', 'nba', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'tennis', 'soccer'] as const;
export type BuiltInSlugs = typeof BUILT_IN_SLUGS;
export type SportSlug = BuiltInSlugs[number];

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

export const BUILT_IN_SPORTS: readonly Sport[] = [
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

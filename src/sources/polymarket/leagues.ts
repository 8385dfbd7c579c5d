/** A league as Polymarket names it in the list of its sports. */
export interface PolymarketLeague {
  readonly code: string;
  readonly sport: string;
  readonly league: string;
}

export const POLYMARKET_LEAGUES: readonly PolymarketLeague[] = [
  ['nba', 'nba', 'nba'],
  ['nfl', 'nfl', 'nfl'],
  ['mlb', 'mlb', 'mlb'],
  ['nhl', 'nhl', 'nhl'],
  ['cfb', 'ncaaf', 'ncaaf'],
  ['ncaab', 'ncaab', 'ncaab'],
  ['mls', 'soccer', 'mls'],
  ['epl', 'soccer', 'epl'],
  ['lal', 'soccer', 'la_liga'],
  ['sea', 'soccer', 'serie_a'],
  ['bun', 'soccer', 'bundesliga'],
  ['fl1', 'soccer', 'ligue_1'],
  ['ucl', 'soccer', 'ucl'],
  ['atp', 'tennis', 'atp'],
  ['wta', 'tennis', 'wta'],
].map(([code, sport, league]) => ({ code: code!, sport: sport!, league: league! }));

const byCode = new Map(POLYMARKET_LEAGUES.map((league) => [league.code, league]));
/** The league of an event, by the beginning of its slug: `nba-lal-gsw-2026-11-30`. */
export const leagueOfSlug = (slug: string): PolymarketLeague | undefined => byCode.get(slug.split('-')[0] ?? '');

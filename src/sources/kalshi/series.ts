/** A series of Kalshi's: markets of one kind on the games of one league. */
export interface KalshiSeries {
  readonly ticker: string;
  readonly sport: string;
  readonly league: string;
  readonly key: 'h2h' | 'spreads' | 'totals';
  /** Which side stands first in a ticker. */
  readonly first: 'home' | 'away';
}

type Row = readonly [stem: string, sport: string, league: string, first: KalshiSeries['first'], kinds: string];
const ROWS: readonly Row[] = [
  ['NBA', 'nba', 'nba', 'away', 'GAME SPREAD TOTAL'],
  ['NFL', 'nfl', 'nfl', 'away', 'GAME SPREAD TOTAL'],
  ['MLB', 'mlb', 'mlb', 'away', 'GAME SPREAD TOTAL'],
  ['NHL', 'nhl', 'nhl', 'away', 'GAME SPREAD TOTAL'],
  ['NCAAF', 'ncaaf', 'ncaaf', 'away', 'GAME SPREAD TOTAL'],
  ['NCAAMB', 'ncaab', 'ncaab', 'away', 'GAME SPREAD TOTAL'],
  ['MLS', 'soccer', 'mls', 'home', 'GAME'],
  ['EPL', 'soccer', 'epl', 'home', 'GAME'],
  ['LALIGA', 'soccer', 'la_liga', 'home', 'GAME'],
  ['SERIEA', 'soccer', 'serie_a', 'home', 'GAME'],
  ['BUNDESLIGA', 'soccer', 'bundesliga', 'home', 'GAME'],
  ['LIGUE1', 'soccer', 'ligue_1', 'home', 'GAME'],
  ['UCL', 'soccer', 'ucl', 'home', 'GAME'],
  ['ATP', 'tennis', 'atp', 'home', 'MATCH'],
  ['WTA', 'tennis', 'wta', 'home', 'MATCH'],
];
const KEYS = { GAME: 'h2h', MATCH: 'h2h', SPREAD: 'spreads', TOTAL: 'totals' } as const;

export const SERIES: readonly KalshiSeries[] = ROWS.flatMap(([stem, sport, league, first, kinds]) =>
  kinds.split(' ').map((kind) => {
    const key = KEYS[kind as keyof typeof KEYS];
    return { ticker: `KX${stem}${kind}`, sport, league, key, first };
  }),
);

const byTicker = new Map(SERIES.map((series) => [series.ticker, series]));
export const seriesOf = (ticker: string): KalshiSeries | undefined => byTicker.get(ticker);
/** The part of a series' ticker that all series of its league share. */
export const stemOf = ({ ticker }: KalshiSeries): string => ticker.replace(/^KX|(GAME|MATCH|SPREAD|TOTAL)$/g, '');

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { nflTeam } from '../../../src/sources/nflverse/nfl-teams.ts';
import { data } from './real-data-files.ts';

/** Seasons of results from real files, as an importer's rows or as feed messages. */

/** A season's final table as others published it. */
export interface FinalTable {
  readonly league: string;
  /** The year in which it starts. */
  readonly season: number;
  /** Who published the table. */
  readonly source: string;
  /**
   * By the name of the group; empty for the only one. Teams from the first place on, with their points or with games
   * won, lost and drawn.
   */
  readonly groups: Readonly<Record<string, string>>;
}

const FILE = new URL('./final-tables.json', import.meta.url);
export const FINAL_TABLES: readonly FinalTable[] = JSON.parse(readFileSync(FILE, 'utf8'));

export interface Place {
  readonly team: string;
  /** `84` points, or `13-3` games. */
  readonly record: string;
}

export const placesOf = (group: string): Place[] =>
  group.split(', ').map((place) => {
    const space = place.lastIndexOf(' ');
    return { team: place.slice(0, space), record: place.slice(space + 1) };
  });

type Row = Record<string, string>;
/** Columns of one name get the number of their place: `PTS` and `PTS5`. */
const header = (names: string[]) => names.map((name, index) => (names.indexOf(name) === index ? name : name + index));
const rowsOf = (folder: string, file: string): Row[] =>
  parse(gunzipSync(readFileSync(data(folder, file))), { columns: header, bom: true, relax_column_count: true });

const DIVISIONS: Readonly<Record<string, string>> = { epl: 'E0', la_liga: 'SP1', serie_a: 'I1' };
/** Of the other columns, prices above all, a table needs none. */
const SOCCER_COLUMNS = ['Div', 'Date', 'HomeTeam', 'AwayTeam', 'FTHG', 'FTAG', 'FTR'];

/** A file for the importer of football-data. */
export function soccerFile(tables: readonly FinalTable[]): string {
  const rows = tables.flatMap(({ league, season }) => {
    const division = DIVISIONS[league]!;
    const name = `${season % 100}${(season + 1) % 100}`;
    const all =
      season < 2024
        ? rowsOf('soccer', `football_data_${division}_0910_2324.csv.gz`).filter((row) => row['Season'] === name)
        : rowsOf('soccer', `gutormin_${division}_${name}.csv.gz`);
    return all
      .filter((row) => row['FTHG'] !== '')
      .map((row) => SOCCER_COLUMNS.map((column) => (column === 'Div' ? division : row[column])).join());
  });
  return [SOCCER_COLUMNS.join(), ...rows].join('\n');
}

const NFL_COLUMNS = ['game_id', 'season', 'game_type', 'week', 'gameday', 'gametime', 'location', 'overtime'];
const NFL_SIDES = ['away_team', 'away_score', 'home_team', 'home_score'];

/** A file for the importer of nflverse. */
export function nflFile(tables: readonly FinalTable[]): string {
  const columns = [...NFL_COLUMNS, ...NFL_SIDES];
  const seasons = new Set(tables.map(({ season }) => String(season)));
  const rows = rowsOf('nfl', 'nflverse_schedules_2016_2025.csv.gz').filter((row) => seasons.has(row['season']!));
  return [columns.join(), ...rows.map((row) => columns.map((column) => row[column]).join())].join('\n');
}

export const nflName = (code: string): string => nflTeam(code, 9999)!.name;

interface Result {
  readonly date: string;
  /** 0, or 1 in the second game of two on one day. */
  readonly game: number;
  readonly home: string;
  readonly away: string;
  readonly score: readonly [home: number, away: number];
  readonly type?: string;
}

const MLB_NAMES: Readonly<Record<string, string>> = {
  ...{
    ARI: 'Diamondbacks',
    ATL: 'Braves',
    BAL: 'Orioles',
    BOS: 'Red Sox',
    CIN: 'Reds',
    CLE: 'Indians',
    COL: 'Rockies',
  },
  ...{ CUB: 'Cubs', CWS: 'White Sox', DET: 'Tigers', HOU: 'Astros', KAN: 'Royals', LAA: 'Angels', LAD: 'Dodgers' },
  ...{ LOS: 'Dodgers', MIA: 'Marlins', MIL: 'Brewers', MIN: 'Twins', NYM: 'Mets', NYY: 'Yankees', OAK: 'Athletics' },
  ...{ PHI: 'Phillies', PIT: 'Pirates', SDG: 'Padres', SEA: 'Mariners', SFO: 'Giants', STL: 'Cardinals' },
  ...{ TAM: 'Rays', TEX: 'Rangers', TOR: 'Blue Jays', WAS: 'Nationals' },
};
/** The last day before the playoffs, which the file does not tell apart, and games that were played for a place. */
const MLB_ENDS: Readonly<Record<number, number>> = { 2013: 930, 2014: 928, 2015: 1004, 2017: 1001, 2018: 1001 };

/**
 * Where the file leaves out how a game ended: those that rain stopped while level and that ended on another day, and
 * one whose last half inning is missing. The score of visitor and home by the schedule of mlb.com.
 */
const MLB_ENDED: Readonly<Record<string, readonly [visitor: number, home: number]>> = {
  '2013-04-16 Phillies Reds': [0, 1],
  '2013-05-24 Braves Mets': [7, 5],
  '2014-04-14 Pirates Reds': [8, 7],
  '2014-05-22 Giants Rockies': [4, 2],
  '2014-08-31 Indians Royals': [4, 3],
  '2014-09-05 Pirates Cubs': [5, 3],
  '2015-04-24 Royals White Sox': [2, 3],
  '2015-06-27 Reds Mets': [1, 2],
  '2015-09-11 Cardinals Reds': [2, 4],
  '2017-06-07 Twins Mariners': [5, 6],
  '2018-05-15 Yankees Nationals': [3, 5],
  '2018-08-28 Mets Cubs': [1, 2],
};

function mlbResults(season: number): Result[] {
  const rows = rowsOf('mlb', `sbr_mlb_odds_${season}.csv.gz`);
  const results: Result[] = [];
  const played = new Map<string, number>();
  for (let at = 0; at + 1 < rows.length; at += 2) {
    const [away, home] = [rows[at]!, rows[at + 1]!];
    if (Number(away['Date']) > MLB_ENDS[season]!) break;
    const day = away['Date']!.padStart(4, '0');
    const date = `${season}-${day.slice(0, 2)}-${day.slice(2)}`;
    const [visitor, host] = [away, home].map(({ Team }) => MLB_NAMES[Team!]!) as [string, string];
    const key = `${date} ${visitor} ${host}`;
    const game = played.get(key) ?? 0;
    played.set(key, game + 1);
    const [second, first] = MLB_ENDED[key] ?? [away, home].map((row) => Number(row['Final']));
    results.push({ date, game, home: host, away: visitor, score: [first!, second!] });
  }
  return results;
}

function nbaResults(): Result[] {
  // Play-in games and playoffs follow April 14; the final of the cup in the season counts for no table.
  return rowsOf('nba', 'schedule_results_2024.csv.gz').flatMap((row) => {
    const date = new Date(`${row['Date']!.slice(4)} UTC`).toISOString().slice(0, 10);
    if (date > '2024-04-14' || date === '2023-12-09') return [];
    const [home, away] = [row['Home/Neutral']!, row['Visitor/Neutral']!];
    return { date, game: 0, home, away, score: [Number(row['PTS5']), Number(row['PTS'])] as const };
  });
}

function nhlResults(): Result[] {
  return rowsOf('nhl', 'schedule_results_2024.csv.gz').flatMap((row) => {
    if (row['Date']! > '2024-04-18') return [];
    const type = row['']!.endsWith('OT') ? 'overtime' : row[''] === 'SO' ? 'shootout' : 'regulation';
    const score = [Number(row['G5']), Number(row['G'])] as const;
    return { date: row['Date']!, game: 0, home: row['Home']!, away: row['Visitor']!, score, type };
  });
}

/** Feed messages with the results of a season. */
export function resultMessages({ league, season }: FinalTable): object[] {
  const results = league === 'mlb' ? mlbResults(season) : league === 'nba' ? nbaResults() : nhlResults();
  const source = `results-${league}`;
  return results.flatMap(({ date, game, home, away, score, type }) => {
    const own = { source, ref: `${date} ${away} ${home} ${game + 1}` };
    const [first, second] = score;
    const sides = [
      { role: 'home', score: String(first), is_winner: first > second },
      { role: 'away', score: String(second), is_winner: second > first },
    ];
    const participants = [
      { role: 'home', ref: home, name: home },
      { role: 'away', ref: away, name: away },
    ];
    const hour = game === 0 ? '17' : '23';
    const time = { season: { year: season, phase: 'regular_season' }, starts_at: `${date}T${hour}:00:00Z` };
    const about = { kind: 'schedule', sport: league, league, ...time, participants };
    const at = `${date}T${hour}:59:59Z`;
    const over = type === undefined ? {} : { result_type: type };
    return [
      { ...own, at: `${date}T08:00:00Z`, ...about },
      { ...own, at, kind: 'score', status: 'final', scores: sides, ...over },
    ];
  });
}

/** The NBA ranks within a conference, and leaders of its divisions before others. */
const NBA_DIVISIONS: Readonly<Record<string, string>> = {
  Atlantic: 'Boston Celtics, New York Knicks, Philadelphia 76ers, Brooklyn Nets, Toronto Raptors',
  Central: 'Milwaukee Bucks, Cleveland Cavaliers, Indiana Pacers, Chicago Bulls, Detroit Pistons',
  Southeast: 'Orlando Magic, Miami Heat, Atlanta Hawks, Charlotte Hornets, Washington Wizards',
  Northwest: 'Oklahoma City Thunder, Denver Nuggets, Minnesota Timberwolves, Utah Jazz, Portland Trail Blazers',
  Pacific: 'Los Angeles Clippers, Phoenix Suns, Los Angeles Lakers, Sacramento Kings, Golden State Warriors',
  Southwest: 'Dallas Mavericks, New Orleans Pelicans, Houston Rockets, Memphis Grizzlies, San Antonio Spurs',
};
const nbaDivision = (team: string) =>
  Object.entries(NBA_DIVISIONS).find(([, teams]) => teams.split(', ').includes(team))![0];

/** Conference and division of every team of a league, from its newest table: `AFC East`, `East` of a conference. */
export function teamMessages(tables: readonly FinalTable[]): object[] {
  const teams = new Map<string, object>();
  for (const { league, groups } of tables) {
    for (const [group, places] of Object.entries(groups)) {
      const space = group.indexOf(' ');
      for (const { team } of placesOf(places)) {
        const within =
          league === 'nba'
            ? { conference: group, division: nbaDivision(team) }
            : { ...(space < 0 ? {} : { conference: group.slice(0, space) }), division: group.slice(space + 1) };
        const about = { kind: 'team', at: '2025-01-01T00:00:00Z', sport: league, league };
        const { source, ref, name } =
          league === 'nfl'
            ? { source: 'nflverse', ref: nflTeam(team, 9999)!.ref, name: nflName(team) }
            : { source: `results-${league}`, ref: team, name: team };
        teams.set(`${league} ${name}`, { ...about, source, ref, name, abbreviation: ref.slice(0, 3), ...within });
      }
    }
  }
  return [...teams.values()];
}

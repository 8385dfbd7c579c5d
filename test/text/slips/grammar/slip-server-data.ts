import {
  ATP,
  EPL,
  type Message,
  MLB,
  MLS,
  NBA,
  NCAAB,
  NCAAF,
  NFL,
  NHL,
  player,
  schedule,
  score,
  team,
  UCL,
  WTA,
} from '../../../api/spec/messages.ts';

/** Sunday, 1 March 2026, 12:00Z: 07:00 in New York. */
export const MOMENT = '2026-03-01T12:00:00Z';

const LA_LIGA = { sport: 'soccer', league: 'la_liga' };
const LIGUE_1 = { sport: 'soccer', league: 'ligue_1' };
const BUNDESLIGA = { sport: 'soccer', league: 'bundesliga' };

const teams: readonly (readonly [league: typeof NFL, name: string, abbreviation: string, city?: string])[] = [
  [NFL, 'Kansas City Chiefs', 'KC', 'Kansas City'],
  [NFL, 'Buffalo Bills', 'BUF', 'Buffalo'],
  [NFL, 'New York Giants', 'NYG', 'New York'],
  [NFL, 'Dallas Cowboys', 'DAL', 'Dallas'],
  [NFL, 'Jacksonville Jaguars', 'JAX', 'Jacksonville'],
  [NFL, 'Indianapolis Colts', 'IND', 'Indianapolis'],
  [NCAAF, 'Michigan', 'MICH'],
  [NCAAF, 'Ohio State', 'OSU'],
  [NBA, 'Los Angeles Lakers', 'LAL', 'Los Angeles'],
  [NBA, 'Boston Celtics', 'BOS', 'Boston'],
  [NBA, 'Chicago Bulls', 'CHI', 'Chicago'],
  [NBA, 'Sacramento Kings', 'SAC', 'Sacramento'],
  [NBA, 'Philadelphia 76ers', 'PHI', 'Philadelphia'],
  [NCAAB, 'Duke', 'DUKE'],
  [NCAAB, 'Michigan', 'MICH'],
  [MLB, 'New York Yankees', 'NYY', 'New York'],
  [MLB, 'Boston Red Sox', 'BOS', 'Boston'],
  [MLB, 'San Francisco Giants', 'SF', 'San Francisco'],
  [MLB, 'Los Angeles Dodgers', 'LAD', 'Los Angeles'],
  [NHL, 'New York Rangers', 'NYR', 'New York'],
  [NHL, 'Los Angeles Kings', 'LAK', 'Los Angeles'],
  [NHL, 'Edmonton Oilers', 'EDM', 'Edmonton'],
  [EPL, 'Arsenal', 'ARS'],
  [EPL, 'Chelsea', 'CHE'],
  [EPL, 'Manchester City', 'MCI'],
  [EPL, 'Brighton & Hove Albion', 'BHA'],
  [LA_LIGA, 'Real Madrid', 'RMA'],
  [LIGUE_1, 'Paris Saint-Germain', 'PSG'],
  [LIGUE_1, 'Lyon', 'OL'],
  [BUNDESLIGA, '1. FC Köln', 'KOE'],
  [BUNDESLIGA, 'FC Schalke 04', 'S04'],
  [MLS, 'Inter Miami CF', 'MIA'],
];
const keyOf = (league: typeof NFL, name: string) => `${league.league} ${name}`;

const players: readonly (readonly [sport: string, name: string, of: string | null, position?: string])[] = [
  ['nfl', 'Patrick Mahomes', 'nfl Kansas City Chiefs', 'QB'],
  ['nfl', 'Travis Kelce', 'nfl Kansas City Chiefs', 'TE'],
  ['nfl', 'Josh Allen', 'nfl Buffalo Bills', 'QB'],
  ['nfl', 'James Cook', 'nfl Buffalo Bills', 'RB'],
  ['nfl', 'Daniel Jones', 'nfl Indianapolis Colts', 'QB'],
  ['nfl', 'Josh Allen', 'nfl Jacksonville Jaguars', 'DE'],
  ['nfl', 'Trent McDuffie', 'nfl Kansas City Chiefs', 'CB'],
  ['ncaaf', 'Bryce Underwood', 'ncaaf Michigan', 'QB'],
  ['nba', 'LeBron James', 'nba Los Angeles Lakers', 'F'],
  ['nba', 'Luka Doncic', 'nba Los Angeles Lakers', 'G'],
  ['nba', 'Jayson Tatum', 'nba Boston Celtics', 'F'],
  ['nba', 'Jaylen Brown', 'nba Boston Celtics', 'G'],
  ['nba', 'Bronny James', 'nba Chicago Bulls', 'G'],
  ['nba', 'Tyrese Maxey', 'nba Philadelphia 76ers', 'G'],
  ['ncaab', 'Cooper Flagg', 'ncaab Duke', 'F'],
  ['mlb', 'Aaron Judge', 'mlb New York Yankees', 'RF'],
  ['mlb', 'Gerrit Cole', 'mlb New York Yankees', 'SP'],
  ['mlb', 'Max Fried', 'mlb New York Yankees'],
  ['mlb', 'Rafael Devers', 'mlb San Francisco Giants', 'DH'],
  ['mlb', 'Ronald Acuña Jr.', 'mlb Boston Red Sox', 'OF'],
  ['nhl', 'Connor McDavid', 'nhl Edmonton Oilers', 'C'],
  ['nhl', 'Igor Shesterkin', 'nhl New York Rangers', 'G'],
  ['soccer', 'Bukayo Saka', 'epl Arsenal', 'F'],
  ['soccer', 'Cole Palmer', 'epl Chelsea', 'M'],
  ['soccer', 'Erling Haaland', 'epl Manchester City', 'F'],
  ['soccer', 'Lionel Messi', 'mls Inter Miami CF', 'F'],
  ['soccer', 'Thibaut Courtois', 'la_liga Real Madrid', 'G'],
  ['nba', 'Free Agent', null],
  ['tennis', 'Carlos Alcaraz', null],
  ['tennis', 'Jannik Sinner', null],
  ['tennis', 'Alexander Zverev', null],
  ['tennis', 'Mischa Zverev', null],
  ['tennis', 'Iga Świątek', null],
  ['tennis', 'Coco Gauff', null],
];

type Game = readonly [
  ref: string,
  league: typeof NFL,
  home: string,
  away: string,
  starts_at: string,
  timezone?: string,
];
const games: readonly Game[] = [
  ['chiefs', NFL, 'Kansas City Chiefs', 'Buffalo Bills', '2026-03-02T01:20:00Z'],
  ['chiefs-before', NFL, 'Buffalo Bills', 'Kansas City Chiefs', '2026-02-22T18:00:00Z'],
  ['cowboys', NFL, 'Dallas Cowboys', 'New York Giants', '2026-03-01T18:00:00Z'],
  ['jaguars', NFL, 'Jacksonville Jaguars', 'Indianapolis Colts', '2026-03-01T18:00:00Z'],
  ['michigan', NCAAF, 'Michigan', 'Ohio State', '2026-02-28T17:00:00Z'],
  ['lakers', NBA, 'Los Angeles Lakers', 'Boston Celtics', '2026-03-02T03:30:00Z', 'America/Los_Angeles'],
  ['lakers-yesterday', NBA, 'Chicago Bulls', 'Los Angeles Lakers', '2026-03-01T01:00:00Z', 'America/Chicago'],
  ['celtics-tuesday', NBA, 'Boston Celtics', 'Philadelphia 76ers', '2026-03-04T00:30:00Z'],
  ['kings', NBA, 'Sacramento Kings', 'Chicago Bulls', '2026-03-03T03:00:00Z'],
  ['duke', NCAAB, 'Duke', 'Michigan', '2026-03-01T23:00:00Z'],
  ['yankees-1', MLB, 'New York Yankees', 'Boston Red Sox', '2026-03-01T17:05:00Z'],
  ['yankees-2', MLB, 'New York Yankees', 'Boston Red Sox', '2026-03-01T23:05:00Z'],
  ['yankees-monday', MLB, 'New York Yankees', 'San Francisco Giants', '2026-03-02T23:05:00Z'],
  ['dodgers', MLB, 'Los Angeles Dodgers', 'San Francisco Giants', '2026-02-28T20:00:00Z'],
  ['rangers', NHL, 'New York Rangers', 'Los Angeles Kings', '2026-03-01T00:30:00Z'],
  ['oilers', NHL, 'Edmonton Oilers', 'New York Rangers', '2026-03-03T02:00:00Z'],
  ['arsenal', EPL, 'Arsenal', 'Chelsea', '2026-03-01T16:30:00Z'],
  ['city', EPL, 'Brighton & Hove Albion', 'Manchester City', '2026-02-28T15:00:00Z'],
  ['arsenal-madrid', UCL, 'Arsenal', 'Real Madrid', '2026-03-03T20:00:00Z'],
  ['lyon', LIGUE_1, 'Paris Saint-Germain', 'Lyon', '2026-03-01T19:45:00Z'],
  ['koeln', BUNDESLIGA, '1. FC Köln', 'FC Schalke 04', '2026-02-28T14:30:00Z'],
  ['miami', MLS, 'Inter Miami CF', 'Austin FC', '2026-03-01T00:30:00Z'],
  ['alcaraz', ATP, 'Carlos Alcaraz', 'Jannik Sinner', '2026-03-01T14:00:00Z'],
  ['zverev', ATP, 'Alexander Zverev', 'Mischa Zverev', '2026-02-27T14:00:00Z'],
  ['swiatek', WTA, 'Iga Świątek', 'Coco Gauff', '2026-03-02T10:00:00Z'],
];

export const MESSAGES: readonly Message[] = [
  ...teams.map(([league, name, abbreviation, city]) =>
    team(league, keyOf(league, name), name, abbreviation, city === undefined ? {} : { city }),
  ),
  ...players.map(([sport, name, of, position], index) =>
    player(sport, `p${index}`, name, { ...(of === null ? {} : { team_ref: of }), ...(position ? { position } : {}) }),
  ),
  ...games.map(([ref, league, home, away, starts_at, timezone]) =>
    schedule(league, ref, [sideOf(league, home), sideOf(league, away)], starts_at, {
      ...(timezone ? { venue: { name: `Arena of ${home}`, timezone } } : {}),
    }),
  ),
  score('lakers-yesterday', 'final', ['100', '110'], { at: '2026-03-01T04:00:00Z' }),
  score('rangers', 'final', ['4', '2'], { at: '2026-03-01T03:30:00Z' }),
  score('city', 'final', ['1', '1'], { at: '2026-02-28T17:00:00Z' }),
  score('dodgers', 'final', ['5', '3'], { at: '2026-02-28T23:30:00Z' }),
];

/** A team that is in no directory of its league, as in a cup. */
function sideOf(league: typeof NFL, name: string): string | { name: string; ref?: string } {
  const own = teams.find(
    ([of, called]) => called === name && (of.league === league.league || of.sport === league.sport),
  );
  return own ? { name, ref: keyOf(own[0], name) } : name;
}

export const REFS: readonly string[] = games.map(([ref]) => ref);

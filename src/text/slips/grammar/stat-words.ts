import { withOwnSports } from '../../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';

/** The statistic that a word means, by sport. */
export type StatBySport = ReadonlyMap<SportSlug, string>;

const BASKETBALL = withOwnSports(['nba', 'ncaab']);
const FOOTBALL = withOwnSports(['nfl', 'ncaaf']);
const BASEBALL = withOwnSports(['mlb']);
const HOCKEY = withOwnSports(['nhl']);
const SOCCER = withOwnSports(['soccer']);

/** The sports, the statistic, and other words for it. `docs/slips.md` shows this table. */
export const STAT_WORDS: readonly (readonly [sports: readonly SportSlug[], stat: string, words: readonly string[]])[] =
  [
    [BASKETBALL, 'points', ['pts']],
    [BASKETBALL, 'rebounds', ['reb', 'rebs', 'boards']],
    [BASKETBALL, 'assists', ['ast', 'asts', 'dimes']],
    [BASKETBALL, 'points_rebounds_assists', ['pra', 'pts + reb + ast']],
    [BASKETBALL, 'three_pointers_made', ['threes', '3s', '3pm', '3pt']],
    [BASKETBALL, 'steals', ['stl']],
    [BASKETBALL, 'blocks', ['blk']],
    [BASKETBALL, 'turnovers', ['to']],
    [FOOTBALL, 'passing_yards', ['pass yds', 'pass yards', 'passing yds']],
    [FOOTBALL, 'rushing_yards', ['rush yds', 'rush yards', 'rushing yds']],
    [FOOTBALL, 'receiving_yards', ['rec yds', 'rec yards', 'receiving yds']],
    [FOOTBALL, 'passing_touchdowns', ['pass tds', 'passing tds']],
    [FOOTBALL, 'rushing_touchdowns', ['rush tds', 'rushing tds']],
    [FOOTBALL, 'receiving_touchdowns', ['rec tds', 'receiving tds']],
    [FOOTBALL, 'receptions', ['rec', 'catches']],
    [FOOTBALL, 'passing_completions', ['completions']],
    [FOOTBALL, 'passing_attempts', ['attempts']],
    [FOOTBALL, 'rushing_attempts', ['carries']],
    [FOOTBALL, 'passing_interceptions', ['ints']],
    [FOOTBALL, 'total_tackles', ['tackles']],
    [FOOTBALL, 'sacks', []],
    [BASEBALL, 'hits', []],
    [BASEBALL, 'home_runs', ['hr', 'hrs', 'homers']],
    [BASEBALL, 'rbis', ['rbi']],
    [BASEBALL, 'total_bases', ['tb']],
    [BASEBALL, 'runs', []],
    [BASEBALL, 'stolen_bases', ['sb']],
    [BASEBALL, 'strikeouts', ['ks', 'k']],
    [BASEBALL, 'outs_recorded', ['outs']],
    [HOCKEY, 'shots_on_goal', ['sog', 'shots']],
    [HOCKEY, 'saves', []],
    [HOCKEY, 'goals', []],
    [HOCKEY, 'assists', []],
    [HOCKEY, 'points', []],
    [SOCCER, 'goals', []],
    [SOCCER, 'assists', []],
    [SOCCER, 'shots', []],
    [SOCCER, 'shots_on_target', ['sot']],
    [SOCCER, 'saves', []],
    [SOCCER, 'cards', []],
  ];

const MEANINGS = new Map<string, Map<SportSlug, string>>();
for (const [sports, stat, words] of STAT_WORDS) {
  for (const phrase of [stat.replaceAll('_', ' '), ...words]) {
    const meaning = MEANINGS.get(phrase) ?? new Map<SportSlug, string>();
    for (const sport of sports) meaning.set(sport, stat);
    MEANINGS.set(phrase, meaning);
  }
}

/** The meaning of a phrase of lower-case words separated by single spaces; undefined if it is not a statistic. */
export const findStat = (phrase: string): StatBySport | undefined => MEANINGS.get(phrase);

/** Number of tokens of the longest phrase: `pts + reb + ast`. */
export const MAX_STAT_TOKENS = 5;

const forSports = (sports: readonly SportSlug[], stat: string): StatBySport =>
  new Map(sports.map((sport) => [sport, stat]));

/** Phrases after `anytime`. */
export const ANYTIME_PHRASES: readonly (readonly [words: readonly string[], stats: StatBySport])[] = [
  [['goal', 'scorer'], forSports(SOCCER, 'goals')],
  [['goalscorer'], forSports(SOCCER, 'goals')],
  [['goal'], forSports(SOCCER, 'goals')],
  [['assist'], forSports(SOCCER, 'assists')],
  [['td'], forSports(FOOTBALL, 'touchdowns')],
];

/** Phrases after `over a`. */
export const OVER_A_PHRASES: readonly (readonly [words: readonly string[], stats: StatBySport])[] = [
  [['home', 'run'], forSports(BASEBALL, 'home_runs')],
  [['homer'], forSports(BASEBALL, 'home_runs')],
  [['hit'], forSports(BASEBALL, 'hits')],
];

/**
 * The statistic meant for a player. For strikeouts and interceptions the position decides whether he makes or suffers
 * them.
 * @param position from the directory; null if unknown
 */
export function statOfPlayer(stats: StatBySport, sport: SportSlug, position: string | null): string | undefined {
  const stat = stats.get(sport);
  const at = position?.trim().toUpperCase() ?? '';
  if (stat === 'strikeouts' && ['', 'P', 'SP', 'RP'].includes(at)) return 'pitching_strikeouts';
  if (stat === 'passing_interceptions' && at !== '' && at !== 'QB') return 'defensive_interceptions';
  return stat;
}

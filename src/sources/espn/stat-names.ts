import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { teamStatisticNames } from '../../domain/statistics/statistics-catalogue.ts';

/** Names already converted: all players of all answers have the same names. */
const snakeCaseCache = new Map<string, string>();
const MAX_CACHED = 2000;
const LONGEST = 100;

/** `fieldGoalsMade` becomes `field_goals_made`, `QBHits` becomes `qb_hits`. */
function snakeCase(name: string): string {
  const known = snakeCaseCache.get(name);
  if (known !== undefined) return known;
  const snake = inSnakeCase(name);
  if (snakeCaseCache.size < MAX_CACHED && name.length <= LONGEST) snakeCaseCache.set(name, snake);
  return snake;
}

const inSnakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();

type Names = Readonly<Record<string, string>>;

const FOOTBALL: Names = {
  'passing completions': 'passing_completions',
  'passing interceptions': 'passing_interceptions',
  'passing sacks': 'sacks_taken',
  'passing sackYardsLost': 'sack_yards_lost',
  'passing QBRating': 'passer_rating',
  'passing adjQBR': 'adjusted_qbr',
  'rushing longRushing': 'longest_rush',
  'receiving longReception': 'longest_reception',
  'receiving receivingTargets': 'targets',
  'defensive totalTackles': 'total_tackles',
  'interceptions interceptions': 'defensive_interceptions',
  'kicking fieldGoalAttempts': 'field_goals_attempted',
  'kicking extraPointAttempts': 'extra_points_attempted',
  'kicking totalKickingPoints': 'kicking_points',
};

const BASKETBALL: Names = {
  threePointFieldGoalsMade: 'three_pointers_made',
  threePointFieldGoalsAttempted: 'three_pointers_attempted',
  threePointFieldGoalPct: 'three_point_pct',
  totalRebounds: 'rebounds',
};

/** A pitcher's statistics are those that he allowed. */
const BASEBALL: Names = {
  'batting RBIs': 'rbis',
  'batting runnersLeftOnBase': 'left_on_base',
  'pitching hits': 'hits_allowed',
  'pitching runs': 'runs_allowed',
  'pitching walks': 'walks_allowed',
  'pitching homeRuns': 'home_runs_allowed',
  'pitching strikeouts': 'pitching_strikeouts',
};

const HOCKEY: Names = { shotsTotal: 'shots_on_goal' };

const SOCCER: Names = {
  totalGoals: 'goals',
  goalAssists: 'assists',
  totalShots: 'shots',
  wonCorners: 'corners',
  foulsCommitted: 'fouls',
  totalPasses: 'passes',
  totalTackles: 'tackles',
};

const TENNIS: Names = {
  firstServePercentage: 'first_serve_pct',
  firstServePointsWonPercentage: 'first_serve_points_won_pct',
  secondServePointsWonPercentage: 'second_serve_points_won_pct',
  breakPointsConverted: 'break_points_won',
};

/** Names that differ from ESPN's name in snake case: a name with another meaning in each group of a box score, or a
 *  statistic that is listed under another name. `group name` takes precedence over `name`. */
const NAMES: Readonly<Record<SportSlug, Names>> = {
  nfl: FOOTBALL,
  ncaaf: FOOTBALL,
  nba: BASKETBALL,
  ncaab: BASKETBALL,
  mlb: BASEBALL,
  nhl: HOCKEY,
  soccer: SOCCER,
  tennis: TENNIS,
};

/** Team statistics with a pair of values under one name. */
export const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  thirdDownEff: ['third_down_conversions', 'third_down_attempts'],
  fourthDownEff: ['fourth_down_conversions', 'fourth_down_attempts'],
  completionAttempts: ['passing_completions', 'passing_attempts'],
  sacksYardsLost: ['sacks_taken', 'sack_yards_lost'],
  redZoneAttempts: ['red_zone_conversions', 'red_zone_attempts'],
  totalPenaltiesYards: ['penalties', 'penalty_yards'],
};

export function statName(sport: SportSlug, group: string, key: string): string {
  const names = NAMES[playsLike(sport)];
  const own = (name: string) => (Object.hasOwn(names, name) ? names[name] : undefined);
  return own(`${group} ${key}`) ?? own(key) ?? snakeCase(key);
}

/** Baseball groups a team's statistics by part of the game, and the same name has a different meaning in each part.
 *  Batting statistics and errors have their listed names; all others begin with the name of the part. */
export function nestedName(sport: SportSlug, part: string, key: string): string {
  const name = statName(sport, part, key);
  const isTheTeams = part === 'batting' || (part === 'fielding' && name === 'errors');
  const isListed = isTheTeams && teamStatisticNames(sport).includes(name);
  return isListed ? name : `${snakeCase(part)}_${snakeCase(key)}`;
}

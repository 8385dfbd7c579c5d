/** `fieldGoalsMade` is `field_goals_made`, `QBHits` is `qb_hits`. */
export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();

/**
 * Names that are not ESPN's in snake case: where a name means something else in every group of a box score, and where
 * player props know the statistic by another one. `group name` goes before `name`.
 */
const NAMES: Readonly<Record<string, string>> = {
  // American football
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
  // Basketball
  threePointFieldGoalsMade: 'three_pointers_made',
  threePointFieldGoalsAttempted: 'three_pointers_attempted',
  threePointFieldGoalPct: 'three_point_pct',
  totalRebounds: 'rebounds',
  // Baseball: a pitcher's are what he allowed
  'batting RBIs': 'rbis',
  'pitching hits': 'hits_allowed',
  'pitching runs': 'runs_allowed',
  'pitching walks': 'walks_allowed',
  'pitching homeRuns': 'home_runs_allowed',
  'pitching strikeouts': 'pitching_strikeouts',
  // Ice hockey
  shotsTotal: 'shots_on_goal',
};

/** Team statistics that are a pair under one name. */
export const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  thirdDownEff: ['third_down_conversions', 'third_down_attempts'],
  fourthDownEff: ['fourth_down_conversions', 'fourth_down_attempts'],
  completionAttempts: ['passing_completions', 'passing_attempts'],
  sacksYardsLost: ['sacks_taken', 'sack_yards_lost'],
  redZoneAttempts: ['red_zone_conversions', 'red_zone_attempts'],
  totalPenaltiesYards: ['penalties', 'penalty_yards'],
};

export const statName = (group: string, key: string): string =>
  NAMES[`${group} ${key}`] ?? NAMES[key] ?? snakeCase(key);

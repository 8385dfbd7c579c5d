import type { SportSlug } from '../catalogue.ts';
import { ownValue } from '../own.ts';

const FOOTBALL = [
  'first_downs',
  'total_yards',
  'net_passing_yards',
  'rushing_yards',
  'passing_completions',
  'passing_attempts',
  'rushing_attempts',
  'third_down_conversions',
  'third_down_attempts',
  'red_zone_conversions',
  'red_zone_attempts',
  'penalties',
  'penalty_yards',
  'turnovers',
  'sacks_taken',
  'possession_time_seconds',
] as const;

const BASKETBALL = [
  'field_goals_made',
  'field_goals_attempted',
  'three_pointers_made',
  'three_pointers_attempted',
  'free_throws_made',
  'free_throws_attempted',
  'rebounds',
  'offensive_rebounds',
  'defensive_rebounds',
  'assists',
  'steals',
  'blocks',
  'turnovers',
  'fouls',
] as const;

/**
 * The statistics of a side's box from which its rates are made, by sport, in the order in which they show. What team
 * sports score is not among them: it comes from the score.
 */
export const RATE_FIELDS: Readonly<Record<SportSlug, readonly string[]>> = {
  nfl: FOOTBALL,
  ncaaf: FOOTBALL,
  nba: BASKETBALL,
  ncaab: BASKETBALL,
  mlb: [
    'hits',
    'doubles',
    'triples',
    'home_runs',
    'rbis',
    'walks',
    'strikeouts',
    'stolen_bases',
    'at_bats',
    'left_on_base',
    'errors',
  ],
  nhl: [
    'shots_on_goal',
    'hits',
    'blocked_shots',
    'power_play_goals',
    'power_play_opportunities',
    'penalty_minutes',
    'faceoffs_won',
    'giveaways',
    'takeaways',
  ],
  soccer: [
    'shots',
    'shots_on_target',
    'possession_pct',
    'corners',
    'fouls',
    'yellow_cards',
    'red_cards',
    'passes',
    'pass_accuracy_pct',
    'saves',
    'offsides',
    'tackles',
    'interceptions',
    'blocked_shots',
    'assists',
  ],
  tennis: [
    'aces',
    'double_faults',
    'first_serve_pct',
    'first_serve_points_won_pct',
    'second_serve_points_won_pct',
    'break_points_won',
    'break_points_faced',
    'total_points_won',
  ],
};

/** What a team's box calls them where it has ESPN's own names. */
const ESPN_NAMES: Readonly<Record<string, string>> = {
  rbis: 'batting_rb_is',
  left_on_base: 'batting_runners_left_on_base',
  errors: 'fielding_errors',
};

/** What a side's box states of its sport's fields, in their order; null for what it does not. Null: it states none. */
export function ratedStats(
  sport: string,
  stats: Readonly<Record<string, number>> | null,
): readonly (number | null)[] | null {
  const fields = ownValue(RATE_FIELDS, sport);
  if (!fields || !stats) return null;
  const values = fields.map((field) => statOf(sport, stats, field) ?? null);
  return values.some((value) => value !== null) ? values : null;
}

function statOf(sport: string, stats: Readonly<Record<string, number>>, field: string): number | undefined {
  const own = ownValue(stats, field);
  if (own !== undefined || sport !== 'mlb') return own;
  return ownValue(stats, ownValue(ESPN_NAMES, field) ?? `batting_${field}`);
}

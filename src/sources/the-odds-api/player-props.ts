import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';

/** The subject of a player prop market. */
interface Prop {
  /** A player's statistic as named in `docs/statistics.md`; a statistic that is not listed there keeps the provider's
   *  name. */
  readonly stat: string;
  /** A yes-or-no market: its `Yes` is over 0.5 of the statistic, its `No` under it. */
  readonly isYesNo?: true;
  /** Other markets have prices of the same statistic, so that this one alone withdraws none. */
  readonly shared?: true;
}

type Stats = Readonly<Record<string, string>>;

const FOOTBALL: Stats = {
  player_pass_tds: 'passing_touchdowns',
  player_pass_yds: 'passing_yards',
  player_pass_completions: 'passing_completions',
  player_pass_attempts: 'passing_attempts',
  player_pass_interceptions: 'passing_interceptions',
  player_pass_longest_completion: 'longest_completion',
  player_pass_rush_yds: 'passing_rushing_yards',
  player_pass_rush_reception_tds: 'passing_rushing_receiving_touchdowns',
  player_pass_rush_reception_yds: 'passing_rushing_receiving_yards',
  player_rush_yds: 'rushing_yards',
  player_rush_tds: 'rushing_touchdowns',
  player_rush_attempts: 'rushing_attempts',
  player_rush_longest: 'longest_rush',
  player_rush_reception_tds: 'rushing_receiving_touchdowns',
  player_rush_reception_yds: 'rushing_receiving_yards',
  player_receptions: 'receptions',
  player_reception_yds: 'receiving_yards',
  player_reception_tds: 'receiving_touchdowns',
  player_reception_longest: 'longest_reception',
  player_assists: 'assists',
  player_defensive_interceptions: 'defensive_interceptions',
  player_field_goals: 'field_goals_made',
  player_kicking_points: 'kicking_points',
  player_pats: 'extra_points_made',
  player_sacks: 'sacks',
  player_solo_tackles: 'solo_tackles',
  player_tackles_assists: 'total_tackles',
  player_tds_over: 'touchdowns',
};

const BASKETBALL: Stats = {
  player_points: 'points',
  player_rebounds: 'rebounds',
  player_assists: 'assists',
  player_threes: 'three_pointers_made',
  player_blocks: 'blocks',
  player_steals: 'steals',
  player_blocks_steals: 'blocks_steals',
  player_turnovers: 'turnovers',
  player_points_rebounds_assists: 'points_rebounds_assists',
  player_points_rebounds: 'points_rebounds',
  player_points_assists: 'points_assists',
  player_rebounds_assists: 'rebounds_assists',
  player_field_goals: 'field_goals_made',
  player_frees_made: 'free_throws_made',
  player_frees_attempts: 'free_throws_attempted',
};

/** Statistics of pitchers and of batters have different names. */
const BASEBALL: Stats = {
  batter_home_runs: 'home_runs',
  batter_hits: 'hits',
  batter_total_bases: 'total_bases',
  batter_rbis: 'rbis',
  batter_runs_scored: 'runs',
  batter_hits_runs_rbis: 'hits_runs_rbis',
  batter_singles: 'singles',
  batter_doubles: 'doubles',
  batter_triples: 'triples',
  batter_walks: 'walks',
  batter_strikeouts: 'strikeouts',
  batter_stolen_bases: 'stolen_bases',
  pitcher_strikeouts: 'pitching_strikeouts',
  pitcher_hits_allowed: 'hits_allowed',
  pitcher_walks: 'walks_allowed',
  pitcher_earned_runs: 'earned_runs',
  pitcher_outs: 'outs_recorded',
};

const HOCKEY: Stats = {
  player_points: 'points',
  player_power_play_points: 'power_play_points',
  player_assists: 'assists',
  player_blocked_shots: 'blocked_shots',
  player_shots_on_goal: 'shots_on_goal',
  player_goals: 'goals',
  player_total_saves: 'saves',
};

const SOCCER: Stats = {
  player_shots_on_target: 'shots_on_target',
  player_shots: 'shots',
  player_assists: 'assists',
};

/** The statistics that markets count, by market key. */
export const PROP_STATS: Readonly<Record<SportSlug, Stats>> = {
  nfl: FOOTBALL,
  ncaaf: FOOTBALL,
  nba: BASKETBALL,
  ncaab: BASKETBALL,
  mlb: BASEBALL,
  nhl: HOCKEY,
  soccer: SOCCER,
  tennis: {},
};

/** Yes-or-no markets. */
export const YES_NO_STATS: Stats = {
  player_anytime_td: 'touchdowns',
  player_goal_scorer_anytime: 'goals',
  player_to_receive_card: 'cards',
  player_to_receive_red_card: 'red_cards',
  pitcher_record_a_win: 'wins',
};

/** Markets about no count of a game: who is the first or the last, and who has ten of two statistics. */
const NO_STATISTIC: readonly string[] = [
  'player_1st_td',
  'player_last_td',
  'player_first_basket',
  'player_first_team_basket',
  'player_method_of_first_basket',
  'player_double_double',
  'player_triple_double',
  'player_goal_scorer_first',
  'player_goal_scorer_last',
  'player_first_goal_scorer',
  'player_last_goal_scorer',
  'batter_first_home_run',
];

/** Statistics that have both a yes-or-no market and a line. */
const SHARED: readonly string[] = Object.values(YES_NO_STATS);

const PROP_KEY = /^(?:player|batter|pitcher)_/;
/** Statistics of a part of the game, for which props have no scope. */
const PART_OF_GAME = /_(q[1-4]|h[12]|p[1-3]|1st_\d_innings?)$/;
const STAT_NAME = /^[a-z0-9_]{1,60}$/;

/** Whether the market is a player prop. */
export const isPropKey = (key: string): boolean => PROP_KEY.test(key);

/** The subject of a player prop market; undefined if it is no statistic of the whole game. */
export function propOf(key: string, sport: SportSlug): Prop | undefined {
  if (NO_STATISTIC.includes(key) || PART_OF_GAME.test(key)) return undefined;
  const yesNoStat = Object.hasOwn(YES_NO_STATS, key) ? YES_NO_STATS[key] : undefined;
  const counted = Object.hasOwn(PROP_STATS[playsLike(sport)], key) ? PROP_STATS[playsLike(sport)][key] : undefined;
  const stat = yesNoStat ?? counted ?? key.replace(PROP_KEY, '');
  if (!STAT_NAME.test(stat)) return undefined;
  return {
    stat,
    ...(yesNoStat === undefined ? {} : { isYesNo: true as const }),
    ...(SHARED.includes(stat) ? { shared: true as const } : {}),
  };
}

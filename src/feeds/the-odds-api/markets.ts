/** What a market key of The Odds API says in the words of the feed contract. */
export interface MarketKey {
  readonly key: string;
  readonly scope?: '1H' | 'F5' | 'S1';
  readonly alternate?: true;
  /** A player's statistic. */
  readonly prop?: true;
  /** The market is a question: its `Yes` is over 0.5 of the statistic. */
  readonly yes?: true;
  /** Other markets tell prices of the same statistic, so that this one alone withdraws none. */
  readonly shared?: true;
}

const MAIN = ['h2h', 'spreads', 'totals', 'team_totals'];
const SCOPES: Readonly<Record<string, MarketKey['scope']>> = { _h1: '1H', _1st_5_innings: 'F5', _s1: 'S1' };
const MAIN_KEY = new RegExp(`^(alternate_)?(${MAIN.join('|')})(${Object.keys(SCOPES).join('|')})?$`);
const PROP_KEY = /^(?:player|batter|pitcher)_/;
/** Statistics of a part of the game only, which no scope can say for props. */
const PART_OF_GAME = /_(q[1-4]|h[12]|p[1-3])$/;

/** Names of statistics where they are not the key without its prefix. Pitchers' are kept apart from batters'. */
const STATS: Readonly<Record<string, string>> = {
  // American football
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
  player_field_goals: 'field_goals_made',
  player_pats: 'extra_points_made',
  player_tackles_assists: 'total_tackles',
  player_tds_over: 'touchdowns',
  // Basketball
  player_threes: 'three_pointers_made',
  player_frees_made: 'free_throws_made',
  player_frees_attempts: 'free_throws_attempted',
  // Baseball
  batter_runs_scored: 'runs',
  pitcher_strikeouts: 'pitching_strikeouts',
  pitcher_walks: 'walks_allowed',
  pitcher_outs: 'outs_recorded',
  // Ice hockey
  player_total_saves: 'saves',
};

/** Questions with `Yes` and `No`. Those without a statistic (who scores first, a double-double) have none to be over. */
const QUESTIONS: Readonly<Record<string, string | undefined>> = {
  player_anytime_td: 'touchdowns',
  player_goal_scorer_anytime: 'goals',
  player_to_receive_card: 'cards',
  player_to_receive_red_card: 'red_cards',
  pitcher_record_a_win: 'wins',
  player_1st_td: undefined,
  player_last_td: undefined,
  player_first_basket: undefined,
  player_first_team_basket: undefined,
  player_method_of_first_basket: undefined,
  player_double_double: undefined,
  player_triple_double: undefined,
  player_goal_scorer_first: undefined,
  player_goal_scorer_last: undefined,
  player_first_goal_scorer: undefined,
  player_last_goal_scorer: undefined,
  batter_first_home_run: undefined,
};

/** Statistics that a question and a line both are about. */
const SHARED = ['touchdowns', 'goals', 'cards', 'red_cards', 'wins'];
const shared = (stat: string) => (SHARED.includes(stat) ? { shared: true as const } : {});

/** Undefined for a market that the feed contract cannot say: other periods, both teams to score, lay prices. */
export function marketOf(given: string): MarketKey | undefined {
  const main = MAIN_KEY.exec(given);
  if (main) {
    const scope = main[3] ? { scope: SCOPES[main[3]] } : {};
    return { key: main[2]!, ...scope, ...(main[1] ? { alternate: true as const } : {}) };
  }
  if (!PROP_KEY.test(given)) return undefined;
  const rungs = given.endsWith('_alternate');
  const key = rungs ? given.slice(0, -'_alternate'.length) : given;
  const alternate = rungs ? { alternate: true as const } : {};
  if (Object.hasOwn(QUESTIONS, key)) {
    const stat = QUESTIONS[key];
    return stat === undefined ? undefined : { key: stat, prop: true, yes: true, ...shared(stat), ...alternate };
  }
  const stat = STATS[key] ?? key.replace(PROP_KEY, '');
  if (PART_OF_GAME.test(stat) || !/^[a-z0-9_]{1,60}$/.test(stat)) return undefined;
  return { key: stat, prop: true, ...shared(stat), ...alternate };
}

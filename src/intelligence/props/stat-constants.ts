import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';

/** What is usual for a statistic, in one game, among the players on whom bets of it are offered. */
export interface StatConstants {
  readonly mean: number;
  /** How many of a player's own games weigh as much as the usual mean. */
  readonly games: number;
  /** For counts: the variance is `mean + mean^2 / r`. */
  readonly r: number;
  /** For a measured statistic: its standard deviation. */
  readonly sd?: number;
  /** For games without any count at all: the usual share, and how many games it weighs. */
  readonly zeros: { readonly share: number; readonly games: number } | null;
  /** Whether the statistic is made in minutes, if boxes have them. */
  readonly inMinutes: boolean;
  /** The factor on the log odds. */
  readonly slope: number;
}

/** The minutes of a basketball player of whom nothing else is known. */
export const USUAL_MINUTES = 24;

type Row = readonly [mean: number, games: number, r: number, slope?: number, zeros?: [share: number, games: number]];

// Basketball: fitted on the NBA games of 2025-26 of half of the players, and tested on the other half (docs/models.md).
const BASKETBALL: Readonly<Record<string, Row>> = {
  points: [11.8, 1.3, 3.6, 0.8],
  rebounds: [4.3, 1.2, 8],
  assists: [2.8, 0.9, 8],
  three_pointers_made: [1.35, 1.6, 5.7],
  three_pointers_attempted: [3.8, 0.4, 15],
  field_goals_made: [4.2, 1.6, 15, 0.9],
  field_goals_attempted: [9.1, 0.6, 14, 0.9],
  free_throws_made: [1.9, 2, 1.8, 0.9],
  free_throws_attempted: [2.4, 2, 1.75, 0.9],
  offensive_rebounds: [1.1, 1.7, 4.4],
  defensive_rebounds: [3.2, 1.8, 9],
  steals: [0.85, 8, 6.6],
  blocks: [0.47, 5, 4.1],
  turnovers: [1.4, 3.3, 8],
  fouls: [2, 5.6, 60, 0.8],
  points_rebounds_assists: [18.8, 1.1, 5, 0.8],
  points_rebounds: [16.1, 1.2, 4.7, 0.8],
  points_assists: [14.5, 1.2, 4.4, 0.8],
  rebounds_assists: [7.1, 1.1, 8, 0.9],
  blocks_steals: [1.3, 6.6, 5.7],
};

// Football: the first twelve were fitted on every second line of the NFL of 2022, and tested on the others
// (docs/models.md). The rest is set by hand after them.
const FOOTBALL: Readonly<Record<string, Row>> = {
  passing_yards: [225, 2, 8, 0.6, [0.03, 10]],
  passing_touchdowns: [1.4, 3, 40, 0.6],
  passing_interceptions: [0.7, 15, 6, 0.8],
  passing_attempts: [31, 1, 12, 0.6, [0.03, 10]],
  passing_completions: [20, 1, 15, 0.6, [0.03, 10]],
  rushing_yards: [27, 0.7, 1.6, 0.8, [0.3, 1.5]],
  rushing_attempts: [7, 0.7, 4.5, 0.6],
  receiving_yards: [33, 1.1, 1.9, 0.6, [0.17, 4]],
  receptions: [2.9, 0.8, 9.7, 0.6],
  rushing_receiving_yards: [52, 1, 2, 0.6, [0.06, 10]],
  passing_rushing_yards: [250, 3, 11, 0.6, [0.03, 10]],
  touchdowns: [0.26, 10, 50],
  rushing_receiving_touchdowns: [0.26, 10, 50],
  rushing_touchdowns: [0.25, 10, 30],
  receiving_touchdowns: [0.2, 12, 30],
  passing_rushing_receiving_yards: [250, 3, 11, 0.6, [0.03, 10]],
  passing_rushing_receiving_touchdowns: [1.6, 4, 40, 0.7],
  targets: [4.5, 0.8, 9, 0.6],
  longest_completion: [36, 6, 8, 0.7],
  longest_reception: [18, 2, 3, 0.7, [0.17, 4]],
  longest_rush: [11, 2, 3, 0.7, [0.15, 3]],
  sacks_taken: [2.3, 6, 8, 0.8],
  total_tackles: [5.2, 2, 12, 0.7],
  solo_tackles: [3.3, 2, 12, 0.7],
  assists: [2, 3, 8, 0.7],
  sacks: [0.35, 8, 3, 0.8],
  tackles_for_loss: [0.5, 8, 5, 0.8],
  passes_defended: [0.5, 8, 5, 0.8],
  defensive_interceptions: [0.1, 20, 20, 0.8],
  kicking_points: [7.4, 8, 12, 0.7],
  field_goals_made: [1.7, 10, 20, 0.7],
  field_goals_attempted: [2, 10, 20, 0.7],
  extra_points_made: [2.3, 6, 20, 0.7],
};

// Baseball and hockey: set by hand; strikeouts and shots after the sources that docs/models.md names. There were no
// logs of players to fit them on.
const BASEBALL: Readonly<Record<string, Row>> = {
  hits: [0.95, 25, 80, 0.9],
  singles: [0.62, 25, 60, 0.9],
  doubles: [0.2, 40, 60, 0.9],
  triples: [0.02, 60, 30, 0.9],
  home_runs: [0.14, 30, 60, 0.9],
  runs: [0.52, 25, 8, 0.9],
  rbis: [0.52, 25, 2, 0.9],
  total_bases: [1.5, 25, 2, 0.9],
  hits_runs_rbis: [2, 25, 3, 0.9],
  walks: [0.36, 20, 12, 0.9],
  strikeouts: [0.95, 12, 40, 0.9],
  stolen_bases: [0.09, 20, 2, 0.9],
  at_bats: [3.8, 5, 100, 0.9],
  pitching_strikeouts: [5, 6, 60, 0.9],
  hits_allowed: [5.2, 10, 40, 0.9],
  runs_allowed: [2.7, 12, 5, 0.9],
  earned_runs: [2.5, 12, 4, 0.9],
  walks_allowed: [1.8, 8, 12, 0.9],
  home_runs_allowed: [0.7, 20, 20, 0.9],
  wins: [0.3, 20, 60, 0.9],
};

const HOCKEY: Readonly<Record<string, Row>> = {
  shots_on_goal: [2, 4, 12, 0.9],
  goals: [0.25, 20, 30, 0.9],
  assists: [0.4, 12, 20, 0.9],
  points: [0.65, 10, 12, 0.9],
  power_play_points: [0.2, 12, 8, 0.9],
  blocked_shots: [1.1, 5, 8, 0.9],
  hits: [1.5, 4, 5, 0.9],
  faceoffs_won: [5, 2, 6, 0.9],
  giveaways: [0.7, 8, 6, 0.9],
  takeaways: [0.6, 8, 6, 0.9],
  penalty_minutes: [0.6, 10, 0.4, 0.9],
  saves: [26, 8, 25, 0.8],
  goals_against: [2.7, 20, 20, 0.8],
  shots_against: [29, 8, 30, 0.8],
};

const ROWS: Readonly<Partial<Record<SportSlug, Readonly<Record<string, Row>>>>> = {
  nba: BASKETBALL,
  ncaab: BASKETBALL,
  nfl: FOOTBALL,
  ncaaf: FOOTBALL,
  mlb: BASEBALL,
  nhl: HOCKEY,
};

/** Measured statistics: means, and standard deviations from game to game. */
const MEASURED: Readonly<Record<string, readonly [mean: number, sd: number]>> = {
  nba_plus_minus: [0, 11],
  ncaab_plus_minus: [0, 11],
  nhl_plus_minus: [0, 1.3],
  mlb_outs_recorded: [16, 4],
  nfl_passer_rating: [90, 25],
  ncaaf_passer_rating: [130, 35],
  nfl_adjusted_qbr: [50, 22],
  ncaaf_adjusted_qbr: [50, 22],
};

/** For an unknown statistic: the player's own games soon count more. */
const UNKNOWN: Row = [0.5, 1, 3, 0.7];

/** The constants of a statistic by its name in `docs/statistics.md`. An unknown name has default constants. */
export function statConstantsOf(sport: SportSlug, stat: string): StatConstants {
  const spread = ownValue(MEASURED, `${sport}_${stat}`);
  if (spread) {
    const [mean, sd] = spread;
    return { mean, games: 3, r: 1, sd, zeros: null, inMinutes: false, slope: 0.8 };
  }
  const [mean, games, r, slope = 1, zeros] = ownValue(ROWS[playsLike(sport)] ?? {}, stat) ?? UNKNOWN;
  return {
    mean,
    games,
    r,
    slope,
    zeros: zeros ? { share: zeros[0], games: zeros[1] } : null,
    inMinutes: (playsLike(sport) === 'nba' || playsLike(sport) === 'ncaab') && stat !== 'minutes',
  };
}

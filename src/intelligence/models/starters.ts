import { DAY } from '../../domain/primitives/time.ts';
import type { FinishedGame, Fixture, ModelMemory } from './model.ts';
import { carryOverSeason, dampenError, type Estimate, updateEstimate } from './online-estimates.ts';
import type { TeamLeagueMemory, TeamMemory } from './team-memory.ts';

export interface StarterConstants {
  /**
   * Runs of a side in the first five innings before the first game, and the share of an error that this number takes
   * over.
   */
  readonly early: number;
  readonly earlyGain: number;
  /** Standard deviations: of one start, and of newcomers. */
  readonly noise: number;
  readonly newcomerSd: number;
  readonly newcomerMean: number;
  readonly carry: number;
  /** What a start adds to the variance. */
  readonly drift: number;
  readonly bound: number;
  /** Runs of the whole game for one run of the first five innings. */
  readonly weight: number;
  /** The share of a start that the mean of a team's starters takes over. */
  readonly staffGain: number;
  /** The share of the other side's rating that applies to the first five innings. */
  readonly batting: number;
}

export const newStarter = ({ newcomerMean, newcomerSd }: StarterConstants): Estimate => ({
  mean: newcomerMean,
  variance: newcomerSd * newcomerSd,
});

const BREAK = 60 * DAY;

/**
 * The runs that each side's starter saves in the first five innings, compared with the team's usual starters. A starter
 * that is not announced saves nothing.
 */
export function runsSaved(
  constants: StarterConstants,
  teams: readonly TeamMemory[],
  starters: readonly TeamMemory[],
  { startsAt, starters: named }: Fixture,
): readonly [home: number, away: number] {
  const edge = (team: TeamMemory, starter: TeamMemory, name: string | null): number =>
    name === null ? 0 : team.staff - starterOnDate(constants, starter, startsAt).mean;
  return [edge(teams[0]!, starters[0]!, named.home), edge(teams[1]!, starters[1]!, named.away)];
}

function starterOnDate(
  { carry, newcomerMean, newcomerSd, drift }: StarterConstants,
  { starter, last }: TeamMemory,
  startsAt: number,
) {
  if (last === null) return starter!;
  if (startsAt - last >= BREAK) return carryOverSeason(starter!, carry, newcomerMean, newcomerSd * newcomerSd);
  return { mean: starter!.mean, variance: starter!.variance + drift };
}

/** `teams` must already have learned the game's result. */
export function updateStarters(
  constants: StarterConstants,
  learned: {
    readonly league: TeamLeagueMemory;
    readonly teams: readonly [TeamMemory, TeamMemory];
    readonly starters: readonly TeamMemory[];
    readonly game: FinishedGame;
  },
): ModelMemory<TeamLeagueMemory, TeamMemory> {
  const { league, starters, game, teams } = learned;
  if (game.detail === null) return { league, sides: [...teams, ...starters] };
  const names = [game.starters.home, game.starters.away];
  const runs = [game.detail.away, game.detail.home];
  const means: number[] = [];
  let errors = 0;
  const after = starters.map((side, i) => {
    const other = teams[1 - i]!;
    const batting = constants.batting * ((other.margin.mean + other.total.mean) / 2);
    const before = starterOnDate(constants, side, game.startsAt);
    const error = runs[i]! - league.early - batting - before.mean;
    errors += error;
    means.push(before.mean);
    if (names[i] === null) return side;
    const spread = constants.noise * constants.noise + before.variance;
    const starter = updateEstimate(before, dampenError(error, constants.bound), 1, spread);
    return { ...side, games: side.games + 1, last: game.startsAt, starter };
  });
  const staffed = teams.map((team, i) =>
    names[i] === null ? team : { ...team, staff: team.staff + constants.staffGain * (means[i]! - team.staff) },
  );
  return {
    league: { ...league, early: league.early + constants.earlyGain * errors },
    sides: [...staffed, ...after],
  };
}

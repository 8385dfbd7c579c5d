import { DAY } from '../../domain/primitives/time.ts';
import type { Fixture } from './model.ts';
import { carryOverSeason, type Estimate, updateEstimate } from './online-estimates.ts';
import type { TeamMemory } from './team-memory.ts';

/** The constants for the points that a quarterback is worth, apart from the rest of the team. */
export interface QuarterbackConstants {
  /** The mean and standard deviation for a new quarterback of a team that had others before. */
  readonly newcomerMean: number;
  readonly newcomerSd: number;
  /** What a day adds to the variance, and the factor that remains over the break between seasons. */
  readonly drift: number;
  readonly carry: number;
}

/** Home's first. The memory of each starting quarterback; `newSide` if none is named. */
interface Sides {
  readonly teams: readonly [TeamMemory, TeamMemory];
  readonly quarterbacks: readonly [TeamMemory, TeamMemory];
}

const BREAK = 60 * DAY;

const namesOf = ({ starters }: Fixture) => [starters.home, starters.away] as const;

/** What the quarterbacks of a game are worth on its day. If none is named, the team's last quarterback is expected. */
export function quarterbackValues(
  constants: QuarterbackConstants,
  { teams, quarterbacks }: Sides,
  fixture: Fixture,
): readonly [Estimate, Estimate] {
  const names = namesOf(fixture);
  const of = (i: 0 | 1): Estimate =>
    names[i] === null
      ? { mean: teams[i].quarterback ?? 0, variance: 0 }
      : quarterbackOnDate(constants, teams[i], quarterbacks[i], fixture.startsAt);
  return [of(0), of(1)];
}

function quarterbackOnDate(
  { newcomerMean, newcomerSd, drift, carry }: QuarterbackConstants,
  team: TeamMemory,
  { last, margin }: TeamMemory,
  startsAt: number,
): Estimate {
  const maxVariance = newcomerSd * newcomerSd;
  // A team's first named quarterback has played before: the team's rating already includes him.
  if (last === null) return { mean: team.quarterback === null ? 0 : newcomerMean, variance: maxVariance };
  if (startsAt - last >= BREAK) return carryOverSeason(margin, carry, newcomerMean, maxVariance);
  return { mean: margin.mean, variance: Math.min(maxVariance, margin.variance + (drift * (startsAt - last)) / DAY) };
}

/**
 * The memory after a game: first of the teams, then of the quarterbacks.
 * @param expected the result of `quarterbackValues`
 * @param error home's margin minus the expected margin, and the variance that was expected of it
 */
export function updateQuarterbacks(
  { teams, quarterbacks }: Sides,
  expected: readonly [Estimate, Estimate],
  error: { readonly of: number; readonly spread: number },
  fixture: Fixture,
): TeamMemory[] {
  const names = namesOf(fixture);
  const after = quarterbacks.map((side, i): TeamMemory => {
    if (names[i] === null) return side;
    const margin = updateEstimate(expected[i]!, error.of, i === 0 ? 1 : -1, error.spread);
    return { ...side, games: side.games + 1, last: fixture.startsAt, margin };
  });
  const led = teams.map((team, i) => (names[i] === null ? team : { ...team, quarterback: after[i]!.margin.mean }));
  return [...led, ...after];
}

import type { Fixture } from './model.ts';
import { carryOverSeason, type Estimate, updateEstimate } from './online-estimates.ts';
import type { TeamMemory } from './team-memory.ts';

/** Points that a quarterback is worth beside the rest of his team. */
export interface QuarterbackConstants {
  /** What is believed of one who is first seen while his team has had others, and the standard deviation of it. */
  readonly newcomerMean: number;
  readonly newcomerSd: number;
  /** What a day adds to the variance, and what stays over the break between seasons. */
  readonly drift: number;
  readonly carry: number;
}

/** Home's first; what is remembered of those who start, as `newSide` where nobody is named. */
interface Sides {
  readonly teams: readonly [TeamMemory, TeamMemory];
  readonly quarterbacks: readonly [TeamMemory, TeamMemory];
}

const DAY = 86_400_000;
const BREAK = 60 * DAY;

const namesOf = ({ starters }: Fixture) => [starters.home, starters.away] as const;

/** What the quarterbacks of a game are worth on its day. Where nobody is named, whoever played last is expected. */
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
  const most = newcomerSd * newcomerSd;
  // The first who is ever named of a team has played before: the team's rating knows him.
  if (last === null) return { mean: team.quarterback === null ? 0 : newcomerMean, variance: most };
  if (startsAt - last >= BREAK) return carryOverSeason(margin, carry, newcomerMean, most);
  return { mean: margin.mean, variance: Math.min(most, margin.variance + (drift * (startsAt - last)) / DAY) };
}

/**
 * What is remembered after a game, of teams and then of quarterbacks.
 * @param expected of `quarterbacksOn`
 * @param error what home's margin was above what was expected, with the variance that it was expected to have
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

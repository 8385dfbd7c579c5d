import { carried, type Estimate, estimateAfter } from './estimate.ts';
import type { Team } from './team-memory.ts';

/** Points that a quarterback is worth beside the rest of his team. */
export interface QuarterbackConstants {
  /** What is believed of one who is first seen while his team has had others, and the standard deviation of it. */
  readonly newcomer: number;
  readonly newcomers: number;
  /** What a day adds to the variance, and what stays over the break between seasons. */
  readonly drift: number;
  readonly carry: number;
}

const DAY = 86_400_000;
const BREAK = 60 * DAY;

/** Where nobody is named, whoever played last is expected. */
export function quarterbackOnTheDay(
  constants: QuarterbackConstants,
  { team, player, startsAt }: { readonly team: Team; readonly player: Team | null; readonly startsAt: number },
): Estimate {
  if (player === null) return { mean: team.staff, variance: 0 };
  const { newcomer, newcomers, drift, carry } = constants;
  // The first that is ever named has played before: the team's rating knows him.
  if (player.last === null) return { mean: team.named ? newcomer : 0, variance: newcomers * newcomers };
  const away = startsAt - player.last;
  if (away >= BREAK) return carried(player.margin, carry, newcomer, newcomers * newcomers);
  const { mean, variance } = player.margin;
  return { mean, variance: Math.min(newcomers * newcomers, variance + (drift * away) / DAY) };
}

import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { type UsageConstants, usageConstantsOf } from './usage-constants.ts';

/** How often a player was used in one game. */
export interface GameUsage {
  /** His attempts, targets or carries, as the statistic has it. */
  readonly uses: number;
  /** The rushing attempts and the targets, which tell a back from a receiver. */
  readonly carries: number;
  readonly targets: number;
}

/**
 * A player's usage in one game, as far as a statistic follows from it.
 * @param statOf the value of a statistic in his box; null if the box does not have it
 * @returns null if the statistic follows from no usage, or if the box does not have it
 */
export function usageIn(sport: SportSlug, stat: string, statOf: (stat: string) => number | null): GameUsage | null {
  const constants = usageConstantsOf(sport, stat);
  if (!constants) return null;
  let uses = 0;
  for (const part of constants.uses) {
    const value = statOf(part);
    if (value === null) return null;
    uses += value;
  }
  return { uses, carries: statOf('rushing_attempts') ?? 0, targets: statOf('targets') ?? 0 };
}

/** The summary of a player's games. The newest count most. */
export interface UsageForm {
  /** What he made, and from how many uses. */
  readonly made: number;
  readonly uses: number;
  /** The uses that are expected in his next game. */
  readonly expected: number;
  /** Whether he has carried more often than he was targeted. */
  readonly isBack: boolean;
  /** The number of games, and of games without any. */
  readonly games: number;
  readonly zeros: number;
}

/** The factor by which each later game reduces a game's weight in what a use makes. */
const DECAY = 0.985;

/**
 * @param past oldest first
 * @returns null if the usage in a game is not known
 */
export function usageForm(
  past: readonly { readonly value: number; readonly usage?: GameUsage | null }[],
  { recentShare, recentDecay, decay, usual }: UsageConstants,
): UsageForm | null {
  let [made, uses, games, zeros, carries, targets] = [0, 0, 0, 0, 0, 0];
  let [recent, recentGames, long, longGames] = [0, 0, 0, 0];
  for (const { value, usage } of past) {
    if (!usage) return null;
    const used = Math.max(0, usage.uses);
    made = DECAY * made + value;
    uses = DECAY * uses + used;
    games = DECAY * games + 1;
    zeros = DECAY * zeros + (value <= 0 ? 1 : 0);
    recent = recentDecay * recent + used;
    recentGames = recentDecay * recentGames + 1;
    long = decay * long + used;
    longGames = decay * longGames + 1;
    carries += usage.carries;
    targets += usage.targets;
  }
  if (games === 0) return null;
  const steady = (long + usual.games * usual.uses) / (longGames + usual.games);
  const expected = recentShare * (recent / recentGames) + (1 - recentShare) * steady;
  return { made, uses, expected, isBack: carries > targets, games, zeros };
}

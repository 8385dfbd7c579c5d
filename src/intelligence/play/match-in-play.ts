import { isSetWon } from '../../domain/sports-events/tennis-sets.ts';
import { setProbability, solveByBisection } from '../models/first-set.ts';

/** The games of both players in a set. */
type SetScore = readonly [number, number];

/**
 * The probability that the first player wins a tennis match that is being played, if all sets are equally likely to be
 * won, and all games. Who serves is not known.
 * @param before the probability before the start
 * @param sets in their order, the present one last
 */
export function matchInPlay(before: number, bestOf: number, sets: readonly SetScore[]): number {
  const set = setProbability(before, bestOf);
  const needed = bestOf > 3 ? 3 : 2;
  const last = sets.at(-1);
  const present: SetScore = last && !isSetWon(...last) ? last : [0, 0];
  const won = sets.filter((score) => isSetWon(...score));
  const [one, two] = [won.filter(([a, b]) => a > b).length, won.filter(([a, b]) => b > a).length];
  if (one >= needed || two >= needed) return one >= needed ? 1 : 0;
  const from = (a: number, b: number): number =>
    a >= needed ? 1 : b >= needed ? 0 : set * from(a + 1, b) + (1 - set) * from(a, b + 1);
  const game = solveByBisection((p) => setFrom([0, 0], p), set, 0, 1);
  const p = setFrom(present, game);
  return p * from(one + 1, two) + (1 - p) * from(one, two + 1);
}

/** The probability of winning a set from a score, by that of winning a game. A tie-break counts as a game. */
function setFrom(score: SetScore, game: number): number {
  const known = new Map<number, number>();
  const from = (one: number, two: number): number => {
    if (isSetWon(one, two)) return one > two ? 1 : 0;
    // 6-6, and longer sets of earlier rules.
    if (one >= 6 && two >= 6) return game;
    const key = one * 10 + two;
    const before = known.get(key);
    if (before !== undefined) return before;
    const p = game * from(one + 1, two) + (1 - game) * from(one, two + 1);
    known.set(key, p);
    return p;
  };
  return from(...score);
}

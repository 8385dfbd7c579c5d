import type { Chances, Pair } from './chances.ts';

interface GoalsToCome {
  /** Expected goals or runs of each side in the rest of the game. */
  readonly expected: Pair;
  /** Whether a tie stands (soccer), or is played out and adds one to the winner's score. */
  readonly draws: boolean;
  readonly leastSpread: number;
}

const MAX_GOALS = 16;

/** Probabilities of 0 to 16 goals; the last one includes all higher numbers. */
function goals(expected: number): number[] {
  const list = [Math.exp(-expected)];
  for (let count = 1; count < MAX_GOALS; count++) list.push((list[count - 1]! * expected) / count);
  list.push(Math.max(0, 1 - list.reduce((sum, one) => sum + one, 0)));
  return list;
}

/**
 * The rest of a game adds independent Poisson goals to each side (M. J. Maher, "Modelling association football scores",
 * 1982; in play with the intensities of the rest).
 * @param score the present score
 */
export function poissonChances({ expected, draws, leastSpread }: GoalsToCome, score: Pair): Chances {
  const [first, second] = [goals(expected[0]), goals(expected[1])];
  const lead = score[0] - score[1];
  const scored = score[0] + score[1];
  /** By final margin from -40 on, and by final total. */
  const margins = new Array<number>(81).fill(0);
  const totals = new Array<number>(100).fill(0);
  const tieToFirst =
    expected[0] + expected[1] === 0 ? 0.5 : 0.5 + (0.25 * (expected[0] - expected[1])) / (expected[0] + expected[1]);
  for (let a = 0; a <= MAX_GOALS; a++) {
    for (let b = 0; b <= MAX_GOALS; b++) {
      const probability = first[a]! * second[b]!;
      const margin = Math.max(-39, Math.min(39, lead + a - b));
      const total = Math.min(98, scored + a + b);
      if (margin !== 0 || draws) {
        margins[margin + 40]! += probability;
        totals[total]! += probability;
      } else {
        margins[41]! += probability * tieToFirst;
        margins[39]! += probability * (1 - tieToFirst);
        totals[total + 1]! += probability;
      }
    }
  }
  return fromDistributions(margins, totals, { leastSpread, draws });
}

/**
 * @param margins probabilities by the first side's final margin plus 40
 * @param totals probabilities by the final total
 */
export function fromDistributions(
  margins: readonly number[],
  totals: readonly number[],
  { leastSpread, draws }: { readonly leastSpread: number; readonly draws: boolean },
): Chances {
  const [marginAbove, totalAbove] = [upwards(margins), upwards(totals)];
  const above = (sums: readonly number[], limit: number) => sums[Math.max(0, Math.floor(limit) + 1)] ?? 0;
  const mean = (list: readonly number[]) => list.reduce((sum, probability, index) => sum + probability * index, 0);
  const won = above(marginAbove, 40);
  const draw = margins[40]!;
  return {
    win: draws ? [won, 1 - won - draw, draw] : [won, 1 - won],
    margin: mean(margins) - 40,
    total: mean(totals),
    leastSpread,
    cover: (point) => above(marginAbove, 40 - point),
    over: (point) => above(totalAbove, point),
  };
}

/** At each index, the sum of its value and of all later values. */
function upwards(list: readonly number[]): number[] {
  const sums = [...list];
  for (let index = sums.length - 2; index >= 0; index--) sums[index]! += sums[index + 1]!;
  return sums;
}

import type { RandomNumbers } from './random-numbers.ts';

/** The chance that the first of two teams beats the second one in one game at neither’s home. */
export type SeriesChances = (first: number, second: number) => number;

/**
 * Plays the rounds of a conference, the best seed against the last one. While the number of seeds is no power of two,
 * the best of them wait.
 * @param bestOf the most games of a series in each round; the last number holds for the rest
 * @returns who is left
 */
export function playOff(
  seeds: readonly number[],
  bestOf: readonly number[],
  chances: SeriesChances,
  random: RandomNumbers,
): number {
  let left = [...seeds];
  for (let round = 0; left.length > 1; round++) {
    const games = bestOf[Math.min(round, bestOf.length - 1)]!;
    const full = 2 ** Math.floor(Math.log2(left.length - 1));
    // As many pairs as leave a power of two; those before them wait.
    const waiting = left.slice(0, 2 * full - left.length);
    const playing = left.slice(waiting.length);
    const winners = playing.slice(0, playing.length / 2).map((better, index) => {
      const other = playing[playing.length - 1 - index]!;
      return random() < seriesChance(chances(better, other), games) ? better : other;
    });
    const seedOf = (team: number) => seeds.indexOf(team);
    left = [...waiting, ...winners].sort((a, b) => seedOf(a) - seedOf(b));
  }
  return left[0]!;
}

/** The chance to win a series of at most `games` games, an odd number, with the same chance in each. */
export function seriesChance(chance: number, games: number): number {
  const needed = (games + 1) / 2;
  let sum = 0;
  // The series is won in the game after `needed - 1` wins and `lost` losses.
  let ways = chance ** needed;
  for (let lost = 0; lost < needed; lost++) {
    sum += ways;
    ways *= ((needed + lost) / (lost + 1)) * (1 - chance);
  }
  return sum;
}

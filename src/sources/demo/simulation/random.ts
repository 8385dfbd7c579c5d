import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random draws that depend on their names only: the same names give the same draws. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** In [from, to). */
  between(from: number, to: number): number;
  /** From 0 to `count - 1`. */
  index(count: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** A new list of the same items. */
  shuffled<T>(items: readonly T[]): T[];
  /** A number of the normal distribution with this mean and deviation (Box and Muller, 1958). */
  normal(mean: number, deviation: number): number;
}

/**
 * Random numbers for one purpose. Each purpose has its own, so that a change in one part of the demo does not change
 * the others.
 * @param names of the purpose, from the seed down to the detail
 */
export function randomFor(...names: readonly (string | number)[]): Random {
  const seed = createHash('sha256').update(names.join('\0')).digest().readInt32LE(0);
  const generator = xoroshiro128plus(seed);
  const next = () => uniformFloat64(generator);
  const index = (count: number) => Math.floor(next() * count);
  return {
    next,
    between: (from, to) => from + next() * (to - from),
    index,
    chance: (probability) => next() < probability,
    pick: (items) => items[index(items.length)]!,
    shuffled(items) {
      const list = [...items];
      for (let last = list.length - 1; last > 0; last--) {
        const other = index(last + 1);
        [list[last], list[other]] = [list[other]!, list[last]!];
      }
      return list;
    },
    normal: (mean, deviation) =>
      mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

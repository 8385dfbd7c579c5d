import type { Figure, Spread } from './benchmark.ts';
import { percentile } from './percentile.ts';

export const median = (values: readonly number[]): number => percentile([...values], 0.5);

export const spreadOf = (values: readonly number[]): Spread => ({
  least: Math.min(...values),
  most: Math.max(...values),
});

/**
 * The figures of several runs as one: the median of the values and of the floors, and how far the values lie apart.
 * A benchmark gives the same figures in each run, in the same order. One run keeps the spread that it tells itself.
 */
export function overRuns(runs: readonly (readonly Figure[])[]): readonly Figure[] {
  const [first = [], ...others] = runs;
  if (others.length === 0) return first;
  return first.map((figure, index) => {
    const all = runs.map((run) => run[index]!);
    const values = all.map(({ value }) => value);
    const floors = all.flatMap(({ floor }) => (floor ? [floor.value] : []));
    const floor = figure.floor && { ...figure.floor, value: median(floors) };
    return { ...figure, value: median(values), floor, spread: spreadOf(values) };
  });
}

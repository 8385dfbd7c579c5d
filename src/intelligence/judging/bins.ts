import type { Judged } from './judged.ts';

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  /** Mean probability, and the part that came. */
  readonly predicted: number;
  readonly observed: number;
}

const BINS = 10;

/**
 * Ten bins of equal width over the probability, those without a game left out. A probability on an edge belongs above
 * it, 1 to the last. Two-way: of the first outcome; three-way: every outcome is one entry.
 */
export function calibrationBins(games: readonly Judged[]): Bin[] {
  const bins = Array.from({ length: BINS }, () => ({ n: 0, predicted: 0, observed: 0 }));
  for (const { probabilities, outcome } of games) {
    const told = probabilities.length === 2 ? probabilities.slice(0, 1) : probabilities;
    for (const [i, p] of told.entries()) {
      const bin = bins[Math.min(BINS - 1, Math.floor(p * BINS))]!;
      bin.n += 1;
      bin.predicted += p;
      bin.observed += i === outcome ? 1 : 0;
    }
  }
  return bins.flatMap(({ n, predicted, observed }, i) =>
    n === 0 ? [] : [{ from: i / BINS, to: (i + 1) / BINS, n, predicted: predicted / n, observed: observed / n }],
  );
}

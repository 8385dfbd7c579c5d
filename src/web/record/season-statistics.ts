import { group } from 'd3-array';
import type { Bin, Measures } from '../../intelligence/evaluation/forecast-measures.ts';
import type { SeasonRow } from '../../intelligence/evaluation/market-record.ts';

/** The bins of all rows together, without empty ones. */
export function poolBins(rows: readonly SeasonRow[]): Bin[] {
  const byBin = group(
    rows.flatMap(({ calibration }) => calibration),
    ({ from }) => from,
  );
  return [...byBin.values()]
    .map((bins) => {
      const n = bins.reduce((sum, bin) => sum + bin.n, 0);
      const mean = (of: (bin: Bin) => number) => bins.reduce((sum, bin) => sum + bin.n * of(bin), 0) / n;
      return {
        ...bins[0]!,
        n,
        predicted: mean(({ predicted }) => predicted),
        observed: mean(({ observed }) => observed),
      };
    })
    .sort((a, b) => a.from - b.from);
}

export interface SeasonLosses {
  readonly season: number;
  /** Mean log loss over the leagues that have one; null if none has. */
  readonly forecast: number | null;
  readonly close: number | null;
}

/** Oldest season first. */
export const lossesBySeason = (rows: readonly SeasonRow[]): SeasonLosses[] =>
  [...group(rows, ({ season }) => season)]
    .map(([season, leagues]) => ({
      season,
      forecast: meanLoss(leagues),
      close: meanLoss(leagues.flatMap(({ close }) => close ?? [])),
    }))
    .sort((a, b) => a.season - b.season);

function meanLoss(measured: readonly Measures[]): number | null {
  const known = measured.flatMap(({ n, log_loss }) => (log_loss === null ? [] : [{ n, log_loss }]));
  const games = known.reduce((sum, { n }) => sum + n, 0);
  return games === 0 ? null : known.reduce((sum, { n, log_loss }) => sum + n * log_loss, 0) / games;
}

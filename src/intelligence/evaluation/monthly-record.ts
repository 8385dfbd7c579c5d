import { ascending, group } from 'd3-array';
import { monthOf } from '../../domain/primitives/time.ts';
import { decimalOdds } from '../prices/odds-arithmetic.ts';
import { MIN_GAMES } from './forecast-measures.ts';
import { deepestFall, meanOfValues } from './mean-of-values.ts';
import { computeSelectionMeasures, type MonthlySelections, type SettledSelection } from './publication-rule.ts';

/** What bets of one unit each came to. Means of fewer than 30 are null. */
export interface BetsWorth {
  /** The bets for which a price was on offer. */
  readonly n: number;
  /** The mean profit, and its standard error. */
  readonly profit: number | null;
  readonly profit_se: number | null;
  /** The deepest fall of the summed profit below an earlier height of the same month, in units. */
  readonly drawdown: number;
}

/** The selections that were settled in one UTC month. */
export interface MonthlyRecord extends MonthlySelections {
  readonly hit_rate: number | null;
  readonly hit_rate_se: number | null;
  /** At the best price on offer at the moment of each selection. */
  readonly best: BetsWorth;
  /** At the best price on the same line 60 s later. */
  readonly follower: BetsWorth;
}

/** Oldest month first; months without a selection are absent. */
export const recordByMonth = (selections: readonly SettledSelection[]): MonthlyRecord[] =>
  [...group(selections, ({ settledAt }) => monthOf(settledAt))]
    .map(([month, unordered]) => {
      const settled = unordered.toSorted((a, b) => a.settledAt - b.settledAt);
      const { n, clv, clv_se } = computeSelectionMeasures(settled);
      const hits = meanOfValues(
        settled.map(({ won }) => (won ? 1 : 0)),
        MIN_GAMES,
      );
      return {
        ...{ month, n, clv, clv_se, hit_rate: hits.mean, hit_rate_se: hits.se },
        best: worthOf(settled, ({ best }) => best),
        follower: worthOf(settled, ({ later }) => later),
      };
    })
    .sort((a, b) => ascending(a.month, b.month));

function worthOf(
  settled: readonly SettledSelection[],
  priceOf: (selection: SettledSelection) => number | null | undefined,
): BetsWorth {
  const profits = settled.flatMap((one) => {
    const price = priceOf(one);
    return price === null || price === undefined ? [] : [one.won ? decimalOdds(price) - 1 : -1];
  });
  const { mean, se } = meanOfValues(profits, MIN_GAMES);
  return { n: profits.length, profit: mean, profit_se: se, drawdown: deepestFall(profits) };
}

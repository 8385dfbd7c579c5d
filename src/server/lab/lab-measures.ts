import { group } from 'd3-array';
import { meanOfKnown, sumOfKnown } from '../../api/operations/bets/bet-worth.ts';
import { MIN_GAMES } from '../../intelligence/evaluation/forecast-measures.ts';
import { deepestFall } from '../../intelligence/evaluation/mean-of-values.ts';
import { roundTo } from '../../intelligence/prices/rounding.ts';
import type { SettledFill } from './settle-fills.ts';

/** The interval that holds the true value in 95 of 100 runs; null for fewer than 30 events. */
export type Interval = readonly [low: number, high: number] | null;

export interface FillMeasures {
  readonly fills: number;
  /** How many events they are on. */
  readonly events: number;
  readonly staked: number;
  /** Fills that are not decided. */
  readonly open: number;
  /** In the unit of the stakes; null: none is decided. */
  readonly profit: number | null;
  readonly profit_interval: Interval;
  /** Profit for each unit staked on what is decided. */
  readonly roi: number | null;
  /** The mean of the fills that have one. */
  readonly clv: number | null;
  readonly clv_interval: Interval;
}

const DECIMALS = 6;
/** Of the normal distribution, for 95 %. */
const Z = 1.959964;

/**
 * What fills were worth. Bets on one event go together, so the intervals are those of sums by event (cluster-robust, see
 * Cameron and Miller, "A Practitioner's Guide to Cluster-Robust Inference", 2015).
 */
export function measureFills(fills: readonly SettledFill[]): FillMeasures {
  const decided = fills.filter(({ profit }) => profit !== null);
  const profit = sumOfKnown(fills.map((fill) => fill.profit));
  const clv = meanOfKnown(fills.map((fill) => fill.clv));
  const turned = sumOfKnown(decided.map(({ stake }) => stake));
  return {
    fills: fills.length,
    events: new Set(fills.map(({ leg }) => leg.event_id)).size,
    staked: sumOfKnown(fills.map(({ stake }) => stake)) ?? 0,
    open: fills.length - decided.length,
    profit,
    profit_interval: intervalOfSum(decided, (fill) => fill.profit!, profit),
    roi: profit === null || turned === null ? null : roundTo(profit / turned, DECIMALS),
    clv,
    clv_interval: intervalOfMean(
      fills.filter((fill) => fill.clv !== null),
      (fill) => fill.clv!,
    ),
  };
}

function intervalOfSum(
  fills: readonly SettledFill[],
  worthOf: (fill: SettledFill) => number,
  sum: number | null,
): Interval {
  const sums = sumsByEvent(fills, worthOf);
  if (sums.length < MIN_GAMES || sum === null) return null;
  const mean = sums.reduce((total, one) => total + one, 0) / sums.length;
  return around(sum, spreadOf(sums.map((one) => one - mean)));
}

function intervalOfMean(fills: readonly SettledFill[], worthOf: (fill: SettledFill) => number): Interval {
  if (new Set(fills.map(({ leg }) => leg.event_id)).size < MIN_GAMES) return null;
  const mean = fills.reduce((total, fill) => total + worthOf(fill), 0) / fills.length;
  return around(mean, spreadOf(sumsByEvent(fills, (fill) => worthOf(fill) - mean)) / fills.length);
}

/** The standard error of the sum of these, which are around 0. */
const spreadOf = (differences: readonly number[]): number => {
  const n = differences.length;
  return Math.sqrt((n / (n - 1)) * differences.reduce((sum, one) => sum + one * one, 0));
};

const around = (value: number, error: number): Interval => [
  roundTo(value - Z * error, DECIMALS),
  roundTo(value + Z * error, DECIMALS),
];

const sumsByEvent = (fills: readonly SettledFill[], worthOf: (fill: SettledFill) => number): number[] =>
  [...group(fills, ({ leg }) => leg.event_id).values()].map((some) =>
    some.reduce((sum, fill) => sum + worthOf(fill), 0),
  );

/** The deepest fall of the profit below its highest point, in the order in which events begin; 0 or more. */
export function drawdownOf(fills: readonly SettledFill[]): number {
  const inOrder = fills.toSorted((a, b) => a.closesAt - b.closesAt || a.leg.event_id - b.leg.event_id || a.bet - b.bet);
  return roundTo(deepestFall(inOrder.flatMap(({ profit }) => profit ?? [])), DECIMALS);
}

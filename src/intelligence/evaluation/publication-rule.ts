import { group } from 'd3-array';
import { DAY, utcMidnightOf } from '../../domain/primitives/time.ts';
import type { QuotedMarket } from '../prices/quotes.ts';
import { MIN_GAMES } from './forecast-measures.ts';
import { meanOfValues } from './mean-of-values.ts';

/** A selection, and since when the result of its event is known: milliseconds. */
export interface SettledSelection extends Selection {
  readonly settledAt: number;
}

/**
 * The midnights (UTC, in milliseconds, rising) at which the publication of a market's forecasts begins, ends, begins
 * again and so on. Each midnight decides by the selections of events that were settled before it.
 * @param pause lets other work run
 */
export async function findPublicationTimes(
  selections: readonly SettledSelection[],
  pause: () => Promise<void>,
): Promise<number[]> {
  const inOrder = selections.toSorted((a, b) => a.settledAt - b.settledAt);
  const turns: number[] = [];
  const known: Selection[] = [];
  const sums = { clv: 0, profit: 0 };
  for (const [midnight, settled] of group(inOrder, ({ settledAt }) => utcMidnightOf(settledAt) + DAY)) {
    for (const selection of settled) {
      const { fair, close, won } = selection;
      known.push(selection);
      sums.clv += close === null ? 0 : close / fair - 1;
      sums.profit += (won ? 1 / fair : 0) - 1;
    }
    // Usually a sum is negative; then the full measures are not needed.
    const isCandidate = known.length >= MIN_SELECTIONS_TO_PUBLISH && sums.clv > 0 && sums.profit > 0;
    const isNow = isCandidate && meetsPublicationRule(computeSelectionMeasures(known));
    if (isNow !== isPublishedAt(turns, midnight)) turns.push(midnight);
    await pause();
  }
  return turns;
}

/** The results of `findPublicationTimes` by market. */
export type PublicationTimes = Readonly<Record<QuotedMarket, readonly number[]>>;

export const NEVER_PUBLISHED: PublicationTimes = { h2h: [], spreads: [], totals: [] };

/** Whether a market's forecasts are published at a moment. */
export const isPublishedAt = (turns: readonly number[], moment: number): boolean =>
  turns.filter((turn) => turn <= moment).length % 2 === 1;

/**
 * The first moment at which the forecast of an outcome was far enough above the fair probability, with the bet's
 * result.
 */
export interface Selection {
  /** The fair probability at that moment. */
  readonly fair: number;
  /** The fair probability at the start on the same line; null if there was none, or the line had moved. */
  readonly close: number | null;
  readonly won: boolean;
  /** The best price on offer at that moment, American odds; null: none, or unknown. */
  readonly best?: number | null;
  /** The best price at the same line 60 s later: what a follower could get; null: none, or the event had begun. */
  readonly later?: number | null;
}

/** The forecast of a selected outcome is at least this much above the fair probability, in millionths. */
const MIN_EDGE = 30_000;
const MILLION = 1_000_000;

/** Whether an outcome is selected at this moment. Both arguments are published probabilities. */
export const isSelected = (probability: number, fair: number): boolean =>
  Math.round((probability - fair) * MILLION) >= MIN_EDGE;

export interface SelectionMeasures {
  readonly n: number;
  /** The mean closing line value, and its standard error. */
  readonly clv: number | null;
  readonly clv_se: number | null;
  /** The mean profit of one unit staked at the fair price of that moment. */
  readonly profit: number | null;
}

/**
 * Means of fewer than 30 values are null. So is the closing line value where every price is its own close: then only
 * closing prices are known, and nothing can have moved.
 */
export function computeSelectionMeasures(selections: readonly Selection[]): SelectionMeasures {
  const known = selections.flatMap(({ fair, close }) => (close === null ? [] : [close / fair - 1]));
  const values = known.some((value) => value !== 0) ? known : [];
  const profits = selections.map(({ fair, won }) => (won ? 1 / fair : 0) - 1);
  const { mean: clv, se } = meanOfValues(values, MIN_GAMES);
  return { n: selections.length, clv, clv_se: se, profit: meanOfValues(profits, MIN_GAMES).mean };
}

/** The closing line value of the selections that were settled in one UTC month. */
export interface MonthlySelections extends Pick<SelectionMeasures, 'n' | 'clv' | 'clv_se'> {
  /** `2026-11` */
  readonly month: string;
}

const MIN_SELECTIONS_TO_PUBLISH = 500;
const MIN_Z_SCORE = 2.33;

/**
 * Whether a market's forecasts are published as edges: they have foreseen the market's moves, and bets on them would
 * have paid.
 */
export function meetsPublicationRule({ n, clv, clv_se, profit }: SelectionMeasures): boolean {
  if (n < MIN_SELECTIONS_TO_PUBLISH || clv === null || clv_se === null || profit === null) return false;
  // Compare without a division, because the error may be 0.
  return clv > 0 && clv >= MIN_Z_SCORE * clv_se && profit > 0;
}

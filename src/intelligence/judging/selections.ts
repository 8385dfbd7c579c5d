import { FEWEST } from './measures.ts';

/** The first moment at which an outcome was so much likelier than what was fair, with what became of it. */
export interface Selection {
  /** Fair then. */
  readonly fair: number;
  /** Fair at the start, on the same line; null where nothing was, or the line had moved. */
  readonly close: number | null;
  readonly won: boolean;
}

/** By so much the forecast of an outcome is above what is fair, in millionths. */
const LEAST_EDGE = 30_000;
const MILLION = 1_000_000;

/** Whether an outcome is selected at this moment. Both are published probabilities. */
export const isSelected = (probability: number, fair: number): boolean =>
  Math.round((probability - fair) * MILLION) >= LEAST_EDGE;

export interface SelectionMeasures {
  readonly n: number;
  /** Mean closing line value, and its standard error. */
  readonly clv: number | null;
  readonly clv_se: number | null;
  /** Mean win of a unit staked at the fair price then. */
  readonly profit: number | null;
}

/** Means of fewer than 30 are null. */
export function measuresOfSelections(selections: readonly Selection[]): SelectionMeasures {
  const values = selections.flatMap(({ fair, close }) => (close === null ? [] : [close / fair - 1]));
  const n = selections.length;
  const profit = n < FEWEST ? null : meanOf(selections.map(({ fair, won }) => (won ? 1 / fair : 0) - 1));
  if (values.length < FEWEST) return { n, clv: null, clv_se: null, profit };
  const clv = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - clv) ** 2, 0);
  return { n, clv, clv_se: Math.sqrt(squares / (values.length - 1) / values.length), profit };
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const FEWEST_TO_PUBLISH = 500;
const SURE = 2.33;

/** Whether a market's forecasts are published as edges: they have foreseen where the market went, and would have paid. */
export function isPublished({ n, clv, clv_se, profit }: SelectionMeasures): boolean {
  if (n < FEWEST_TO_PUBLISH || clv === null || clv_se === null || profit === null) return false;
  // Without a division: the error may be 0.
  return clv > 0 && clv >= SURE * clv_se && profit > 0;
}

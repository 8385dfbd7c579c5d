import { group } from 'd3-array';
import { DAY } from '../../domain/primitives/time.ts';
import type { QuotedMarket } from '../prices/quotes.ts';
import { MIN_GAMES } from './forecast-measures.ts';

/** A selection, and since when the result of its event is known: milliseconds. */
export interface SettledSelection extends Selection {
  readonly settledAt: number;
}

/** The UTC midnight that a moment comes after, or is. */
export const utcMidnightOf = (moment: number): number => Math.floor(moment / DAY) * DAY;

/**
 * The midnights (UTC, in milliseconds, rising) at which a market's forecasts begin to be published, cease to be, begin
 * again and so on. Each midnight decides from the selections of events that were settled before it.
 * @param pause lets others work
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
    // What loses is the usual case, and needs no second look at all of them.
    const mayBe = known.length >= MIN_SELECTIONS_TO_PUBLISH && sums.clv > 0 && sums.profit > 0;
    const isNow = mayBe && meetsPublicationRule(computeSelectionMeasures(known));
    if (isNow !== isPublishedAt(turns, midnight)) turns.push(midnight);
    await pause();
  }
  return turns;
}

/** By market, the turns of `publicationsOf`. */
export type PublicationTimes = Readonly<Record<QuotedMarket, readonly number[]>>;

export const NEVER_PUBLISHED: PublicationTimes = { h2h: [], spreads: [], totals: [] };

/** Whether a market's forecasts are published at a moment, by its turns. */
export const isPublishedAt = (turns: readonly number[], moment: number): boolean =>
  turns.filter((turn) => turn <= moment).length % 2 === 1;

/** The first moment at which an outcome was so much likelier than what was fair, with what became of it. */
export interface Selection {
  /** Fair then. */
  readonly fair: number;
  /** Fair at the start, on the same line; null where nothing was, or the line had moved. */
  readonly close: number | null;
  readonly won: boolean;
}

/** By so much the forecast of an outcome is above what is fair, in millionths. */
const MIN_EDGE = 30_000;
const MILLION = 1_000_000;

/** Whether an outcome is selected at this moment. Both are published probabilities. */
export const isSelected = (probability: number, fair: number): boolean =>
  Math.round((probability - fair) * MILLION) >= MIN_EDGE;

export interface SelectionMeasures {
  readonly n: number;
  /** Mean closing line value, and its standard error. */
  readonly clv: number | null;
  readonly clv_se: number | null;
  /** Mean win of a unit staked at the fair price then. */
  readonly profit: number | null;
}

/** Means of fewer than 30 are null. */
export function computeSelectionMeasures(selections: readonly Selection[]): SelectionMeasures {
  const values = selections.flatMap(({ fair, close }) => (close === null ? [] : [close / fair - 1]));
  const n = selections.length;
  const profit = n < MIN_GAMES ? null : meanOf(selections.map(({ fair, won }) => (won ? 1 / fair : 0) - 1));
  if (values.length < MIN_GAMES) return { n, clv: null, clv_se: null, profit };
  const clv = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - clv) ** 2, 0);
  return { n, clv, clv_se: Math.sqrt(squares / (values.length - 1) / values.length), profit };
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const MIN_SELECTIONS_TO_PUBLISH = 500;
const MIN_Z_SCORE = 2.33;

/** Whether a market's forecasts are published as edges: they have foreseen where the market went, and would have paid. */
export function meetsPublicationRule({ n, clv, clv_se, profit }: SelectionMeasures): boolean {
  if (n < MIN_SELECTIONS_TO_PUBLISH || clv === null || clv_se === null || profit === null) return false;
  // Without a division: the error may be 0.
  return clv > 0 && clv >= MIN_Z_SCORE * clv_se && profit > 0;
}

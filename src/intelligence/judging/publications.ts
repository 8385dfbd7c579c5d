import { group } from 'd3-array';
import { DAY } from '../../domain/time.ts';
import type { QuotedMarket } from '../prices/quotes.ts';
import { FEWEST_TO_PUBLISH, isPublished, measuresOfSelections, type Selection } from './selections.ts';

/** A selection, and since when the result of its event is known: milliseconds. */
export interface SettledSelection extends Selection {
  readonly settledAt: number;
}

/** The UTC midnight that a moment comes after, or is. */
export const midnightOf = (moment: number): number => Math.floor(moment / DAY) * DAY;

/**
 * The midnights (UTC, in milliseconds, rising) at which a market's forecasts begin to be published, cease to be, begin
 * again and so on. Each midnight decides from the selections of events that were settled before it.
 * @param pause lets others work
 */
export async function publicationsOf(
  selections: readonly SettledSelection[],
  pause: () => Promise<void>,
): Promise<number[]> {
  const inOrder = selections.toSorted((a, b) => a.settledAt - b.settledAt);
  const turns: number[] = [];
  const known: Selection[] = [];
  const sums = { clv: 0, profit: 0 };
  for (const [midnight, settled] of group(inOrder, ({ settledAt }) => midnightOf(settledAt) + DAY)) {
    for (const selection of settled) {
      const { fair, close, won } = selection;
      known.push(selection);
      sums.clv += close === null ? 0 : close / fair - 1;
      sums.profit += (won ? 1 / fair : 0) - 1;
    }
    // What loses is the usual case, and needs no second look at all of them.
    const mayBe = known.length >= FEWEST_TO_PUBLISH && sums.clv > 0 && sums.profit > 0;
    const isNow = mayBe && isPublished(measuresOfSelections(known));
    if (isNow !== isPublishedAt(turns, midnight)) turns.push(midnight);
    await pause();
  }
  return turns;
}

/** By market, the turns of `publicationsOf`. */
export type Publications = Readonly<Record<QuotedMarket, readonly number[]>>;

export const NEVER_PUBLISHED: Publications = { h2h: [], spreads: [], totals: [] };

/** Whether a market's forecasts are published at a moment, by its turns. */
export const isPublishedAt = (turns: readonly number[], moment: number): boolean =>
  turns.filter((turn) => turn <= moment).length % 2 === 1;

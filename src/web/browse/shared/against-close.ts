import { getOddsSummary } from '../../../api/operations/odds/get-odds-summary.ts';
import type { KeylessCall } from '../keyless-calls.ts';

/** What the market closed at; null: unknown. */
export interface ClosingLines {
  /** Of the home side. */
  readonly spread: number | null;
  readonly total: number | null;
  /** Fair probabilities that home, and the other side, win. */
  readonly win: readonly [home: number, away: number] | null;
}

/** The fair closing lines of an event that has begun. */
export async function readClosingLines(call: KeylessCall, id: number): Promise<ClosingLines> {
  const { consensus } = await call(getOddsSummary, { id, bookmaker: 'all' });
  const closed = (key: string) =>
    consensus.find((market) => market.key === key && market.outcomes.every(({ close }) => close !== null));
  const outcomes = closed('h2h')?.outcomes;
  return {
    spread: closed('spreads')?.line ?? null,
    total: closed('totals')?.line ?? null,
    // A draw stands between the sides.
    win: outcomes ? [outcomes[0]!.close!, outcomes.at(-1)!.close!] : null,
  };
}

export type AgainstLine = 'beaten' | 'push' | 'not beaten';

/** @param margin by which the side won; negative: lost. @param spread of that side */
export const againstSpread = (margin: number, spread: number): AgainstLine => outcomeOf(margin + spread);

/** Beaten: more than the line. */
export const againstTotal = (sum: number, total: number): AgainstLine => outcomeOf(sum - total);

const outcomeOf = (difference: number): AgainstLine =>
  difference > 0 ? 'beaten' : difference === 0 ? 'push' : 'not beaten';

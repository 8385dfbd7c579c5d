import { compareText } from '../../domain/text-order.ts';
import { LEAST_CONVICTION } from '../../intelligence/forecasts/evidence.ts';
import type { ForecastWager } from './forecast-wager.ts';

/**
 * Rows in the order of answers: the surest first, then by event, market and player. The first of each event is its pick
 * where it is sure enough, and no other is.
 */
export function rankedWagers(rows: readonly ForecastWager[]): ForecastWager[] {
  const told = new Set<number>();
  return [...rows].sort(compareWagers).map((row) => {
    const isFirst = !told.has(row.event_id);
    told.add(row.event_id);
    return { ...row, selected: isFirst && row.conviction >= LEAST_CONVICTION };
  });
}

/** The order of answers. */
export const compareWagers = (a: ForecastWager, b: ForecastWager): number =>
  b.conviction - a.conviction ||
  a.event_id - b.event_id ||
  compareText(a.market, b.market) ||
  (a.player_id ?? Number.MAX_SAFE_INTEGER) - (b.player_id ?? Number.MAX_SAFE_INTEGER) ||
  compareText(a.player ?? '', b.player ?? '') ||
  (a.line ?? 0) - (b.line ?? 0);

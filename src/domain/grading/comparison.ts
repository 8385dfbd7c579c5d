import { decimalsOf } from '../decimals.ts';

/** Comparing what a team or player has made with a line. Exact: on the numbers as given. */

export type TotalResult = 'over' | 'under' | 'push';
export type SpreadResult = 'won' | 'lost' | 'push';

export function totalResult(current: number, line: number): TotalResult {
  if (current === line) return 'push';
  return current > line ? 'over' : 'under';
}

/** @param ahead how far the side is ahead; @param line signed to the same side: -3.5 gives the other one 3.5 */
export function spreadResult(ahead: number, line: number): SpreadResult {
  if (ahead === -line) return 'push';
  return ahead > -line ? 'won' : 'lost';
}

/** `current / line x 100` to one decimal, halves up; null where the line is 0. */
export function pctOfLine(current: number | null, line: number): number | null {
  if (current === null || line === 0) return null;
  const scale = 10 ** Math.max(decimalsOf(current), decimalsOf(line));
  // Of whole numbers, for a decimal fraction lies beside what it is written as.
  const [part, whole] = [Math.round(current * scale), Math.round(line * scale)];
  const sign = whole < 0 ? -1 : 1;
  const tenths = Math.floor((2000 * sign * part + sign * whole) / (2 * sign * whole));
  return Number.isFinite(tenths) ? tenths / 10 : null;
}

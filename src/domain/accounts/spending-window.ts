import { HOUR } from '../primitives/time.ts';

export const WINDOW_HOURS = 24;
export const WINDOW = WINDOW_HOURS * HOUR;

/** `[milliseconds, credits]` of charges that count against a daily cap, oldest first. Covers 24 hours. */
export type SpendingWindow = [number, number][];

/** Credits that count against the cap now. A charge from exactly 24 hours ago no longer counts. */
export function spendingAt(window: Readonly<SpendingWindow>, now: number): number {
  let sum = 0;
  for (let i = window.length - 1; i >= 0 && window[i]![0] > now - WINDOW; i--) sum += window[i]![1];
  return sum;
}

/**
 * When the credits that count against the cap have fallen to `limit`, in milliseconds: when the last charge that must
 * go leaves the 24-hour window. `now` if they already have. Null if `limit` is negative, since the sum never is.
 */
export function whenSpendingFallsTo(window: Readonly<SpendingWindow>, limit: number, now: number): number | null {
  if (limit < 0) return null;
  let sum = spendingAt(window, now);
  for (const [at, credits] of window) {
    if (sum <= limit) return now;
    if (at <= now - WINDOW) continue;
    sum -= credits;
    if (sum <= limit) return at + WINDOW;
  }
  return now;
}

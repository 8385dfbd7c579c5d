import type { UsageAnalytics } from '../../../accounts/usage/usage-reader.ts';

/** How fast an account spends its credits. */
export interface CreditBurn {
  /** Mean of these UTC days, today included. */
  readonly perDay: number;
  readonly days: number;
}

const MEAN_OF_DAYS = 7;

/** The mean of the last seven days, or of fewer where the first call is younger; undefined without a call. */
export function creditBurn(days: UsageAnalytics['days']): CreditBurn | undefined {
  const since = days.findIndex(({ calls }) => calls > 0);
  if (since < 0) return undefined;
  const counted = days.slice(Math.max(since, days.length - MEAN_OF_DAYS));
  return { perDay: counted.reduce((sum, { credits }) => sum + credits, 0) / counted.length, days: counted.length };
}

/** Whole days until the credits are gone at this rate; undefined: never. @param left null: no limit */
export const daysLeft = (left: number | null, burn: CreditBurn | undefined): number | undefined =>
  left === null || burn === undefined || burn.perDay === 0 ? undefined : Math.floor(left / burn.perDay);

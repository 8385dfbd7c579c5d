import type { CreditBalance } from '../calls/account-services.ts';

/** What stands for any number of credits. */
const BOUNDLESS = 1_000_000_000;

/**
 * The credits of an account as The Odds API tells them, in whole numbers: what is left is never told to be more than it is.
 * Names and values in turn.
 * @param balance undefined where it cannot be told
 */
export function usageHeaders(credits: number, balance: CreditBalance | undefined): string[] {
  const last = ['x-requests-last', String(Math.ceil(credits))];
  if (!balance) return last;
  const { credits_used, total_remaining } = balance;
  const used = total_remaining === null ? 0 : Math.ceil(credits_used);
  const remaining = total_remaining === null ? BOUNDLESS : Math.max(0, Math.floor(total_remaining));
  return ['x-requests-remaining', String(remaining), 'x-requests-used', String(used), ...last];
}

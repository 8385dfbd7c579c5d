import { type LedgerlineError, NETWORK_ERROR } from './ledgerline-error.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
const PASSING = [502, 503, 504];

/**
 * How long to wait before a failed call is made once more, in milliseconds; undefined where it is not made again.
 * @param retries how many were made before
 * @param isRepeatable that it can run twice without harm
 */
export function waitBeforeRetry(failure: LedgerlineError, retries: number, isRepeatable: boolean): number | undefined {
  const { status, code, retryAfter } = failure;
  // Nothing ran.
  const isRefused = status === 429;
  if (!isRefused && !(isRepeatable && (code === NETWORK_ERROR || PASSING.includes(status)))) return undefined;
  const isAsked = retryAfter !== null && (isRefused || status === 503);
  const wait = isAsked ? retryAfter * 1000 : backoff(retries);
  return wait > LONGEST_WAIT_MS ? undefined : wait;
}

/** Half a second, doubled each time. @param times how often it was waited before */
export const backoff = (times: number): number => FIRST_WAIT_MS * 2 ** times;

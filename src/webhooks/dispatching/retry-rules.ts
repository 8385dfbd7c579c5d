import { DAY } from '../../domain/primitives/time.ts';
import type { DeliveryError, DeliveryOutcome } from '../http/delivery-outcome.ts';
import type { DeliveryAttempt } from '../store/webhook-store.ts';

/** What an attempt means for its message and its subscription. */
type RetryDecision = Pick<
  DeliveryAttempt,
  'statusCode' | 'success' | 'error' | 'at' | 'retryAt' | 'givenUp' | 'deactivate'
>;

interface AttemptFacts {
  /** Counted from 1. */
  readonly attempt: number;
  /** When the attempt ended. Milliseconds. */
  readonly at: number;
  /** Since when the endpoint has only failed, this attempt not counted; null if the last attempt succeeded. */
  readonly failingSince: number | null;
}

const MAX_RETRY_AFTER_SECONDS = 3600;
const DEACTIVATE_AFTER = 5 * DAY;
/** The same message to the same URL would be refused again. */
const PERMANENT_ERRORS: ReadonlySet<DeliveryError> = new Set(['forbidden_address']);

/** @param retrySeconds the waits between the attempts */
export function decideRetry(
  outcome: DeliveryOutcome,
  { attempt, at, failingSince }: AttemptFacts,
  retrySeconds: readonly number[],
): RetryDecision {
  const answer = outcome.kind === 'answered' ? { statusCode: outcome.status, at } : { statusCode: null, at };
  const end = { ...answer, retryAt: null, givenUp: false };
  if (outcome.kind === 'answered' && isSuccess(outcome.status)) return { ...end, success: true, error: null };

  const failed = { ...end, success: false, error: describeOutcome(outcome) };
  if (outcome.kind === 'answered' && outcome.status === 410) return { ...failed, deactivate: 'gone' as const };
  const isLast = failingSince !== null && at - failingSince >= DEACTIVATE_AFTER;
  const wait = retrySeconds[attempt - 1];
  const isRetried = isTransient(outcome);
  // Both may hold: the last retry of a message failed, and with it the subscription ends.
  const givenUp = isRetried && wait === undefined;
  if (isLast) return { ...failed, givenUp, deactivate: 'failing' as const };
  if (!isRetried || wait === undefined) return { ...failed, givenUp };
  const requestedWait = outcome.kind === 'answered' ? Math.min(outcome.retryAfter ?? 0, MAX_RETRY_AFTER_SECONDS) : 0;
  return { ...failed, retryAt: at + Math.max(wait, requestedWait) * 1000 };
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const isTransient = (outcome: DeliveryOutcome): boolean =>
  outcome.kind === 'answered' ? outcome.status === 429 || outcome.status >= 500 : !PERMANENT_ERRORS.has(outcome.error);

function describeOutcome(outcome: DeliveryOutcome): string {
  if (outcome.kind === 'failed') return `${outcome.error}: ${outcome.message}`;
  const { status } = outcome;
  if (status >= 300 && status < 400) return `redirect: the endpoint answered ${status}; redirects are not followed`;
  return `status: the endpoint answered ${status}`;
}

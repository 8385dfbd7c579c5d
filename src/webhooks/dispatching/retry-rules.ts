import { DAY } from '../../domain/primitives/time.ts';
import type { DeliveryError, DeliveryOutcome, SentOutcome } from '../http/delivery-outcome.ts';
import type { DeliveryAttempt } from '../store/webhook-store.ts';

/** What an attempt means for its message and its subscription. */
type RetryDecision = Pick<
  DeliveryAttempt,
  'statusCode' | 'success' | 'error' | 'at' | 'retryAt' | 'givenUp' | 'deactivate' | 'refused'
>;

interface AttemptFacts {
  /** Counted from 1. */
  readonly attempt: number;
  /** When the attempt ended. Milliseconds. */
  readonly at: number;
  /** Since when the endpoint has only failed, this attempt not counted; null if the last attempt succeeded. */
  readonly failingSince: number | null;
  /** The message went to a service, and not to an endpoint that knows of webhooks. */
  readonly isToService?: boolean;
}

/** With these a service says that the address, or its token, is no longer good. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 410]);

const MAX_RETRY_AFTER_SECONDS = 3600;
const DEACTIVATE_AFTER = 5 * DAY;
/** The same message to the same URL would be refused again. */
const PERMANENT_ERRORS: ReadonlySet<DeliveryError> = new Set(['forbidden_address', 'no_address']);

/** @param retrySeconds the waits between the attempts */
export function decideRetry(
  outcome: SentOutcome,
  { attempt, at, failingSince, isToService = false }: AttemptFacts,
  retrySeconds: readonly number[],
): RetryDecision {
  const answer = outcome.kind === 'answered' ? { statusCode: outcome.status, at } : { statusCode: null, at };
  const end = { ...answer, retryAt: null, givenUp: false };
  if (outcome.kind === 'mailed' || isDelivered(outcome)) return { ...end, success: true, error: null };

  const failed = { ...end, success: false, error: describeOutcome(outcome) };
  if (isToService && outcome.kind === 'answered' && REFUSALS.has(outcome.status)) return { ...failed, refused: true };
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

/** Whether the message has arrived, as far as this server can know. */
export const isDelivered = (outcome: SentOutcome): boolean =>
  outcome.kind === 'mailed' || (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300);

const isTransient = (outcome: DeliveryOutcome): boolean =>
  outcome.kind === 'answered' ? outcome.status === 429 || outcome.status >= 500 : !PERMANENT_ERRORS.has(outcome.error);

function describeOutcome(outcome: DeliveryOutcome): string {
  if (outcome.kind === 'failed') return `${outcome.error}: ${outcome.message}`;
  const { status } = outcome;
  if (status >= 300 && status < 400) return `redirect: the endpoint answered ${status}; redirects are not followed`;
  return `status: the endpoint answered ${status}`;
}

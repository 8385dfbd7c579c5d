import { ApiError } from '../../api/calls/api-errors.ts';
import type { DeliveryAttempt, WebhookMessage, WebhookSubscription } from '../store/webhook-store.ts';
import type { Deliver } from './deliver-message.ts';
import type { DeliveryCharges, ReservedCharge } from './delivery-charges.ts';
import { decideRetry, isDelivered } from './retry-rules.ts';

interface AttemptDeliveryParts {
  readonly deliver: Deliver;
  readonly charges: DeliveryCharges;
  /** Whether the account gets no webhooks at present; absent: no account is suspended. */
  readonly isSuspended?: ((accountId: number) => Promise<boolean>) | undefined;
  readonly retrySeconds: readonly number[];
  /** Milliseconds. */
  readonly now: () => number;
}

interface AttemptResult {
  /** Undefined if the server stops; the message then stays due. */
  readonly attempt: DeliveryAttempt | undefined;
  readonly reservedCharge?: ReservedCharge;
  /** How long the endpoint took, in milliseconds; undefined if nothing was sent. */
  readonly durationMs?: number;
}

/**
 * Sends a message once. Rejects if this server itself fails before anything is sent.
 * @param failingSince read when the attempt is over, since other attempts may have ended meanwhile
 */
export async function attemptDelivery(
  { deliver, charges, isSuspended, retrySeconds, now }: AttemptDeliveryParts,
  subscription: WebhookSubscription,
  message: WebhookMessage,
  failingSince: () => number | null,
): Promise<AttemptResult> {
  if (isSuspended && (await isSuspended(subscription.accountId))) {
    return { attempt: skippedAttempt(message, 'account_suspended', now()) };
  }
  let reservedCharge: ReservedCharge | undefined;
  try {
    reservedCharge = await charges.reserve(message, subscription.accountId);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The code belongs to status 402, such as `insufficient_credits`.
    return { attempt: skippedAttempt(message, error.code, now()) };
  }
  try {
    const startedAt = now();
    const outcome = await deliver(subscription, message, startedAt);
    const endedAt = now();
    const durationMs = endedAt - startedAt;
    if (outcome.kind === 'failed' && outcome.error === 'closed') {
      reservedCharge?.release();
      return { attempt: undefined };
    }
    const isToService = subscription.format !== 'ledgerline';
    const facts = { attempt: message.attempts + 1, at: endedAt, failingSince: failingSince(), isToService };
    const decision = decideRetry(outcome, facts, retrySeconds);
    if (!reservedCharge || !isDelivered(outcome)) {
      reservedCharge?.release();
      return { attempt: { message, ...decision }, durationMs };
    }
    const charge = reservedCharge.toCharge(startedAt, endedAt, decision.statusCode ?? MAIL_ACCEPTED);
    return { attempt: { message, ...decision, charge }, reservedCharge, durationMs };
  } catch (error) {
    reservedCharge?.release();
    throw error;
  }
}

/** The status of a charge for a mail, which has none: it was accepted to be sent. */
const MAIL_ACCEPTED = 202;

const skippedAttempt = (message: WebhookMessage, error: string, at: number): DeliveryAttempt => ({
  message,
  statusCode: null,
  success: false,
  error,
  at,
  retryAt: null,
  givenUp: false,
  skipped: true,
});

import { ApiError } from '../api/calls/errors.ts';
import type { Payment, Payments } from './delivery-charges.ts';
import { isSuccess, judge } from './retry-rules.ts';
import { signedHeaders } from './signing.ts';
import type { Attempted, WebhookMessage, WebhookSubscription } from './store/webhook-store.ts';
import type { WebhookClient } from './webhook-client.ts';

export interface AttemptParts {
  readonly client: Pick<WebhookClient, 'post'>;
  readonly payments: Payments;
  /** Whether the account is told nothing at present; absent: none is. */
  readonly isSuspended?: ((accountId: number) => Promise<boolean>) | undefined;
  readonly retrySeconds: readonly number[];
  /** Milliseconds. */
  readonly now: () => number;
}

export interface AttemptResult {
  /** Undefined: the server stops, and the message stays as due as it was. */
  readonly attempted: Attempted | undefined;
  readonly payment?: Payment;
  /** How long the endpoint took, in milliseconds; undefined: it was not asked. */
  readonly took?: number;
}

/**
 * Sends a message once. Rejects where something of this server's own fails before anything is sent.
 * @param failingSince asked for when the attempt is over: others may have ended meanwhile
 */
export async function attempt(
  { client, payments, isSuspended, retrySeconds, now }: AttemptParts,
  subscription: WebhookSubscription,
  message: WebhookMessage,
  failingSince: () => number | null,
): Promise<AttemptResult> {
  if (isSuspended && (await isSuspended(subscription.accountId))) {
    return { attempted: skipped(message, 'account_suspended', now()) };
  }
  let payment: Payment | undefined;
  try {
    payment = await payments.reserve(message, subscription.accountId);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Its code is one of those of status 402, such as `insufficient_credits`.
    return { attempted: skipped(message, error.code, now()) };
  }
  try {
    const startedAt = now();
    const { webhookId, body } = message;
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Ledgerline-Webhooks/1.0',
      ...signedHeaders(webhookId, startedAt, body, secretsAt(subscription, startedAt)),
    };
    const outcome = await client.post(subscription.url, headers, Buffer.from(body));
    const endedAt = now();
    const took = endedAt - startedAt;
    if (outcome.kind === 'failed' && outcome.error === 'closed') {
      payment?.release();
      return { attempted: undefined };
    }
    const judged = { attempt: message.attempts + 1, at: endedAt, failingSince: failingSince() };
    const verdict = judge(outcome, judged, retrySeconds);
    if (!payment || !(outcome.kind === 'answered' && isSuccess(outcome.status))) {
      payment?.release();
      return { attempted: { message, ...verdict }, took };
    }
    const charge = payment.charge(startedAt, endedAt, outcome.status);
    return { attempted: { message, ...verdict, charge }, payment, took };
  } catch (error) {
    payment?.release();
    throw error;
  }
}

const secretsAt = ({ secret, previousSecret }: WebhookSubscription, at: number): string[] =>
  previousSecret && at < previousSecret.until ? [secret, previousSecret.secret] : [secret];

const skipped = (message: WebhookMessage, error: string, at: number): Attempted => ({
  message,
  statusCode: null,
  success: false,
  error,
  at,
  retryAt: null,
  givenUp: false,
  skipped: true,
});

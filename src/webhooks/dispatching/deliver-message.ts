import { type AlertText, textOf } from '../formats/alert.ts';
import { requestedWait, serviceRequest } from '../formats/service-request.ts';
import { parseAlertBody } from '../formats/stored-alert.ts';
import type { DeliveryOutcome, SentOutcome } from '../http/delivery-outcome.ts';
import type { WebhookClient } from '../http/webhook-client.ts';
import { signedHeaders } from '../http/webhook-signature.ts';
import type { WebhookMessage, WebhookSubscription } from '../store/webhook-store.ts';

/** Sends a message once, in the format of its subscription. @param at now: milliseconds */
export type Deliver = (subscription: WebhookSubscription, message: WebhookMessage, at: number) => Promise<SentOutcome>;

/** Stores a mail to be sent. The same message is stored once, as long as it waits. */
export type MailAlert = (
  subscription: WebhookSubscription,
  message: WebhookMessage,
  text: AlertText,
) => Promise<SentOutcome>;

interface DeliverParts {
  readonly client: Pick<WebhookClient, 'post'>;
  /** The server's public address, without a trailing slash; absent: no subscription is for people. */
  readonly baseUrl?: (() => string) | undefined;
  readonly mail?: MailAlert | undefined;
}

const USER_AGENT = { 'user-agent': 'Ledgerline-Webhooks/1.0' } as const;

export function createDeliver({ client, baseUrl = () => '', mail }: DeliverParts): Deliver {
  return async (subscription, message, at) => {
    const { format, url } = subscription;
    const { webhookId, body } = message;
    if (format === 'ledgerline') {
      const signed = signedHeaders(webhookId, at, body, validSecrets(subscription, at));
      const headers = { 'content-type': 'application/json', ...USER_AGENT, ...signed };
      return client.post(url, headers, Buffer.from(body));
    }
    const text = textOf(parseAlertBody(body), baseUrl());
    if (format === 'email') {
      if (!mail) throw new Error('this process sends no mails');
      return mail(subscription, message, text);
    }
    const request = serviceRequest(format, text);
    const outcome = await client.post(url, { ...USER_AGENT, ...request.headers }, Buffer.from(request.body));
    return outcome.kind === 'answered' ? withRequestedWait(format, outcome) : outcome;
  };
}

/** The longer one of the waits that header and body ask for. */
function withRequestedWait(
  format: string,
  { body, ...outcome }: Extract<DeliveryOutcome, { kind: 'answered' }>,
): DeliveryOutcome {
  const wait = requestedWait(format, body);
  return wait === undefined ? outcome : { ...outcome, retryAfter: Math.max(wait, outcome.retryAfter ?? 0) };
}

const validSecrets = ({ secret, previousSecret }: WebhookSubscription, at: number): string[] =>
  previousSecret && at < previousSecret.until ? [secret, previousSecret.secret] : [secret];

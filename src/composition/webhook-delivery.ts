import type { Logger } from 'pino';
import { termsFinder } from '../accounts/billing/billing.ts';
import type { CreditBook } from '../accounts/credits/credit-book.ts';
import { createLogFeed } from '../log/log-feed.ts';
import type { Config } from '../settings/config.ts';
import { createPayments } from '../webhooks/delivery-charges.ts';
import { createDispatcher } from '../webhooks/dispatcher.ts';
import { createMessages, TELLING_TYPES } from '../webhooks/messages/messages-of.ts';
import { createPublisher } from '../webhooks/publisher.ts';
import type { WebhookClient } from '../webhooks/webhook-client.ts';
import type { Parts } from './parts.ts';

/** What tells subscribers: from the log to the store of messages, and from there to their endpoints. */
export interface WebhookDelivery {
  /** Resolves when it is known from where on facts are told. */
  start(): Promise<void>;
  /** Something is due that was not before. */
  wake(): void;
  close(): Promise<void>;
}

/** @param client closed with it */
export function openWebhookDelivery(
  config: Config,
  parts: Parts,
  credits: CreditBook,
  client: WebhookClient,
  logger: Pick<Logger, 'error'>,
): WebhookDelivery {
  const { log, store, webhookStore, billingRegistry: registry } = parts;
  const payments = createPayments({
    store: webhookStore,
    credits,
    log,
    termsOf: termsFinder({ registry, plans: config.plans }),
    onError: (error) => logger.error({ err: error }, 'a delivery could not be charged; it is tried again'),
  });
  const dispatcher = createDispatcher({
    store: webhookStore,
    client,
    retrySeconds: config.webhookRetrySeconds,
    payments,
    onError: (error) => logger.error({ err: error }, 'the deliveries of webhooks have met an error'),
  });
  const publisher = createPublisher({
    feed: createLogFeed(log),
    store: webhookStore,
    messagesFor: createMessages(log, store),
    types: TELLING_TYPES,
    onPublished: dispatcher.wake,
    onError: (error) => logger.error({ err: error }, 'what webhooks are to tell could not be stored'),
  });
  return {
    async start() {
      await publisher.start();
      dispatcher.start();
    },
    wake: dispatcher.wake,
    async close() {
      // First, so that nothing new becomes due while the rest is finished.
      await publisher.stop();
      await dispatcher.stop();
    },
  };
}

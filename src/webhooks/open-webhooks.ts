import { termsFinder } from '../accounts/billing/billing.ts';
import type { BillingRegistry } from '../accounts/billing/billing-registry.ts';
import type { Credits } from '../accounts/credits/credits.ts';
import type { Plans } from '../accounts/plan-terms.ts';
import type { SecretBox } from '../api/calls/secret-box.ts';
import type { WebhookServices } from '../api/calls/webhook-services.ts';
import type { CacheSize } from '../domain/cache-size.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { Follower } from '../event-log/follower.ts';
import type { RecordFeed } from '../event-log/record-feed.ts';
import type { Gate } from '../platform/clock/gate.ts';
import { breathe } from '../platform/time/breathe.ts';
import { createStreamPlaces } from '../read-models/changes/stream-places.ts';
import { createToldOf, TELLING_TYPES } from '../read-models/changes/told-of.ts';
import type { ReadStore } from '../read-models/store/read-store.ts';
import { type AttemptCounts, countedAttempts } from './counted-attempts.ts';
import { createWebhookServices } from './create-webhook-services.ts';
import { createPayments } from './delivery-charges.ts';
import { createDispatcher } from './dispatcher.ts';
import { AT_ONCE } from './fair-turns.ts';
import { createPruner } from './pruner.ts';
import { createPublisher } from './publisher.ts';
import type { Resolve } from './resolver.ts';
import type { LeaseTerms } from './shard-holder.ts';
import type { WebhookStore } from './store/webhook-store.ts';
import { createWebhookClient } from './webhook-client.ts';

export interface WebhooksParts {
  readonly log: EventLog;
  readonly feed: RecordFeed;
  readonly store: ReadStore;
  /** Resolves when the read models show everything up to a position. */
  readonly projected: (position: bigint) => Promise<void>;
  readonly webhooks: WebhookStore;
  readonly billing: BillingRegistry;
  readonly credits: Credits;
  readonly plans: Plans;
  /** Seals the secrets of subscriptions. */
  readonly secrets: SecretBox;
  /** Private ranges that may be reached, by plain HTTP too. */
  readonly allow: readonly string[];
  /** Ranges that may not be reached, although they are public. */
  readonly deny: readonly string[];
  /** Seconds between the attempts of a delivery. */
  readonly retrySeconds: readonly number[];
  readonly randomBytes: (size: number) => Uint8Array;
  /** Milliseconds. */
  readonly now: () => number;
  /** Closed, webhooks wait, and nothing is pruned. */
  readonly gate: Gate;
  readonly logger: { error(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** Whether the account is told nothing at present. */
  readonly isSuspended: (accountId: number) => Promise<boolean>;
  /** Looks up the names of endpoints; absent: as the machine does. */
  readonly resolve?: Resolve | undefined;
  /** How this process shares the subscriptions with others; absent: it is alone. */
  readonly lease?: LeaseTerms | undefined;
  /** Told in the place of the dispatcher that something is due; absent: the dispatcher. */
  readonly onDue?: (() => void) | undefined;
}

/** What tells subscribers: from the log to the store of messages, and from there to their endpoints. */
export interface Webhooks {
  readonly services: WebhookServices;
  /** Of this process, since it began. */
  readonly attempts: AttemptCounts;
  /** What brings facts from the log to the store of messages. */
  readonly follower: () => Follower;
  /** What is kept of the facts that were told last. */
  readonly size: () => CacheSize;
  /** Resolves when it is known from where on facts are told. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The dispatcher bounds what each subscription has under way, and all together; those that share a host must not share
 *  places of it beside that, for who waits for one waits within the time of its attempt. */
const PLACES_OF_A_HOST = AT_ONCE.inAll;

export function openWebhooks(parts: WebhooksParts): Webhooks {
  const { log, feed, store, billing: registry, credits, plans, secrets, now, gate, logger } = parts;
  const { store: webhooks, counts: attempts } = countedAttempts(parts.webhooks);
  const pools = { perEndpoint: PLACES_OF_A_HOST };
  const client = createWebhookClient({ allow: parts.allow, deny: parts.deny, resolve: parts.resolve, pools });
  const payments = createPayments({
    store: webhooks,
    credits,
    log,
    termsOf: termsFinder({ registry, plans }),
    onError: (error) => logger.error({ err: error }, 'a delivery could not be charged; it is tried again'),
  });
  const dispatcher = createDispatcher({
    store: webhooks,
    client,
    retrySeconds: parts.retrySeconds,
    payments,
    isSuspended: parts.isSuspended,
    now,
    gate,
    ...(parts.lease && { lease: parts.lease }),
    onError: (error) => logger.error({ err: error }, 'the deliveries of webhooks have met an error'),
  });
  const places = createStreamPlaces();
  const publisher = createPublisher({
    feed,
    store: webhooks,
    toldOf: createToldOf({ log, store, projected: parts.projected, places, now, breathe }),
    now,
    gate,
    types: TELLING_TYPES,
    breathe,
    onPublished: dispatcher.wake,
    onError: (error) => logger.error({ err: error }, 'what webhooks are to tell could not be stored'),
  });
  const pruner = createPruner({
    store: webhooks,
    now,
    mayPrune: () => gate.isOpen,
    onError: (error) => logger.error({ err: error }, 'old deliveries of webhooks could not be dropped; tried again'),
  });
  const wake = parts.onDue ?? dispatcher.wake;
  let isStarted = false;
  let stopListening = (): void => {};
  return {
    services: createWebhookServices({
      store: webhooks,
      documents: store,
      log,
      secrets,
      checkUrl: client.check,
      random: parts.randomBytes,
      now,
      wake,
    }),
    attempts,
    size: () => places.size,
    follower: () => ({ name: 'webhooks', position: publisher.place.position, state: publisher.state }),
    async start() {
      isStarted = true;
      await publisher.start();
      dispatcher.start();
      stopListening = webhooks.onDue?.(dispatcher.wake) ?? stopListening;
      pruner.start();
    },
    async close() {
      stopListening();
      if (isStarted) {
        // First, so that nothing new becomes due while the rest is finished.
        await publisher.stop();
      }
      await Promise.all([dispatcher.stop(), pruner.stop()]);
    },
  };
}

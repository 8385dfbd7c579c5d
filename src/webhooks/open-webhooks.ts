import type { Plans } from '../accounts/billing/account-terms.ts';
import { createTermsFinder } from '../accounts/billing/create-billing.ts';
import type { BillingRegistry } from '../accounts/billing/model/billing-registry.ts';
import type { Credits } from '../accounts/credits/credits.ts';
import type { MyBooksStore } from '../accounts/my-books/my-books-store.ts';
import type { SecretBox } from '../api/calls/secret-box.ts';
import type { WebhookServices } from '../api/calls/services/webhook-services.ts';
import type { CacheSize } from '../domain/primitives/size-in-memory.ts';
import { MINUTE } from '../domain/primitives/time.ts';
import type { EventLog } from '../event-log/port/event-log.ts';
import type { FollowerStatus } from '../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed } from '../event-log/subscription/record-feed.ts';
import { yieldToEventLoop } from '../platform/async/yield-to-event-loop.ts';
import type { WriteGate } from '../platform/clock/write-gate.ts';
import type { Outbox } from '../platform/mail/mail.ts';
import { MAPPED_RECORD_TYPES } from '../read-models/change-feed/record-mapper.ts';
import { createStreamFoldCache } from '../read-models/change-feed/stream-fold-cache.ts';
import type { Bookmakers } from '../read-models/rendering/bookmakers.ts';
import type { ReadStore } from '../read-models/store/read-store.ts';
import { createAlertMails } from './alert-mails.ts';
import { createChangeSource } from './change-source.ts';
import { createWebhookServices } from './create-webhook-services.ts';
import { createDeliveryCharges } from './dispatching/delivery-charges.ts';
import { DEFAULT_CONCURRENCY } from './dispatching/fair-scheduler.ts';
import type { LeaseTerms } from './dispatching/shard-lease-holder.ts';
import { createWebhookDispatcher } from './dispatching/webhook-dispatcher.ts';
import type { ResolveHostname } from './http/dns-lookup.ts';
import { createWebhookClient } from './http/webhook-client.ts';
import { createAlertPreview } from './preview-alert.ts';
import type { DeliveryAttempt, WebhookStore } from './store/webhook-store.ts';
import { createWebhookPruner } from './webhook-pruner.ts';
import { createWebhookPublisher } from './webhook-publisher.ts';

interface WebhooksParts {
  readonly log: EventLog;
  readonly feed: RecordFeed;
  readonly store: ReadStore;
  /** Resolves when the read models include everything up to a position. */
  readonly projected: (position: bigint) => Promise<void>;
  readonly webhooks: WebhookStore;
  readonly billing: BillingRegistry;
  readonly credits: Credits;
  readonly plans: Plans;
  /** Encrypts the secrets of subscriptions. */
  readonly secrets: SecretBox;
  /** Private ranges that may be reached, also by plain HTTP. */
  readonly allow: readonly string[];
  /** Public ranges that may not be reached. */
  readonly deny: readonly string[];
  /** Seconds between the attempts of a delivery. */
  readonly retrySeconds: readonly number[];
  readonly randomBytes: (size: number) => Uint8Array;
  /** Milliseconds. */
  readonly now: () => number;
  /** While it is closed, webhooks wait and nothing is pruned. */
  readonly gate: WriteGate;
  readonly logger: { error(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** Opened after the webhooks. */
  readonly outbox: () => Outbox;
  /** The verified address of the account's user; undefined: there is none. */
  readonly addressOf: (accountId: number) => Promise<string | undefined>;
  /** The public address, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Whether the demo invents what is told; absent: there is none. */
  readonly isSimulated?: (() => boolean) | undefined;
  readonly bookmakers: Pick<Bookmakers, 'nameOf' | 'sharpWeight'>;
  /** The books where accounts can bet. */
  readonly myBooks: Pick<MyBooksStore, 'find' | 'findSome'>;
  /** Whether the account gets no webhooks at present. */
  readonly isSuspended: (accountId: number) => Promise<boolean>;
  /** Resolves the host names of endpoints; absent: as the machine does. */
  readonly resolve?: ResolveHostname | undefined;
  /** How this process shares the subscriptions with others; absent: it is the only one. */
  readonly lease?: LeaseTerms | undefined;
  /** Called instead of the dispatcher when something is due; absent: the dispatcher is woken. */
  readonly onDue?: (() => void) | undefined;
}

/** Sends webhooks: from the log to the message store, and from there to the endpoints. */
export interface Webhooks {
  readonly services: WebhookServices;
  /** Of this process since its start. */
  readonly attempts: AttemptCounts;
  /** The follower that turns log records into messages. */
  readonly follower: () => FollowerStatus;
  /** Size of the cache of folds that the publisher uses. */
  readonly cacheSize: () => CacheSize;
  /** Resolves when the starting positions are known. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The dispatcher already limits running attempts per subscription and in total. Subscriptions with the same host must
 * not share further limits: a wait for a connection would count towards the deadline of the attempt.
 */
const CONNECTIONS_PER_HOST = DEFAULT_CONCURRENCY.total;
/** How often an idle dispatcher looks for what it missed. */
const REST_MS = MINUTE;

export function openWebhooks(parts: WebhooksParts): Webhooks {
  const { log, feed, store, billing: registry, credits, plans, secrets, now, gate, logger } = parts;
  const { store: webhooks, counts: attempts } = countAttempts(parts.webhooks);
  const pools = { maxPerEndpoint: CONNECTIONS_PER_HOST };
  const client = createWebhookClient({ allow: parts.allow, deny: parts.deny, resolve: parts.resolve, pools });
  const charges = createDeliveryCharges({
    store: webhooks,
    credits,
    log,
    termsOf: createTermsFinder({ registry, plans }),
    onError: (error) => logger.error({ err: error }, 'a delivery could not be charged; it is tried again'),
  });
  const { addressOf, baseUrl, outbox, isSimulated = () => false } = parts;
  const mails = createAlertMails({
    store: webhooks,
    outbox,
    addressOf,
    secrets,
    baseUrl,
    now,
    onError: (error) =>
      logger.error({ err: error }, 'owners could not be told that their alerts or webhooks have ended'),
  });
  const dispatcher = createWebhookDispatcher({
    store: webhooks,
    client,
    baseUrl,
    mail: mails.mail,
    mailOwnersOfEnded: () => void mails.mailOwnersOfEnded(),
    retrySeconds: parts.retrySeconds,
    charges,
    isSuspended: parts.isSuspended,
    now,
    gate,
    // All messages of the only process are told to the dispatcher.
    ...(parts.lease ? { lease: parts.lease } : { restMs: REST_MS }),
    onError: (error) => logger.error({ err: error }, 'the deliveries of webhooks have met an error'),
  });
  const foldCache = createStreamFoldCache();
  const folding = { log, store, projected: parts.projected, now, breathe: yieldToEventLoop };
  const publisher = createWebhookPublisher({
    feed,
    store: webhooks,
    merged: log.replacements,
    booksOf: parts.myBooks.findSome,
    ...createChangeSource({ ...folding, places: foldCache, bookmakers: parts.bookmakers }),
    now,
    gate,
    recordTypes: MAPPED_RECORD_TYPES,
    isSimulated,
    breathe: yieldToEventLoop,
    onPublished: dispatcher.wake,
    onError: (error) => logger.error({ err: error }, 'what webhooks are to tell could not be stored'),
  });
  const pruner = createWebhookPruner({
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
      addressOf,
      booksOf: parts.myBooks.find,
      mails,
      preview: createAlertPreview({
        log,
        source: createChangeSource({ ...folding, bookmakers: parts.bookmakers, withHistory: true }),
        recordTypes: MAPPED_RECORD_TYPES,
        baseUrl,
        isSimulated,
        breathe: yieldToEventLoop,
      }),
      checkUrl: client.check,
      random: parts.randomBytes,
      now,
      wake,
    }),
    attempts,
    cacheSize: () => foldCache.size,
    follower: () => ({ name: 'webhooks', position: publisher.progress.position, state: publisher.state }),
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
        // Stopped first, so that nothing new becomes due meanwhile.
        await publisher.stop();
      }
      await Promise.all([dispatcher.stop(), pruner.stop()]);
    },
  };
}

/**
 * Attempts by result: delivered; failed, to be retried; given up; or skipped without sending, such as for want of
 * credits.
 */
type AttemptCounts = Readonly<Record<'delivered' | 'failed' | 'given_up' | 'skipped', number>>;

/** Wraps a store and counts the attempts that it recorded. */
function countAttempts(store: WebhookStore): { readonly store: WebhookStore; readonly counts: AttemptCounts } {
  const counts = { delivered: 0, failed: 0, given_up: 0, skipped: 0 };
  return {
    counts,
    store: {
      ...store,
      async record(attempts, epoch) {
        await store.record(attempts, epoch);
        for (const attempted of attempts) counts[attemptCategory(attempted)]++;
      },
    },
  };
}

function attemptCategory({ success, skipped, retryAt }: DeliveryAttempt): keyof AttemptCounts {
  if (success) return 'delivered';
  if (skipped) return 'skipped';
  return retryAt === null ? 'given_up' : 'failed';
}

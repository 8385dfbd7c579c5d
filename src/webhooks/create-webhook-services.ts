import { createHash } from 'node:crypto';
import { type EventDocument, events } from '../../projections/sports-events/events.ts';
import { ApiError, badRequest, notFound } from '../api/calls/api-errors.ts';
import { type Principal, refuseCapped } from '../api/calls/principal.ts';
import { coversScopes, isLimitedToSports } from '../api/calls/scopes.ts';
import type { SecretBox } from '../api/calls/secret-box.ts';
import type { Webhook, WebhookDelivery, WebhookServices } from '../api/calls/services/webhook-services.ts';
import { type AlertFormat, defaultQuiet } from '../domain/alerts/alert-formats.ts';
import { DAY, formatTime, SECOND } from '../domain/primitives/time.ts';
import { WEBHOOK_TYPES } from '../domain/webhook-types.ts';
import type { EventLog } from '../event-log/port/event-log.ts';
import type { DocumentReader } from '../read-models/store/document-reader.ts';
import { type AlertMails, MAILTO } from './alert-mails.ts';
import { typesOf } from './filters/passes-filter.ts';
import type { AlertLine } from './formats/alert.ts';
import { maskAddress, refuseAddress } from './formats/service-address.ts';
import { alertBody } from './formats/stored-alert.ts';
import type { WebhookClient } from './http/webhook-client.ts';
import type { PreviewAlert } from './preview-alert.ts';
import { DELIVERY_RETENTION, MAX_REPLAYS, MESSAGE_RETENTION, REPLAY_WINDOW } from './store/webhook-retention.ts';
import {
  type DeliveryRow,
  type EndReason,
  MAX_REFUSALS,
  MessageNotAdded,
  ReplayRunning,
  TooManyReplays,
  TooManySubscriptions,
  type WebhookStore,
  type WebhookSubscription,
} from './store/webhook-store.ts';

interface WebhookServicesParts {
  readonly store: WebhookStore;
  /** Used to look up the sports of events. */
  readonly documents: Pick<DocumentReader, 'getMany'>;
  readonly log: Pick<EventLog, 'head'>;
  readonly secrets: SecretBox;
  /** The verified address of the account's user; undefined: there is none. */
  readonly addressOf: (accountId: number) => Promise<string | undefined>;
  /** The books where an account can bet; null: it has no list. */
  readonly booksOf: (accountId: number) => Promise<readonly string[] | null>;
  readonly preview: PreviewAlert;
  readonly mails: Pick<AlertMails, 'endByToken' | 'isToken'>;
  /** Checks a URL and resolves its host name. */
  readonly checkUrl: WebhookClient['check'];
  readonly random: (size: number) => Uint8Array;
  /** Milliseconds. */
  readonly now: () => number;
  /** Called when a message becomes due that the publisher did not make. */
  readonly wake: () => void;
}

/** Maximum of active subscriptions per account; the operator's own key has no limit. */
export const MAX_ACTIVE_SUBSCRIPTIONS = 100;
const SECRET_BYTES = 32;
/** How long the previous secret still signs. */
const PREVIOUS_SECRET_LIFETIME = DAY;

const TEST_ID_BYTES = 18;
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest().subarray(0, TEST_ID_BYTES);

/** The services of `/v1/webhooks`. */
export function createWebhookServices(parts: WebhookServicesParts): WebhookServices {
  const { store, documents, log, secrets, addressOf, booksOf, mails, preview, checkUrl, random, now, wake } = parts;
  const newSecret = () => `whsec_${Buffer.from(random(SECRET_BYTES)).toString('base64')}`;

  async function own(principal: Principal, id: number): Promise<WebhookSubscription> {
    const found = await store.find(id);
    if (found?.accountId !== principal.accountId) throw subscriptionNotFound(id);
    if ((await filterManageable(principal, [found], documents)).length === 0) throw subscriptionNotFound(id);
    return found;
  }

  async function ownActive(principal: Principal, id: number): Promise<WebhookSubscription> {
    const found = await own(principal, id);
    const { deactivated } = found;
    if (deactivated) throw badRequest(`subscription ${id} has ended: ${DEACTIVATION_REASONS[deactivated.reason]}`);
    return found;
  }

  /** The address in its normal form. @throws ApiError validation_error */
  async function checkedAddress(format: AlertFormat, url: string, accountId: number): Promise<string> {
    if (format === 'email') {
      const own = await addressOf(accountId);
      if (own === undefined) throw refusedUrl('needs a verified e-mail address, which this account has not');
      if (url.toLowerCase() !== MAILTO + own) throw refusedUrl(`must be mailto: with the account’s verified address`);
      return MAILTO + own;
    }
    const checked = await checkUrl(url);
    if ('refused' in checked) throw refusedUrl(checked.refused);
    const refused = refuseAddress(format, checked.url);
    if (refused !== undefined) throw refusedUrl(refused);
    return checked.url;
  }

  return {
    secrets,
    preview: async (principal, filter) =>
      preview(filter, (sport) => coversScopes(principal, [sport]), await booksOf(principal.accountId)),
    isEndToken: mails.isToken,
    endByToken: mails.endByToken,
    async create(principal, wish, run) {
      const { event_types: eventTypes, sport, event_id: eventId, quiet } = wish;
      const { format = 'ledgerline', filter = null } = wish;
      const { accountId, scopes } = principal;
      if (eventTypes.some((type) => WEBHOOK_TYPES[type].credits > 0))
        refuseCapped(principal, 'webhooks whose deliveries cost credits');
      const url = await checkedAddress(format, wish.url, accountId);
      const forms = { format, filter, quietSeconds: quiet?.min_interval_seconds ?? defaultQuiet(format) };
      const request = { accountId, scopes, url, eventTypes, sport, eventId, ...forms, secret: newSecret() };
      const since = { createdAt: now(), createdAfter: await log.head() };
      const maxActive = principal.unlimited ? undefined : MAX_ACTIVE_SUBSCRIPTIONS;
      const named = run === undefined ? {} : { run };
      const made = await store.create({ ...request, ...since, ...named }, maxActive).catch((error: unknown) => {
        throw error instanceof TooManySubscriptions ? tooManySubscriptionsError() : error;
      });
      const { is_active, ...first } = toWebhook(made);
      return { ...first, signing_secret: made.secret, is_active };
    },
    async list(principal) {
      return (await filterManageable(principal, await store.list(principal.accountId), documents)).map(toWebhook);
    },
    async remove(principal, id) {
      await own(principal, id);
      if (!(await store.remove(id, principal.accountId))) throw subscriptionNotFound(id);
    },
    async deliveries(principal, { id, ...query }) {
      const { id: subscriptionId } = await own(principal, id);
      const endedAfter = now() - DELIVERY_RETENTION;
      return (await store.deliveries({ subscriptionId, endedAfter, ...query })).map(toWebhookDelivery);
    },
    async test(principal, id, run) {
      const { format } = await ownActive(principal, id);
      const at = now();
      const bytes = run === undefined ? random(TEST_ID_BYTES) : digest(`test of ${id} ${run}`);
      const webhookId = `msg_${Buffer.from(bytes).toString('base64url')}`;
      const data = { event_id: null, subscription_id: id };
      const timestamp = formatTime(at);
      const body =
        format === 'ledgerline' ? JSON.stringify({ type: 'test', timestamp, data }) : alertBody(sampleLine(timestamp));
      const message = { webhookId, subscriptionId: id, eventType: 'test', eventId: null, body, createdAt: at } as const;
      await store.add(message).catch(async (error: unknown) => {
        // A process that died may have added the message in the same run.
        if (run === undefined || !(error instanceof MessageNotAdded)) throw error;
        await ownActive(principal, id);
      });
      wake();
      return webhookId;
    },
    async rotateSecret(principal, id, run) {
      await own(principal, id);
      const secret = newSecret();
      await store.rotate(id, secret, now() + PREVIOUS_SECRET_LIFETIME, run);
      return run === undefined ? secret : (await own(principal, id)).secret;
    },
    async replay(principal, id, after) {
      await ownActive(principal, id);
      const start = 'deliveryId' in after ? await startAfter(id, after.deliveryId) : after;
      const at = now();
      const terms = { keptAfter: at - MESSAGE_RETENTION, maxReplays: MAX_REPLAYS, since: at - REPLAY_WINDOW };
      const count = await store.replay(id, start, at, terms).catch((error: unknown) => {
        throw replayRefusal(error, at);
      });
      if (count > 0) wake();
      return count;
    },
  };

  /** If the delivery is too old to be stored, its message is too. Then all stored messages come after it. */
  async function startAfter(subscriptionId: number, deliveryId: number) {
    const owner = await store.ownerOfDelivery(deliveryId);
    if (owner === subscriptionId) return { deliveryId };
    if (owner === 'gone') return { from: Number.MIN_SAFE_INTEGER };
    throw badRequest(`after_delivery_id: there is no ${deliveryId} among the deliveries`);
  }
}

function replayRefusal(error: unknown, at: number): unknown {
  if (error instanceof ReplayRunning) {
    const message = 'A replay of this subscription is under way: some of its messages had no attempt yet.';
    return new ApiError('concurrency_limit_exceeded', message, { retry_after: 1 });
  }
  if (!(error instanceof TooManyReplays)) return error;
  const wait = Math.max(1, Math.ceil((error.oldest + REPLAY_WINDOW - at) / SECOND));
  const message = `Too many replays: ${MAX_REPLAYS} of a subscription are allowed in an hour.`;
  return new ApiError('rate_limit_exceeded', message, { retry_after: wait });
}

const DEACTIVATION_REASONS: Readonly<Record<EndReason, string>> = {
  gone: 'its endpoint has answered 410',
  failing: 'its endpoint has failed for 5 days',
  refused: `its service has refused ${MAX_REFUSALS} messages in a row`,
  unsubscribed: 'a link in one of its mails has ended it',
};

const subscriptionNotFound = (id: number): ApiError => notFound(`There is no subscription ${id}.`);

const tooManySubscriptionsError = (): ApiError =>
  new ApiError(
    'forbidden',
    `The account has ${MAX_ACTIVE_SUBSCRIPTIONS} active subscriptions, or 1,000 with those that have ended, as many as it may have.`,
  );

function refusedUrl(msg: string): ApiError {
  const errors = [{ loc: ['body', 'url'], msg, type: 'refused_url' }];
  return new ApiError('validation_error', `url: ${msg}`, { errors });
}

/** What a test tells a person. */
const sampleLine = (at: string): AlertLine => ({
  type: 'test',
  event: 'A test',
  eventId: null,
  text: 'This is a sample of your alert: a real one says what changed, from what to what',
  at,
  isUrgent: false,
});

const toWebhook = (subscription: WebhookSubscription): Webhook => ({
  id: subscription.id,
  url: maskAddress(subscription.format, subscription.url),
  format: subscription.format,
  event_types: [...new Set(typesOf(subscription.filter, subscription.eventTypes))],
  sport: subscription.sport,
  event_id: subscription.eventId,
  filter: subscription.filter,
  quiet: { min_interval_seconds: subscription.quietSeconds },
  is_active: subscription.isActive,
});

const toWebhookDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  event_type: row.eventType,
  event_id: row.eventId,
  attempt: row.attempt,
  parent_delivery_id: row.parentDeliveryId,
  status_code: row.statusCode,
  success: row.success,
  error: row.error,
  given_up: row.givenUp,
  next_retry_at: row.nextRetryAt === null ? null : formatTime(row.nextRetryAt),
  delivered_at: formatTime(row.deliveredAt),
});

type SubscriptionTarget = Pick<WebhookSubscription, 'sport' | 'eventId' | 'scopes'>;

/**
 * The subscriptions of an account that the caller could have made itself. The caller must not delete the others, read
 * their secrets, or see their deliveries.
 */
async function filterManageable<Subscription extends SubscriptionTarget>(
  principal: Principal,
  subscriptions: readonly Subscription[],
  store: Pick<DocumentReader, 'getMany'>,
): Promise<readonly Subscription[]> {
  if (!isLimitedToSports(principal)) return subscriptions;
  const sportOf = await sportsOfEvents(subscriptions, store);
  return subscriptions.filter(({ sport, eventId, scopes }) => {
    if (sport !== null) return coversScopes(principal, [sport]);
    if (eventId === null) return coversScopes(principal, scopes);
    const ofEvent = sportOf.get(eventId);
    return ofEvent !== undefined && coversScopes(principal, [ofEvent]);
  });
}

/** The sports of subscriptions that name an event but no sport. */
async function sportsOfEvents(
  subscriptions: readonly SubscriptionTarget[],
  store: Pick<DocumentReader, 'getMany'>,
): Promise<ReadonlyMap<number, string>> {
  const ids = subscriptions.flatMap(({ sport, eventId }) => (sport === null && eventId !== null ? [eventId] : []));
  if (ids.length === 0) return new Map();
  const found = await store.getMany<EventDocument>(events.name, [...new Set(ids)].map(String));
  return new Map(found.flatMap((stored) => (stored ? [[stored.document.id, stored.document.sport] as const] : [])));
}

import { createHash } from 'node:crypto';
import { ApiError, badRequest, notFound } from '../api/calls/errors.ts';
import type { Principal } from '../api/calls/principal.ts';
import type { SecretBox } from '../api/calls/secret-box.ts';
import type { Webhook, WebhookDelivery, WebhookServices } from '../api/calls/webhook-services.ts';
import { DAY, formatTime, SECOND } from '../domain/time.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { DocumentReader } from '../read-models/store/document-reader.ts';
import { managedBy } from './managed-by.ts';
import { MESSAGES_KEPT, MOST_REPLAYS, REPLAYS_WITHIN, ROWS_KEPT } from './retention.ts';
import {
  type DeliveryRow,
  NotAdded,
  ReplayRunning,
  TooManyReplays,
  TooManySubscriptions,
  type WebhookStore,
  type WebhookSubscription,
} from './store/webhook-store.ts';
import type { WebhookClient } from './webhook-client.ts';

export interface WebhookServicesParts {
  readonly store: WebhookStore;
  /** Where the sports of events are looked up. */
  readonly documents: Pick<DocumentReader, 'getMany'>;
  readonly log: Pick<EventLog, 'head'>;
  readonly secrets: SecretBox;
  /** Judges a URL, its name resolved. */
  readonly checkUrl: WebhookClient['check'];
  readonly random: (size: number) => Uint8Array;
  /** Milliseconds. */
  readonly now: () => number;
  /** Something has become due beside what the publisher makes. */
  readonly wake: () => void;
}

/** Active subscriptions of an account; the operator's own key has no limit. */
export const MOST_ACTIVE = 100;
const SECRET_BYTES = 32;
/** How long the secret before the last still signs. */
const BOTH_SIGN = DAY;

const TEST_ID_BYTES = 18;
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest().subarray(0, TEST_ID_BYTES);

/** What is behind `/v1/webhooks`. */
export function createWebhookServices(parts: WebhookServicesParts): WebhookServices {
  const { store, documents, log, secrets, checkUrl, random, now, wake } = parts;
  const newSecret = () => `whsec_${Buffer.from(random(SECRET_BYTES)).toString('base64')}`;

  async function own(principal: Principal, id: number): Promise<WebhookSubscription> {
    const found = await store.find(id);
    if (found?.accountId !== principal.accountId) throw noSubscription(id);
    if ((await managedBy(principal, [found], documents)).length === 0) throw noSubscription(id);
    return found;
  }

  async function ownActive(principal: Principal, id: number): Promise<void> {
    const { deactivated } = await own(principal, id);
    if (deactivated) throw badRequest(`subscription ${id} has ended: ${ENDINGS[deactivated.reason]}`);
  }

  return {
    secrets,
    async create(principal, { url, event_types: eventTypes, sport, event_id: eventId }, run) {
      const checked = await checkUrl(url);
      if ('refused' in checked) throw refusedUrl(checked.refused);
      const { accountId, scopes } = principal;
      const wish = { accountId, scopes, url: checked.url, eventTypes, sport, eventId, secret: newSecret() };
      const since = { createdAt: now(), createdAfter: await log.head() };
      const most = principal.unlimited ? undefined : MOST_ACTIVE;
      const named = run === undefined ? {} : { run };
      const made = await store.create({ ...wish, ...since, ...named }, most).catch((error: unknown) => {
        throw error instanceof TooManySubscriptions ? tooMany() : error;
      });
      const { is_active, ...first } = shown(made);
      return { ...first, signing_secret: made.secret, is_active };
    },
    async list(principal) {
      return (await managedBy(principal, await store.list(principal.accountId), documents)).map(shown);
    },
    async remove(principal, id) {
      await own(principal, id);
      if (!(await store.remove(id, principal.accountId))) throw noSubscription(id);
    },
    async deliveries(principal, { id, ...query }) {
      const { id: subscriptionId } = await own(principal, id);
      const endedAfter = now() - ROWS_KEPT;
      return (await store.deliveries({ subscriptionId, endedAfter, ...query })).map(shownDelivery);
    },
    async test(principal, id, run) {
      await ownActive(principal, id);
      const at = now();
      const bytes = run === undefined ? random(TEST_ID_BYTES) : digest(`test of ${id} ${run}`);
      const webhookId = `msg_${Buffer.from(bytes).toString('base64url')}`;
      const data = { event_id: null, subscription_id: id };
      const body = JSON.stringify({ type: 'test', timestamp: formatTime(at), data });
      const message = { webhookId, subscriptionId: id, eventType: 'test', eventId: null, body, createdAt: at } as const;
      await store.add(message).catch(async (error: unknown) => {
        // It is there already, where the same run was begun before by a process that has died.
        if (run === undefined || !(error instanceof NotAdded)) throw error;
        await ownActive(principal, id);
      });
      wake();
      return webhookId;
    },
    async rotateSecret(principal, id, run) {
      await own(principal, id);
      const secret = newSecret();
      await store.rotate(id, secret, now() + BOTH_SIGN, run);
      return run === undefined ? secret : (await own(principal, id)).secret;
    },
    async replay(principal, id, after) {
      await ownActive(principal, id);
      const start = 'deliveryId' in after ? await startAfter(id, after.deliveryId) : after;
      const at = now();
      const terms = { keptAfter: at - MESSAGES_KEPT, most: MOST_REPLAYS, since: at - REPLAYS_WITHIN };
      const count = await store.replay(id, start, at, terms).catch((error: unknown) => {
        throw replayRefusal(error, at);
      });
      if (count > 0) wake();
      return count;
    },
  };

  /** After an attempt that is kept no longer, as its message is not, comes all that is kept. */
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
  const wait = Math.max(1, Math.ceil((error.oldest + REPLAYS_WITHIN - at) / SECOND));
  const message = `Too many replays: ${MOST_REPLAYS} of a subscription are allowed in an hour.`;
  return new ApiError('rate_limit_exceeded', message, { retry_after: wait });
}

const ENDINGS = { gone: 'its endpoint has answered 410', failing: 'its endpoint has failed for 5 days' };

const noSubscription = (id: number): ApiError => notFound(`There is no subscription ${id}.`);

const tooMany = (): ApiError =>
  new ApiError('forbidden', `The account has ${MOST_ACTIVE} active subscriptions, as many as it may have.`);

function refusedUrl(msg: string): ApiError {
  const errors = [{ loc: ['body', 'url'], msg, type: 'refused_url' }];
  return new ApiError('validation_error', `url: ${msg}`, { errors });
}

const shown = ({ id, url, eventTypes, sport, eventId, isActive }: WebhookSubscription): Webhook => ({
  id,
  url,
  event_types: eventTypes,
  sport,
  event_id: eventId,
  is_active: isActive,
});

const shownDelivery = (row: DeliveryRow): WebhookDelivery => ({
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

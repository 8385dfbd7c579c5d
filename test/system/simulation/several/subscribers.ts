import type { LogRecord } from '../../../../src/domain/event-sourcing/record.ts';
import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import { createRecordMapper } from '../../../../src/read-models/change-feed/record-mapper.ts';
import type { NewSubscription, WebhookStore } from '../../../../src/webhooks/store/webhook-store.ts';
import { createSubscriptionMatcher } from '../../../../src/webhooks/subscription-matcher.ts';
import type { World } from '../world.ts';
import { EPOCH } from './messages.ts';
import type { Services } from './process.ts';
import { TELLERS } from './publisher-process.ts';

/** Somebody wants to be told of what is recorded from now on. */
export async function subscribe(world: World, webhooks: WebhookStore, log: EventLog): Promise<void> {
  const sport = world.random.pick([null, 'nfl']);
  const eventTypes = world.random.pick([['score'], ['score', 'status']] as const);
  const wish: NewSubscription = {
    accountId: 1,
    scopes: ['all'],
    url: 'https://example.com',
    eventTypes,
    sport,
    eventId: null,
    secret: 'whsec_',
    createdAt: EPOCH + world.now(),
    createdAfter: await log.head(),
  };
  const { id, createdAfter } = await webhooks.create(wish);
  world.note(() => `subscription ${id} is told of what comes after ${createdAfter}`);
}

/** What subscribers are due by the whole log, by webhook id: its body. */
export async function dueMessages({ log, store, webhooks }: Services): Promise<Map<string, string>> {
  const records: readonly LogRecord[] = await log.readAll(null, 1_000_000);
  const types = new Set(TELLERS.flatMap(({ recordTypes }) => recordTypes));
  const subscriptions = createSubscriptionMatcher(await webhooks.active());
  const telling = records.filter(({ type }) => types.has(type));
  const told = await createRecordMapper({ log, store, mappers: TELLERS })(telling, subscriptions.isWanted);
  return new Map(
    (await subscriptions.createMessages(told, { now: 0 })).map(({ webhookId, body }) => [webhookId, body]),
  );
}

/** Those that are stored, of which none may be there twice or be owed to nobody. */
export async function storedMessages(world: World, webhooks: WebhookStore): Promise<Map<string, string>> {
  const stored = new Map<string, string>();
  for (const { webhookId, body } of await webhooks.due(Number.MAX_SAFE_INTEGER, 1_000_000, new Set())) {
    world.check(!stored.has(webhookId), () => `message ${webhookId} is there twice`);
    stored.set(webhookId, body);
  }
  return stored;
}

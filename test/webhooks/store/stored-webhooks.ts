import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../../src/api/calls/secret-box.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { createSqliteWebhookStore } from '../../../src/webhooks/store/sql-webhook-store.ts';
import type {
  DeliveryAttempt,
  NewMessage,
  NewSubscription,
  PublisherPosition,
  WebhookMessage,
  WebhookStore,
} from '../../../src/webhooks/store/webhook-store.ts';

export interface StoredWebhooks {
  readonly store: WebhookStore;
  /** All that the database holds of webhooks, as text. */
  dump(): Promise<string>;
  /** As one who can write to the database would. */
  copySecret(from: number, to: number): Promise<void>;
  close(): Promise<void>;
}

/** A store of its own; two on one file see the same. */
export async function openWebhooks(file = ':memory:', pepper = 'pepper'): Promise<StoredWebhooks> {
  const database = openSqliteDatabase({ file, synchronous: 'normal' });
  const registry = await openRegistry(database);
  const store = createSqliteWebhookStore(registry, createSqliteRunner(database), createSecretBox(pepper, randomBytes));
  return {
    store,
    async dump() {
      const tables = ['webhook_subscriptions', 'webhook_messages', 'webhook_deliveries'] as const;
      return JSON.stringify(await Promise.all(tables.map((table) => registry.selectFrom(table).selectAll().execute())));
    },
    async copySecret(from, to) {
      const subscriptions = registry.selectFrom('webhook_subscriptions').select('secret').where('id', '=', from);
      const { secret } = await subscriptions.executeTakeFirstOrThrow();
      await registry.updateTable('webhook_subscriptions').set({ secret }).where('id', '=', to).execute();
    },
    close: () => registry.destroy(),
  };
}

export const newSubscription = (given: Partial<NewSubscription> = {}): NewSubscription => ({
  accountId: 1,
  scopes: ['all'],
  url: 'https://example.com/hook',
  eventTypes: ['score', 'status'],
  sport: null,
  eventId: null,
  secret: 'whsec_Zmlyc3Q=',
  createdAt: 1000,
  createdAfter: 7n,
  ...given,
});

let made = 0;
export const message = (subscriptionId: number, given: Partial<NewMessage> = {}): NewMessage => ({
  webhookId: `msg_${++made}`,
  subscriptionId,
  eventType: 'score',
  eventId: 5,
  body: '{"type":"score"}',
  createdAt: 2000,
  ...given,
});

export const succeeded = (sent: WebhookMessage, at: number): DeliveryAttempt => ({
  message: sent,
  statusCode: 200,
  success: true,
  error: null,
  at,
  retryAt: null,
  givenUp: false,
});

export const failed = (sent: WebhookMessage, at: number, given: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  message: sent,
  statusCode: 500,
  success: false,
  error: 'status',
  at,
  retryAt: at + 30,
  givenUp: false,
  ...given,
});

/** By one who holds all shards for good. */
export async function record(store: WebhookStore, attempts: readonly DeliveryAttempt[]): Promise<void> {
  const { epoch } = await store.claim('test', 0, Number.POSITIVE_INFINITY);
  await store.record(attempts, epoch);
}

/** In the one partition that there is. */
export const positionAt = (position: bigint): PublisherPosition => ({ partition: 'log', position });

import type { WebhookStore } from '../../../src/webhooks/store/webhook-store.ts';
import type { Far } from './far.ts';
import { farAway } from './far-away.ts';

/** A webhook store as several processes share it over a network. Two of them on one store are two processes. */
export function createFarWebhooks(store: WebhookStore, far: Far): WebhookStore {
  // Their members are spread and replaced by tests: they stand by themselves.
  const distant = farAway(store, far);
  return Object.fromEntries(Object.keys(store).map((name) => [name, Reflect.get(distant, name)])) as never;
}

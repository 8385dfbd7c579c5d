import type { WebhookStore } from '../../../src/webhooks/store/webhook-store.ts';
import { behindFaultyNetwork } from './behind-faulty-network.ts';
import type { FaultyNetwork } from './faulty-network.ts';

/** A webhook store as several processes share it over a network. Two of them on one store are two processes. */
export function createFaultyWebhooks(store: WebhookStore, far: FaultyNetwork): WebhookStore {
  // Their members are spread and replaced by tests: they stand by themselves.
  const distant = behindFaultyNetwork(store, far);
  return Object.fromEntries(Object.keys(store).map((name) => [name, Reflect.get(distant, name)])) as never;
}

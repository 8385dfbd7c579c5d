import { createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { createFaultyWebhooks } from '../../support/faulty/faulty-webhooks.ts';
import { createMemoryWebhookStore } from '../../support/webhooks/memory-webhook-store.ts';
import { webhookAlertsContract } from './webhook-alerts.contract.ts';
import { webhookRetentionContract } from './webhook-retention.contract.ts';
import { type OpenedWebhooks, webhookStoreContract } from './webhook-store.contract.ts';
import { webhookStoreModel } from './webhook-store-model.contract.ts';

async function inMemory(): Promise<OpenedWebhooks> {
  const store = createMemoryWebhookStore();
  return { store, another: async () => store, close: async () => {} };
}

async function farAway(): Promise<OpenedWebhooks> {
  const near = createMemoryWebhookStore();
  const process = async (seed: number) => createFaultyWebhooks(near, createFaultyNetwork({ seed }));
  return { store: await process(1), another: () => process(2), close: async () => {} };
}

webhookStoreContract('in memory', inMemory);
webhookAlertsContract('in memory', inMemory);
webhookStoreContract('far away', farAway);
webhookAlertsContract('far away', farAway);
webhookStoreModel('in memory', inMemory);
webhookStoreModel('far away', farAway, { numRuns: 10 });
webhookRetentionContract('in memory', inMemory);
webhookRetentionContract('far away', farAway, { numRuns: 10 });

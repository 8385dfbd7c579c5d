import type { WebhookStore } from '../../../../src/webhooks/store/webhook-store.ts';
import { createMemoryWebhookStore } from '../../../support/webhooks/memory-webhook-store.ts';
import type { World } from '../world.ts';

/** The webhook store that outlives the processes, which sees to it that the place of the publishers never goes back. */
export function createWatchedWebhooks(world: World): WebhookStore {
  const inner = createMemoryWebhookStore();
  return {
    ...inner,
    async publish(messages, place) {
      const before = (await inner.publisherPositions()).get(place.partition);
      await inner.publish(messages, place);
      const after = (await inner.publisherPositions()).get(place.partition)!;
      world.check(before === undefined || after >= before, () => `the place went from ${before} to ${after}`);
    },
  };
}

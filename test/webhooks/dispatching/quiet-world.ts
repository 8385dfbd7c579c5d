import type { WebhookStore } from '../../../src/webhooks/store/webhook-store.ts';
import { createClock, newWorld, type Sent, scriptedClient } from './dispatcher-harness.ts';

export const QUIET = 30;

/** An alert of one event, whose service answers as told. Changes are numbered. */
export async function quietWorld(answer: Parameters<typeof scriptedClient>[1], inMemory?: WebhookStore) {
  const world = await newWorld(createClock(), inMemory);
  const url = 'https://example.com/hook';
  const id = await world.subscribe({ quietSeconds: QUIET, url });
  const endpoint = scriptedClient(world.clock, answer);
  let position = 0;
  return {
    ...world,
    id,
    sent: endpoint.sent,
    client: endpoint.client,
    async change(count = 1) {
      const changes = Array.from({ length: count }, () => {
        position++;
        return {
          webhookId: `msg_${id}_${position}_0`,
          body: JSON.stringify({ type: 'score', timestamp: `${position}`, data: { event_id: 5, n: position } }),
          quiet: { seconds: QUIET, position: BigInt(position), index: 0 },
        };
      });
      await world.publish(id, ...changes);
    },
  };
}

/** The numbers of the changes that a message tells. */
export function changesIn({ body }: Pick<Sent, 'body'>): readonly number[] {
  const { type, data } = JSON.parse(body);
  return type === 'changes' ? data.changes.map((one: { data: { n: number } }) => one.data.n) : [data.n];
}

import type { BrokerClient, ReceivedMessage } from '../../src/messaging/broker/broker-client.ts';
import { PARTITIONS } from './kafka-harness.ts';

/** All committed messages of these topics, by partition. */
export async function contentsOf(broker: BrokerClient, ...topics: readonly string[]): Promise<ReceivedMessage[]> {
  const reader = broker.openReader(topics);
  const messages: ReceivedMessage[] = [];
  for (const topic of topics) {
    const all = Array.from({ length: PARTITIONS }, (_, partition) => ({ topic, partition }));
    const firsts = await reader.offsets(all, 'first');
    for (const [partition, end] of (await reader.offsets(all, 'committed')).entries()) {
      for (let offset = firsts[partition]!; offset < end; ) {
        const [fetched] = await reader.fetch([{ topic, partition, offset }], {
          waitMs: 0,
          maxBytes: { each: 1024 * 1024, all: 8 * 1024 * 1024 },
        });
        messages.push(...fetched!.messages);
        offset = fetched!.isAtEnd ? end : fetched!.next;
      }
    }
  }
  await reader.close();
  return messages;
}

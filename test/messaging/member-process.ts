import { follow } from '../../src/event-log/follow.ts';
import { createMemoryLog } from '../../src/event-log/memory-log.ts';
import { openKafkaFeed } from '../../src/messaging/kafka-feed.ts';
import { openBroker } from '../../src/messaging/kafkajs/kafkajs-client.ts';
import { topicsNamed } from '../../src/messaging/topics.ts';
import { realDelay } from '../../src/platform/time/retry.ts';

// A member of a group, in a process of its own: prints `has PARTITIONS` when it is told what it has, and `got POSITION`
// for each record. Arguments: address, prefix of the topics, number of partitions, group.
const [url, prefix, partitions, group] = process.argv.slice(2) as [string, string, string, string];
const feed = openKafkaFeed({
  broker: openBroker({ url }),
  log: createMemoryLog(),
  topics: topicsNamed(prefix),
  partitions: Number(partitions),
  sessionMs: 1500,
});
const say = (text: string) => process.stdout.write(`${text}\n`);
await follow(
  feed,
  {
    readers: { group },
    after: () => null,
    onAssigned: (names) => say(`has ${[...names].join()}`),
    batchSize: 10,
    bufferLimit: 100,
    signal: new AbortController().signal,
    delay: realDelay,
    onRetry: (error) => say(`failed ${String(error)}`),
  },
  (message) => {
    if (message.kind === 'records') for (const { position } of message.records) say(`got ${position}`);
  },
);

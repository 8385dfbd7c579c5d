import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { followRecordFeed } from '../../../src/event-log/subscription/follow-record-feed.ts';
import { topicsWithPrefix } from '../../../src/messaging/broker/topics.ts';
import { openKafkajsBroker } from '../../../src/messaging/kafkajs/kafkajs-client.ts';
import { openKafkaRecordFeed } from '../../../src/messaging/records/kafka-record-feed.ts';
import { realDelay } from '../../../src/platform/async/retry.ts';

// A member of a group in a process of its own. Prints `has PARTITIONS` when it gets its assignment, and `got POSITION`
// for each record. Arguments: address, prefix of the topics, number of partitions, group.
const [url, prefix, partitions, group] = process.argv.slice(2) as [string, string, string, string];
const feed = openKafkaRecordFeed({
  broker: openKafkajsBroker({ url }),
  log: createMemoryLog(),
  topics: topicsWithPrefix(prefix),
  partitions: Number(partitions),
  sessionMs: 1500,
});
const say = (text: string) => process.stdout.write(`${text}\n`);
await followRecordFeed(
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

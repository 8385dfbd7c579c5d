import type { EventLog } from '../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import type { BrokerClient } from '../../src/messaging/broker/broker-client.ts';
import { type Topics, topicsWithPrefix } from '../../src/messaging/broker/topics.ts';
import { openKafkajsBroker } from '../../src/messaging/kafkajs/kafkajs-client.ts';
import { type KafkaRecordFeed, openKafkaRecordFeed } from '../../src/messaging/records/kafka-record-feed.ts';
import { openRelay, type Relay } from '../../src/messaging/records/relay.ts';
import { realDelay } from '../../src/platform/async/retry.ts';
import { patientTimeout } from '../support/patient-timeout.ts';

/** Few partitions, so that some of them have several keys. */
export const PARTITIONS = 3;
let worlds = 0;

export interface BrokerWorld {
  readonly log: EventLog;
  readonly broker: BrokerClient;
  readonly topics: Topics;
  readonly feed: KafkaRecordFeed;
  /** The errors after which a relay has begun again. */
  readonly errors: unknown[];
  openRelay(): Relay;
  close(): Promise<void>;
}

/** Topics of their own on this broker, and one log for all processes. */
export function brokerWorld(
  url: string,
  log: EventLog = createMemoryLog(),
  onRoundTrip: () => void = () => {},
): BrokerWorld {
  const broker = openKafkajsBroker({ url, onRoundTrip });
  const topics = topicsWithPrefix(`w${++worlds}.`);
  const feed = openKafkaRecordFeed({ broker, log, topics, partitions: PARTITIONS, sessionMs: 1500 });
  const relays: Relay[] = [];
  const errors: unknown[] = [];
  return {
    log,
    broker,
    topics,
    feed,
    errors,
    openRelay() {
      const onRetry = (error: unknown) => void errors.push(error);
      const relay = openRelay({
        broker,
        log,
        now: Date.now,
        delay: realDelay,
        onRetry,
        topics,
        partitions: PARTITIONS,
      });
      relays.push(relay);
      return relay;
    },
    async close() {
      await Promise.all(relays.map((relay) => relay.close()));
      await feed.close();
      await broker.close();
    },
  };
}

/** Polls `isSo` every few milliseconds, and resolves when it is true. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = patientTimeout(30_000)): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it did not become so within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

import { describe } from 'vitest';
import { recordFeedContract } from '../../event-log/subscription/record-feed.contract.ts';
import { brokerWorld, until } from '../kafka-harness.ts';
import { kafkaServer, withoutKafka } from '../kafka-server.ts';

describe.skipIf(withoutKafka !== '')(`records by Kafka ${withoutKafka}`, () => {
  const server = kafkaServer();

  recordFeedContract('Kafka, with the relay between', async () => {
    const world = brokerWorld(server.url);
    const relay = world.openRelay();
    await until(() => relay.state === 'writing');
    const { log, feed } = world;
    return { feed, log: { ...log, close: () => world.close() } };
  });
});

import { Kafka, logLevel } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { parseKafkaAddress } from '../../../src/platform/settings/kafka-address.ts';
import { kafkaServer, withoutKafka } from '../../messaging/kafka-server.ts';

describe.skipIf(withoutKafka !== '')(`Kafka as an engine ${withoutKafka}`, () => {
  const server = kafkaServer();

  it('keeps its topics when it is killed, and is there again at the same address', async () => {
    const { brokers } = parseKafkaAddress(server.url);
    const admin = () => new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
    const before = admin();
    await before.createTopics({ topics: [{ topic: 'kept', numPartitions: 3 }] });
    await before.disconnect();
    await server.kill();
    await server.start();
    const after = admin();
    expect(await after.listTopics()).toContain('kept');
    await after.disconnect();
  });
});

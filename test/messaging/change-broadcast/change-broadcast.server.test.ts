import { Subject } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeTopics } from '../../../src/messaging/broker/topics.ts';
import { openChangePublisher } from '../../../src/messaging/change-broadcast/change-publisher.ts';
import {
  type ChangeSubscriber,
  openChangeSubscriber,
} from '../../../src/messaging/change-broadcast/change-subscriber.ts';
import { realDelay } from '../../../src/platform/async/retry.ts';
import type { DocumentChanges } from '../../../src/read-models/projector/document-changes.ts';
import { changesContract } from '../../read-models/changes.contract.ts';
import { runnerChanges } from '../../read-models/changes-worlds.ts';
import { type BrokerWorld, brokerWorld, PARTITIONS, until } from '../kafka-harness.ts';
import { kafkaServer, withoutKafka } from '../kafka-server.ts';

describe.skipIf(withoutKafka !== '')(`changes by Kafka ${withoutKafka}`, () => {
  const server = kafkaServer();

  async function newWorld(): Promise<BrokerWorld> {
    const world = brokerWorld(server.url);
    await makeTopics(world.broker, world.topics, ['changes'], { partitions: PARTITIONS });
    return world;
  }

  const noDocument = async () => undefined;

  function openReader(
    { broker, topics, errors }: BrokerWorld,
    read: Parameters<typeof openChangeSubscriber>[0]['read'] = noDocument,
  ) {
    const onRetry = (error: unknown) => void errors.push(error);
    return openChangeSubscriber({ broker, topics, read, onRetry, delay: realDelay, partitions: PARTITIONS });
  }

  let instances = 0;
  function openWriter(
    { broker, topics, errors }: BrokerWorld,
    changes: Subject<DocumentChanges>,
    assigned = ['0', '1', '2'],
  ) {
    const onError = (error: unknown) => void errors.push(error);
    return openChangePublisher({
      broker,
      topics,
      changes,
      onError,
      projectedPartitions: () => assigned,
      instance: `i${++instances}`,
    });
  }

  changesContract('by Kafka', async () => {
    const told = await runnerChanges();
    const world = await newWorld();
    const reader = await openReader(world);
    const sent = new Subject<DocumentChanges>();
    told.documentChanges.subscribe(sent);
    const writer = openWriter(world, sent);
    let count = 0;
    let heard = 0;
    sent.subscribe(({ changes }) => {
      count += changes.length;
    });
    reader.documentChanges.subscribe(({ changes }) => {
      heard += changes.length;
    });
    let ended: Promise<void> | undefined;
    return {
      ...told,
      documentChanges: reader.documentChanges,
      told: () => until(() => heard >= count),
      end() {
        ended ??= (async () => {
          await told.end();
          await writer.close();
          await reader.close();
          await world.close();
        })();
        return ended;
      },
    };
  });

  const change = (key: string, position: bigint, document: unknown): DocumentChanges => ({
    projection: 'tallies',
    changes: [{ key, position, document }],
  });

  async function heardBy(reader: ChangeSubscriber): Promise<string[]> {
    const texts: string[] = [];
    reader.documentChanges.subscribe(
      ({ changes }) => void texts.push(...changes.map(({ key, position }) => `${key}@${position}`)),
    );
    return texts;
  }

  it('knows whether all partitions report', async () => {
    const world = await newWorld();
    onTestFinished(() => world.close());
    const reader = await openReader(world);
    onTestFinished(() => reader.close());
    expect(reader.receivedWithin(60_000)).toBe(false);
    const some = openWriter(world, new Subject(), ['0', '1']);
    const rest = openWriter(world, new Subject(), ['2']);
    onTestFinished(() => some.close());
    await until(() => reader.receivedWithin(1000));
    await rest.close();
    await until(() => !reader.receivedWithin(1000));
  });

  it('reports missed changes when a partition is projected by another process or begun anew, and only then', async () => {
    const world = await newWorld();
    onTestFinished(() => world.close());
    const reader = await openReader(world);
    onTestFinished(() => reader.close());
    let missed = 0;
    reader.missed.subscribe(() => void missed++);
    const own = ['0:1', '1:1', '2:1'];
    const sent = new Subject<DocumentChanges>();
    const texts = await heardBy(reader);
    const writer = openWriter(world, sent, own);
    onTestFinished(() => writer.close());
    sent.next(change('a', 1n, {}));
    await until(() => texts.includes('a@1') && reader.receivedWithin(1000));
    const before = missed;
    own.splice(1, 1);
    sent.next(change('a', 2n, {}));
    await until(() => texts.includes('a@2') && !reader.receivedWithin(1000));
    expect(missed).toBe(before);
    own.push('1:2');
    await until(() => reader.receivedWithin(1000));
    expect(missed).toBe(before + 1);
  });

  it('reports unreadable documents as missed, after the keys of the changed documents', async () => {
    const world = await newWorld();
    onTestFinished(() => world.close());
    const reader = await openReader(world, () => Promise.reject(new Error('the read store is away')));
    onTestFinished(() => reader.close());
    const told: string[] = [];
    reader.documentChanges.subscribe(({ changes }) => void told.push(...changes.map(({ key }) => `document ${key}`)));
    reader.received.subscribe(
      ({ changes }) => void told.push(...changes.map(({ key, position }) => `${key}@${position}`)),
    );
    const sent = new Subject<DocumentChanges>();
    const writer = openWriter(world, sent);
    onTestFinished(() => writer.close());
    await until(() => reader.receivedWithin(1000));
    reader.missed.subscribe(() => void told.push('missed'));
    sent.next(change('a', 7n, { text: 'x'.repeat(2 * 1024 * 1024) }));
    sent.next(change('b', 8n, {}));
    await until(() => told.length >= 4);
    expect(told).toEqual(['a@7', 'missed', 'b@8', 'document b']);
  });

  it('reads a document that is too large for the broker from the read model', async () => {
    const world = await newWorld();
    onTestFinished(() => world.close());
    const large = { text: 'x'.repeat(2 * 1024 * 1024) };
    const reader = await openReader(world, async (_, key) => ({ document: large, position: key === 'a' ? 9n : 0n }));
    onTestFinished(() => reader.close());
    const found: unknown[] = [];
    reader.documentChanges.subscribe((committed) => void found.push(committed));
    const sent = new Subject<DocumentChanges>();
    const writer = openWriter(world, sent);
    onTestFinished(() => writer.close());
    sent.next(change('a', 7n, large));
    sent.next(change('b', 8n, { sum: 1 }));
    await until(() => found.length >= 2);
    expect(found).toEqual([change('a', 9n, large), change('b', 8n, { sum: 1 })]);
  });

  it('changes wait while the broker is away, and come in order when it is back', async () => {
    const world = await newWorld();
    onTestFinished(() => world.close());
    const reader = await openReader(world);
    onTestFinished(() => reader.close());
    const texts = await heardBy(reader);
    const sent = new Subject<DocumentChanges>();
    const writer = openWriter(world, sent);
    onTestFinished(() => writer.close());
    sent.next(change('a', 1n, {}));
    await until(() => texts.length >= 1);
    await server.kill();
    sent.next(change('a', 2n, {}));
    sent.next(change('b', 3n, {}));
    await until(() => !reader.receivedWithin(1000));
    await server.start();
    await until(() => texts.length >= 3);
    expect(texts).toEqual(['a@1', 'a@2', 'b@3']);
    await until(() => reader.receivedWithin(1000));
  });

  it('reports missed changes when the broker has lost its data', async () => {
    const world = await newWorld();
    onTestFinished(() => world.close());
    const reader = await openReader(world);
    onTestFinished(() => reader.close());
    const texts = await heardBy(reader);
    let missed = 0;
    reader.missed.subscribe(() => void missed++);
    const sent = new Subject<DocumentChanges>();
    const writer = openWriter(world, sent);
    onTestFinished(() => writer.close());
    sent.next(change('a', 1n, {}));
    await until(() => texts.length >= 1);
    // It may have missed messages of a process that is new to it.
    const before = missed;
    await server.lose();
    await server.start();
    await makeTopics(world.broker, world.topics, ['changes'], { partitions: PARTITIONS });
    await until(() => missed > before);
    sent.next(change('b', 2n, {}));
    await until(() => texts.includes('b@2'));
  });
});

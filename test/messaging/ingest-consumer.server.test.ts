import { describe, expect, it, onTestFinished } from 'vitest';
import type { Intake } from '../../src/ingest/intake/intake.ts';
import type { BrokerClient, OutgoingMessage, ReceivedMessage } from '../../src/messaging/broker/broker-client.ts';
import { makeTopics } from '../../src/messaging/broker/topics.ts';
import { type IngestConsumer, openIngestConsumer } from '../../src/messaging/ingest-consumer.ts';
import { realDelay } from '../../src/platform/async/retry.ts';
import { type Message, scheduleOf, scoreOf } from '../ingest/feed-messages.ts';
import { newIntakeWorld } from '../ingest/intake-world.ts';
import { type BrokerWorld, brokerWorld, PARTITIONS, until } from './kafka-harness.ts';
import { kafkaServer, withoutKafka } from './kafka-server.ts';
import { contentsOf } from './topic-contents.ts';

describe.skipIf(withoutKafka !== '')(`feed messages from a topic ${withoutKafka}`, () => {
  const server = kafkaServer();

  interface World extends BrokerWorld {
    open(intake: Intake, through?: BrokerClient): IngestConsumer;
    /** The codes of the dead letters that were told, in order. */
    readonly told: readonly string[];
    send(...messages: readonly (Message | string | Buffer | null)[]): Promise<void>;
    letters(): Promise<ReceivedMessage[]>;
    /** Resolves when the group is past all sent messages. */
    committed(): Promise<void>;
  }

  async function newWorld(): Promise<World> {
    const world = brokerWorld(server.url);
    const { broker, topics, errors } = world;
    await makeTopics(broker, topics, ['ingest'], { partitions: PARTITIONS });
    const producer = broker.openProducer();
    const doors: IngestConsumer[] = [];
    const told: string[] = [];
    let sent = 0;
    onTestFinished(async () => {
      await Promise.all(doors.map((door) => door.close()));
      await producer.close();
      await world.close();
    });
    return {
      ...world,
      told,
      open(intake, through = broker) {
        const onRetry = (error: unknown) => void errors.push(error);
        const door = openIngestConsumer({
          broker: through,
          intake,
          topics,
          onRetry,
          onDeadLetters: (letters) => void told.push(...letters.map(({ rejection }) => rejection.code)),
          partitions: PARTITIONS,
          delay: realDelay,
          sessionMs: 1500,
        });
        doors.push(door);
        return door;
      },
      send: (...messages) =>
        producer.send(
          messages.map((message): OutgoingMessage => {
            const isBytes = message === null || typeof message === 'string' || Buffer.isBuffer(message);
            const value = isBytes ? message : JSON.stringify(message);
            return { topic: topics.ingest, partition: sent++ % PARTITIONS, key: `key-${sent}`, value };
          }),
        ),
      letters: () => contentsOf(broker, topics.deadLetters),
      async committed() {
        const reader = broker.openReader([topics.ingest]);
        const ends = await reader.offsets(all(topics.ingest), 'committed');
        await until(async () => {
          const places = await broker.committed(topics.ingest, topics.ingest);
          return ends.every((end, partition) => (places[partition] ?? 0) >= end);
        });
        await reader.close();
      },
    };
  }

  async function openIntake() {
    const world = await newIntakeWorld();
    return { log: world.log, intake: await world.open() };
  }

  /** One of many games of two teams. */
  const game = (n: number): Message =>
    scheduleOf('a', { ref: `game-${n}`, starts_at: new Date(Date.UTC(2026, 9, 1 + 3 * n)).toISOString() });

  const all = (topic: string) => Array.from({ length: PARTITIONS }, (_, partition) => ({ topic, partition }));

  it('given messages in the topic, when the consumer opens, then they are in the log, and only once when they come again', async () => {
    const world = await newWorld();
    const ingest = await openIntake();
    await world.send(scheduleOf('a'), scheduleOf('b'));
    world.open(ingest.intake);
    await world.committed();
    await world.send(scoreOf('a', 1, 7), scheduleOf('a'), scoreOf('a', 1, 7));
    await world.committed();
    const types = (await ingest.log.readAll(null, 1000)).map(({ type }) => type);
    expect(types.filter((type) => type === 'ScoreChanged')).toHaveLength(1);
    expect(await world.letters()).toEqual([]);
  });

  it('refused messages become dead letters as they were sent, with the reason, and delay nothing', async () => {
    const world = await newWorld();
    const ingest = await openIntake();
    const big = JSON.stringify({ ...scheduleOf('c'), note: 'x'.repeat(256 * 1024) });
    const broken = Buffer.from([0x7b, 0xff, 0x7d]);
    await world.send('{"kind":', { kind: 'nothing' }, scheduleOf('a'), big, broken, null, scoreOf('unknown', 1, 7));
    world.open(ingest.intake);
    await world.committed();
    const letters = await world.letters();
    await expect
      .poll(() => [...world.told].sort())
      .toEqual(letters.map(({ headers }) => String(headers['code'])).sort());
    const byOffset = letters.map(({ key, value, headers }) => ({
      key: String(key),
      value: value && String(value),
      headers,
    }));
    expect(byOffset.sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      {
        key: 'key-1',
        value: '{"kind":',
        headers: expect.objectContaining({ code: 'invalid_json', partition: '0', offset: '0' }),
      },
      {
        key: 'key-2',
        value: '{"kind":"nothing"}',
        headers: {
          code: 'unknown_kind',
          path: 'kind',
          partition: '1',
          offset: '0',
          message: expect.any(String),
        },
      },
      { key: 'key-4', value: big, headers: expect.objectContaining({ code: 'message_too_large', path: '' }) },
      { key: 'key-5', value: broken.toString(), headers: expect.objectContaining({ code: 'invalid_utf8' }) },
      { key: 'key-6', value: null, headers: expect.objectContaining({ code: 'invalid_json' }) },
    ]);
    expect((await ingest.log.readAll(null, 1000)).length).toBeGreaterThan(0);
  });

  it('while the intake fails nothing is committed, and then it continues by itself', async () => {
    const world = await newWorld();
    const ingest = await openIntake();
    let isAway = true;
    const intake: Intake = {
      async accept(items) {
        if (isAway) throw new Error('away');
        return ingest.intake.accept(items);
      },
    };
    await world.send(scheduleOf('a'), '{');
    world.open(intake);
    await until(() => world.errors.length >= 3);
    // For longer than a session: the member is alive, and keeps its partitions.
    await until(() => world.errors.length >= 7);
    const { broker, topics } = world;
    expect((await broker.committed(topics.ingest, topics.ingest))[0] ?? null).toBeNull();
    isAway = false;
    await world.committed();
    expect(await world.letters()).toHaveLength(1);
    expect((await ingest.log.readAll(null, 10)).length).toBeGreaterThan(0);
  });

  it('given two consumers, when one leaves in the middle, then each message counts once and each letter comes once', async () => {
    const world = await newWorld();
    const ingest = await openIntake();
    const first = world.open(ingest.intake);
    for (let n = 0; n < 20; n++) await world.send(game(n), `{"n":${n}`);
    world.open(ingest.intake);
    for (let n = 20; n < 40; n++) await world.send(game(n), `{"n":${n}`);
    await first.close();
    for (let n = 40; n < 60; n++) await world.send(game(n), `{"n":${n}`);
    await world.committed();
    const letters = (await world.letters()).map(({ value }) => String(value));
    expect(letters).toHaveLength(60);
    expect(new Set(letters).size).toBe(60);
    const records = await ingest.log.readAll(null, 10_000);
    expect(records.filter(({ type }) => type === 'EventScheduled')).toHaveLength(60);
  });

  it('whichever answer gets lost, of the intake, the dead letters or the offset, nothing is lost and nothing comes twice', async () => {
    const world = await newWorld();
    const ingest = await openIntake();
    let calls = 0;
    /** Every third call of each kind fails, alternately before and after its effect. */
    async function failing<T>(work: () => Promise<T>): Promise<T> {
      const fate = calls++ % 6;
      if (fate === 1) throw new Error('the request was lost');
      const done = await work();
      if (fate === 4) throw new Error('the answer was lost');
      return done;
    }
    const intake: Intake = { accept: (items) => failing(() => ingest.intake.accept(items)) };
    const faulty: BrokerClient = {
      ...world.broker,
      async openTransactions(name) {
        const transactions = await failing(() => world.broker.openTransactions(name));
        return { ...transactions, write: (...args) => failing(() => transactions.write(...args)) };
      },
      consume: (options) =>
        world.broker.consume({
          ...options,
          onBatch: (batch) => options.onBatch({ ...batch, commit: () => failing(() => batch.commit()) }),
        }),
    };
    world.open(intake, faulty);
    for (let n = 0; n < 24; n++) {
      await world.send(game(n), n % 2 === 0 ? `{"f":${n}` : game(n));
      if (n % 6 === 5) await world.committed();
    }
    await world.committed();
    expect(calls).toBeGreaterThan(12);
    const letters = (await world.letters()).map(({ value }) => String(value));
    expect(letters.sort()).toEqual(Array.from({ length: 12 }, (_, n) => `{"f":${2 * n}`).sort());
    const records = await ingest.log.readAll(null, 10_000);
    expect(records.filter(({ type }) => type === 'EventScheduled')).toHaveLength(24);
  });

  it('when the broker is killed in the middle, nothing is lost and nothing comes twice', async () => {
    const world = await newWorld();
    const ingest = await openIntake();
    world.open(ingest.intake);
    for (let n = 0; n < 30; n++) await world.send(game(n), `{"k":${n}`);
    await server.kill();
    await server.start();
    await world.committed();
    const letters = (await world.letters()).map(({ value }) => String(value));
    expect(letters.sort()).toEqual(Array.from({ length: 30 }, (_, n) => `{"k":${n}`).sort());
    const records = await ingest.log.readAll(null, 10_000);
    expect(records.filter(({ type }) => type === 'EventScheduled')).toHaveLength(30);
  });
});

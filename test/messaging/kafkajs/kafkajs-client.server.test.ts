import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BrokerUnavailable, MAX_FETCH_WAIT_MS } from '../../../src/messaging/broker/broker-client.ts';
import { makeTopics } from '../../../src/messaging/broker/topics.ts';
import { openKafkajsBroker } from '../../../src/messaging/kafkajs/kafkajs-client.ts';
import { freePort } from '../../../src/server/engines/free-port.ts';
import { scored } from '../../event-log/port/event-log.contract.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { brokerWorld, PARTITIONS, until } from '../kafka-harness.ts';
import { kafkaServer, withoutKafka } from '../kafka-server.ts';

/** The time limit of an answer, in milliseconds. */
const SOON = patientTimeout(5000);

/** The error, and after how many milliseconds it came. */
async function failureOf(asked: Promise<unknown>): Promise<{ error: unknown; after: number }> {
  const begun = performance.now();
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, after: performance.now() - begun };
}

const works = (ask: () => Promise<unknown>) =>
  ask().then(
    () => true,
    () => false,
  );

describe.skipIf(withoutKafka !== '')(`a broker that is away ${withoutKafka}`, () => {
  const server = kafkaServer();

  it('that hangs is an error within 5 s for every request, and everything works when it answers again', async () => {
    const world = brokerWorld(server.url);
    onTestFinished(() => world.close());
    const { broker, topics, feed, log } = world;
    await makeTopics(broker, topics, ['facts', 'ingest'], { partitions: PARTITIONS });
    const reader = broker.openReader(topics.facts);
    const producer = broker.openProducer();
    // A new broker creates its internal topics of transactions and groups at the first request.
    await until(() => works(() => broker.openTransactions('none').then((opened) => opened.close())));
    const transactions = await broker.openTransactions('one');
    onTestFinished(async () => {
      await Promise.all([reader.close(), producer.close(), transactions.close()]);
    });
    const message = { topic: topics.ingest, partition: 0, key: 'k', value: 'v' };
    const questions = {
      ping: () => broker.ping(),
      makeTopics: () => broker.makeTopics([]),
      committed: () => broker.committed('g', topics.ingest),
      ends: () => feed.endPositions(),
      offsets: () => reader.offsets([{ topic: topics.facts[0]!, partition: 0 }], 'written'),
      send: () => producer.send([message]),
      'begin to write': () => broker.openTransactions('two').then((opened) => opened.close()),
    };
    await log.append('event-1', [scored(1)], 'any');
    for (const ask of Object.values(questions)) await until(() => works(ask));
    process.kill(-server.pid, 'SIGSTOP');
    try {
      const asked = { ...questions, write: () => transactions.write([message]) };
      const failures = await Promise.all(Object.values(asked).map((ask) => failureOf(ask())));
      for (const [index, name] of Object.keys(asked).entries()) {
        expect([name, failures[index]!.error]).toEqual([name, expect.any(BrokerUnavailable)]);
        expect([name, failures[index]!.after < SOON]).toEqual([name, true]);
      }
    } finally {
      process.kill(-server.pid, 'SIGCONT');
    }
    for (const ask of Object.values(questions)) await until(() => works(ask));
  });

  it('whose address does not answer is an error without credentials', async () => {
    const broker = openKafkajsBroker({ url: `kafka://user:secret@127.0.0.1:${await freePort()}` });
    onTestFinished(() => broker.close());
    const { error, after } = await failureOf(broker.ping());
    expect(error).toMatchObject({ code: 'unavailable', engine: 'broker' });
    expect(after).toBeLessThan(SOON);
    const told = JSON.stringify(error, Object.getOwnPropertyNames(error)) + (error as Error).stack;
    expect(told).not.toContain('secret');
  });

  it.each(['its signal', 'close'])('that holds a request for messages is left at once by %s', async (how) => {
    const world = brokerWorld(server.url);
    onTestFinished(() => world.close());
    const { broker, topics } = world;
    await makeTopics(broker, topics, ['facts'], { partitions: PARTITIONS });
    const reader = broker.openReader(topics.facts);
    onTestFinished(() => reader.close());
    const spots = [{ topic: topics.facts[0]!, partition: 0, offset: 0 }];
    const ending = new AbortController();
    const bounds = { waitMs: MAX_FETCH_WAIT_MS, maxBytes: { each: 1024, all: 1024 } };
    await reader.fetch(spots, { ...bounds, waitMs: 0 });

    const asked = failureOf(reader.fetch(spots, { ...bounds, signal: ending.signal }));
    await setTimeout(200);
    const left = new Error('left');
    if (how === 'close') await reader.close();
    else ending.abort(left);

    const { error, after } = await asked;
    expect(error).toEqual(how === 'close' ? expect.any(BrokerUnavailable) : left);
    expect(after).toBeLessThan(MAX_FETCH_WAIT_MS / 2);
    if (how !== 'close') expect(await reader.fetch(spots, { ...bounds, waitMs: 0 })).toMatchObject([{ messages: [] }]);
  });
});

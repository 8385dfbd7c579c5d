import { createServer } from 'node:https';
import { expect, it, onTestFinished } from 'vitest';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import { createWebhookDispatcher } from '../../../src/webhooks/dispatching/webhook-dispatcher.ts';
import { createWebhookClient } from '../../../src/webhooks/http/webhook-client.ts';
import type { DeliveryAttempt, WebhookStore } from '../../../src/webhooks/store/webhook-store.ts';
import { selfSigned } from '../http/self-signed-certificate.ts';
import { listen, refusedPort, serve, serveRaw } from '../local-endpoint.ts';
import { message, newSubscription, openWebhooks } from '../store/stored-webhooks.ts';
import { createClock, SECOND, T0, WAITS } from './dispatcher-harness.ts';

/** What an endpoint does, and what is stored of it: status, the error's kind, and the seconds until the retry. */
const CASES: [string, () => Promise<string>, (number | string | boolean | null)[]][] = [
  ['answers 200', () => answers(200), [200, true, null, null]],
  ['answers 500', () => answers(500), [500, false, 'status', 30]],
  ['answers 429', () => answers(429, { 'retry-after': '90' }), [429, false, 'status', 90]],
  ['answers 404', () => answers(404), [404, false, 'status', null]],
  ['answers 410', () => answers(410), [410, false, 'status', null]],
  ['redirects', () => answers(307, { location: '/elsewhere' }), [307, false, 'redirect', null]],
  ['never answers', async () => (await serve(() => {})).url, [null, false, 'timeout', 30]],
  [
    'answers in drops',
    async () => (await serve((response) => response.writeHead(200).write('a'))).url,
    [null, false, 'timeout', 30],
  ],
  [
    'resets the connection',
    async () => httpAt((await serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy()))).port),
    [null, false, 'connection_reset', 30],
  ],
  ['is not there', async () => httpAt(await refusedPort()), [null, false, 'connection_refused', 30]],
  [
    'has a certificate of its own making',
    async () => {
      const { port } = await listen(createServer(selfSigned('127.0.0.1')));
      return `https://127.0.0.1:${port}/`;
    },
    [null, false, 'tls', 30],
  ],
  ['lies in a private network', async () => 'https://10.0.0.1/', [null, false, 'forbidden_address', null]],
];

const httpAt = (port: number) => `http://127.0.0.1:${port}/hook`;
const answers = async (status: number, headers: Record<string, string> = {}) =>
  (await serve((response) => response.writeHead(status, headers).end('text'))).url;

it.each(CASES)('an endpoint that %s', async (_name, start, expected) => {
  const clock = createClock();
  const { store, close } = await openWebhooks();
  let recorded!: () => void;
  const isRecorded = new Promise<void>((resolve) => {
    recorded = resolve;
  });
  const recording: WebhookStore = {
    ...store,
    async record(attempts: readonly DeliveryAttempt[], epoch: number) {
      await store.record(attempts, epoch);
      recorded();
    },
  };
  const { now, setTimer, delay } = clock;
  const client = createWebhookClient({ allow: ['127.0.0.0/8'], now, setTimer });
  const onError = (error: unknown) => {
    throw error;
  };
  const parts = { store: recording, client, retrySeconds: WAITS, onError, now, setTimer, delay };
  const dispatcher = createWebhookDispatcher(parts);
  onTestFinished(async () => {
    await dispatcher.stop();
    await close();
  });

  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const { id } = await store.create(newSubscription({ url: await start(), secret }));
  await store.publish([message(id, { createdAt: T0 })], { partition: ONE_PARTITION, position: 1n });
  dispatcher.start();
  if (expected[2] === 'timeout') {
    // The client's own time, once the attempt has begun: all of it is over at the earliest then.
    await clock.pass(9 * SECOND);
    expect(await store.deliveries({ subscriptionId: id, limit: 10 })).toEqual([]);
    await clock.pass(SECOND);
  }
  await isRecorded;

  const ended = clock.now();
  const [row] = await store.deliveries({ subscriptionId: id, limit: 10 });
  const retryIn = row!.nextRetryAt === null ? null : (row!.nextRetryAt - ended) / SECOND;
  expect([row!.statusCode, row!.success, row!.error?.replace(/:.*/, '') ?? null, retryIn]).toEqual(expected);
  expect(row).toMatchObject({ attempt: 1, parentDeliveryId: null, givenUp: false, deliveredAt: ended });
});

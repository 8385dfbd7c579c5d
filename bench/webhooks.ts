import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecretBox } from '../src/api/calls/secret-box.ts';
import { ONE_PARTITION } from '../src/domain/event-sourcing/partition-of.ts';
import { openSqliteDatabase } from '../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry } from '../src/server/composition/registry.ts';
import { createWebhookDispatcher } from '../src/webhooks/dispatching/webhook-dispatcher.ts';
import { createWebhookClient } from '../src/webhooks/http/webhook-client.ts';
import { createSqliteWebhookStore } from '../src/webhooks/store/sql-webhook-store.ts';
import type { NewMessage, WebhookStore } from '../src/webhooks/store/webhook-store.ts';
import type { Benchmark } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { percentile } from './percentile.ts';

const ENDPOINTS = 100;
const DELIVERIES = 12_000;
const AT_ONCE = 64;
const ROUNDS = 3;
/** Far below what it can do, so that what is late is late because of others. */
const RATE = 200;
/** Beyond the time that is given to an endpoint that hangs. */
const PACED_SECONDS = 15;
/** In turn: what else the machine does at times falls on both alike. */
const PACED_ROUNDS = 3;
const TICK_MS = 20;

export const webhooks: Benchmark = {
  name: 'webhooks',
  summary: 'deliveries to local endpoints, each stored before and after; and one endpoint in ten hanging',
  async run({ folder, say }) {
    const child = await startChild('webhook-endpoints', {});
    try {
      const rates = { bare: [] as number[], ours: [] as number[] };
      for (let round = 0; round < ROUNDS; round++) {
        rates.bare.push(await bareLoop(child));
        rates.ours.push(await drain(child, join(folder, `drain-${round}.db`)));
        say(`${round + 1} of ${ROUNDS} rounds`);
      }
      say(`${RATE} messages a second for ${PACED_SECONDS} s, ${PACED_ROUNDS} times with and without`);
      const without: number[] = [];
      const hanging: number[] = [];
      for (let round = 0; round < PACED_ROUNDS; round++) {
        without.push(...(await paced(child, join(folder, `without-${round}.db`), 0)));
        hanging.push(...(await paced(child, join(folder, `hanging-${round}.db`), ENDPOINTS / 10)));
      }
      return [
        {
          what: `deliveries to ${ENDPOINTS} endpoints, signed, recorded row by row`,
          value: median(rates.ours),
          unit: 'deliveries/s',
          floor: { what: 'the HTTP client alone', value: median(rates.bare) },
          goal: { of: 'value', bound: 'at least', number: 1500 },
        },
        {
          what: `one endpoint in ten hanging: the others' p99, from published to arrived`,
          value: percentile(hanging, 0.99),
          unit: 'ms',
          floor: { what: 'none hanging', value: percentile(without, 0.99) },
          goal: { of: 'ratio', bound: 'at most', number: 1.5 },
        },
        {
          what: `one endpoint in ten hanging: the others' median`,
          value: percentile(hanging, 0.5),
          unit: 'ms',
          floor: { what: 'none hanging', value: percentile(without, 0.5) },
        },
      ];
    } finally {
      await child.stop();
    }
  },
};

const hostOf = (n: number): string => `hook${n}.example`;
const newClient = () => createWebhookClient({ allow: ['127.0.0.0/8'], resolve: async () => ['127.0.0.1'] });

/** @returns deliveries a second */
async function bareLoop({ port }: Child): Promise<number> {
  const client = newClient();
  const started = performance.now();
  let begun = 0;
  async function loop(): Promise<void> {
    while (begun < DELIVERIES) {
      const n = begun++;
      const body = Buffer.from(bodyOf(n));
      const outcome = await client.post(`http://${hostOf(n % ENDPOINTS)}:${port}/`, {}, body);
      if (outcome.kind !== 'answered') throw new Error(outcome.message);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  const seconds = (performance.now() - started) / 1000;
  client.close();
  return DELIVERIES / seconds;
}

/** What is there already, until all of it is recorded. @returns deliveries a second */
async function drain(child: Child, file: string): Promise<number> {
  const { store, ids, close } = await openStore(child, file, 0);
  const messages = Array.from({ length: DELIVERIES }, (_, n) => newMessage(ids, n));
  while (messages.length > 0) {
    const position = BigInt(DELIVERIES - messages.length);
    await store.publish(messages.splice(0, 1000), { partition: ONE_PARTITION, position });
  }
  let recorded = 0;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const started = performance.now();
  const dispatcher = dispatch(store, (count) => {
    recorded += count;
    if (recorded >= DELIVERIES) finish();
  });
  await finished;
  const seconds = (performance.now() - started) / 1000;
  await dispatcher.stop();
  await close();
  return DELIVERIES / seconds;
}

/** @returns milliseconds from published to arrived, of those that do not hang */
async function paced(child: Child, file: string, hanging: number): Promise<number[]> {
  const { store, ids, close } = await openStore(child, file, hanging);
  await child.ask('waits');
  const before = Number(await child.ask('arrived'));
  const dispatcher = dispatch(store, () => {});
  const started = performance.now();
  let sent = 0;
  let toOthers = 0;
  while (sent < RATE * PACED_SECONDS) {
    const due = Math.floor((RATE * (performance.now() - started)) / 1000) - sent;
    const messages = Array.from({ length: Math.max(0, due) }, (_, i) => newMessage(ids, sent + i));
    sent += messages.length;
    toOthers += messages.filter(({ subscriptionId }) => ids.indexOf(subscriptionId) >= hanging).length;
    await store.publish(messages, { partition: ONE_PARTITION, position: BigInt(sent + 1) });
    dispatcher.wake();
    await sleep(TICK_MS);
  }
  await sleep(500);
  if (Number(await child.ask('arrived')) - before < toOthers) throw new Error('some deliveries did not arrive');
  const waits = (await child.ask('waits')) as number[];
  await dispatcher.stop(0);
  await close();
  return waits;
}

function dispatch(store: WebhookStore, onRecorded: (count: number) => void) {
  const recording: WebhookStore = {
    ...store,
    async record(attempts, epoch) {
      await store.record(attempts, epoch);
      onRecorded(attempts.length);
    },
  };
  const onError = (error: unknown) => {
    throw error;
  };
  const dispatcher = createWebhookDispatcher({ store: recording, client: newClient(), retrySeconds: [30], onError });
  dispatcher.start();
  return dispatcher;
}

async function openStore({ port }: Child, file: string, hanging: number) {
  const database = openSqliteDatabase({ file });
  const registry = await openRegistry(database);
  const store = createSqliteWebhookStore(registry, createSqliteRunner(database), createSecretBox('bench', randomBytes));
  const ids: number[] = [];
  for (let n = 0; n < ENDPOINTS; n++) {
    const { id } = await store.create({
      accountId: n + 1,
      scopes: ['all'],
      url: `http://${hostOf(n)}:${port}/${n < hanging ? 'hang' : ''}`,
      eventTypes: ['score'],
      sport: null,
      eventId: null,
      secret: `whsec_${randomBytes(32).toString('base64')}`,
      createdAt: Date.now(),
      createdAfter: null,
    });
    ids.push(id);
  }
  return { store, ids, close: () => registry.destroy() };
}

/** To each in turn, of another event each time. */
function newMessage(ids: readonly number[], n: number): NewMessage {
  const subscriptionId = ids[n % ENDPOINTS]!;
  const eventId = Math.floor(n / ENDPOINTS);
  const webhookId = `msg_${subscriptionId}_${n}_0`;
  return { webhookId, subscriptionId, eventType: 'score', eventId, body: bodyOf(n), createdAt: Date.now() };
}

/** As large as a score snapshot. */
const bodyOf = (n: number): string =>
  JSON.stringify({ type: 'score', timestamp: new Date().toISOString(), data: { event_id: n, padding: PADDING } });
const PADDING = 'x'.repeat(700);

function median(values: readonly number[]): number {
  return percentile([...values], 0.5);
}

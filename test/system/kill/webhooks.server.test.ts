import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, expect, it } from 'vitest';
import { type CreateWebhookArguments, createClient, type Webhook } from '../../../src/api/client/index.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import type { ClientChange } from '../../../src/read-models/change-feed/change-mapper.ts';
import { createRecordMapper } from '../../../src/read-models/change-feed/record-mapper.ts';
import { recordsAfter } from '../../../src/server/cli/replay.ts';
import { openForReading } from '../../../src/server/embedded/embedded-stores.ts';
import { listenBelow32768 } from '../../api/http/listening.ts';
import { freePort, launch, run, temporaryFolder } from '../../server/cli/launching.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { seeded } from './generated-feed.ts';

const KILLS = Number(process.env['KILL_WEBHOOKS'] ?? 5);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
const INGEST_KEY = 'an-ingest-key-of-the-tests';
const BOOTSTRAP_KEY = `llk_${'0'.repeat(12)}.${'x'.repeat(43)}`;
const EVENTS = 6;
/** Of the answers are failures, so that retries are under way at every kill. */
const FAILURES = 0.1;

/** What came to one endpoint, by webhook id. */
interface Endpoint {
  readonly path: string;
  readonly bodies: Map<string, string>;
  secret: string;
  received: number;
}

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Takes what comes, checks its signature, and fails now and then. */
async function receiver(random: () => number, endpoints: readonly Endpoint[]): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const endpoint = endpoints.find(({ path }) => path === request.url)!;
      const body = Buffer.concat(chunks).toString();
      new Verifier(endpoint.secret).verify(body, request.headers as Record<string, string>);
      const id = String(request.headers['webhook-id']);
      // One id means one message, in every attempt and after every restart.
      if (endpoint.bodies.has(id)) expect(endpoint.bodies.get(id)).toBe(body);
      endpoint.received++;
      if (random() < FAILURES) {
        response.writeHead(random() < 0.5 ? 500 : 429).end();
        return;
      }
      endpoint.bodies.set(id, body);
      response.writeHead(204).end();
    });
  });
  open.push(server);
  return listenBelow32768(server);
}

class World {
  readonly folder = temporaryFolder();
  readonly random = seeded(SEED);
  readonly env = {
    BOOTSTRAP_KEY,
    INGEST_KEY,
    FEEDS: 'none',
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW: '127.0.0.0/8',
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1',
  };
  server: { readonly url: string; readonly launched: ReturnType<typeof launch> } | undefined;
  #facts = 0;

  async start(): Promise<void> {
    const port = String(await freePort());
    const launched = launch(['start', '--data-dir', this.folder], { ...this.env, PORT: port });
    await launched.has('\nready');
    this.server = { url: `http://127.0.0.1:${port}`, launched };
  }

  async kill(): Promise<void> {
    const { launched } = this.server!;
    launched.child.kill('SIGKILL');
    const { stderr } = await launched.ended;
    expect(stderr, 'errors in the log').toBe('');
  }

  async feed(messages: readonly object[]): Promise<void> {
    const response = await fetch(`${this.server!.url}/ingest/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(messages),
    });
    expect(response.status, await response.text()).toBe(200);
  }

  schedules(): object[] {
    return Array.from({ length: EVENTS }, (_, n) => ({
      kind: 'schedule',
      source: 'kill',
      at: new Date().toISOString(),
      sport: n % 2 === 0 ? 'nba' : 'nhl',
      league: n % 2 === 0 ? 'nba' : 'nhl',
      ref: `g${n}`,
      starts_at: new Date(Date.now() - 60_000).toISOString(),
      participants: [
        { role: 'home', name: `Home ${n}` },
        { role: 'away', name: `Away ${n}` },
      ],
    }));
  }

  /** Some facts, each another than those before. */
  facts(): object[] {
    const at = new Date().toISOString();
    return Array.from({ length: 1 + Math.floor(this.random() * 8) }, () => {
      const n = ++this.#facts;
      const ref = `g${Math.floor(this.random() * EVENTS)}`;
      const base = { source: 'kill', at, ref };
      if (this.random() < 0.5) {
        const prices = [
          { outcome: 'home', price: -100 - n },
          { outcome: 'away', price: 100 + n },
        ];
        return { ...base, kind: 'odds', bookmaker: 'pinnacle', markets: [{ key: 'h2h', outcomes: prices }] };
      }
      const scores = [
        { role: 'home', score: String(n) },
        { role: 'away', score: '0' },
      ];
      return { ...base, kind: 'score', status: 'inprogress', period: '1', scores };
    });
  }

  /** Feeds until the server is gone. */
  async feedUntilGone(): Promise<void> {
    for (;;) {
      try {
        await this.feed(this.facts());
      } catch (error) {
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  }
}

/** All that the log has to tell. */
async function toldByLog(folder: string): Promise<readonly ClientChange[]> {
  const parts = await openForReading(readConfig({}, folder));
  try {
    const toldOf = createRecordMapper(parts);
    const records: LogRecord[] = [];
    for await (const record of recordsAfter(parts.log, null)) records.push(record);
    return await toldOf(records, () => true);
  } finally {
    await parts.close();
  }
}

const bodyOf = ({ eventType, at, data }: ClientChange): string =>
  JSON.stringify({ type: eventType, timestamp: at, data });

const isFor = ({ event_types: types, sport, event_id }: Webhook, { eventType, ...told }: ClientChange): boolean =>
  types.some((type) => type === eventType) &&
  (sport === null || sport === told.sport) &&
  (event_id === null || event_id === told.eventId);

it(
  `killed ${KILLS} times: every message due comes at least once, under one id, and none that was not due (seed ${SEED})`,
  async () => {
    const world = new World();
    const paths = ['/all', '/nba', '/one', '/lines'];
    const endpoints = paths.map((path): Endpoint => ({ path, bodies: new Map(), secret: '', received: 0 }));
    const port = await receiver(world.random, endpoints);
    await world.start();
    await world.feed(world.schedules());
    const wishes: readonly Omit<CreateWebhookArguments, 'url'>[] = [
      { event_types: ['score', 'status', 'line_move'] },
      { event_types: ['score', 'line_move'], sport: 'nba' },
      { event_types: ['score', 'line_move'], event_id: 2 },
      { event_types: ['line_move'] },
    ];
    const client = createClient({ baseUrl: world.server!.url, apiKey: BOOTSTRAP_KEY });
    // What was acknowledged is in the log, and read by others a moment later.
    await expect.poll(() => client.getEvent({ id: 2 }).then(({ id }) => id, String)).toBe(2);
    const subscriptions: Webhook[] = [];
    for (const [n, wish] of wishes.entries()) {
      const url = `http://127.0.0.1:${port}${paths[n]}`;
      const subscription = await client.createWebhook({ url, ...wish });
      endpoints[n]!.secret = subscription.signing_secret;
      subscriptions.push(subscription);
    }

    for (let kill = 0; kill < KILLS; kill++) {
      const feeding = world.feedUntilGone();
      await delay(50 + world.random() * 700);
      await world.kill();
      await feeding;
      await world.start();
    }
    await world.feed(world.facts());

    const expected = (await toldByLog(world.folder)).filter(({ eventType }) => eventType !== 'injury');
    for (const [n, subscription] of subscriptions.entries()) {
      const due = expected
        .filter((told) => isFor(subscription, told))
        .map(bodyOf)
        .sort();
      const view = () => [...endpoints[n]!.bodies.values()].sort();
      await expect.poll(() => view().length, { timeout: patientTimeout(60_000) }).toBeGreaterThanOrEqual(due.length);
      expect(view()).toEqual(due);
    }
    // A moment later nothing more has come.
    await delay(1500);
    for (const [n, subscription] of subscriptions.entries()) {
      expect(endpoints[n]!.bodies.size).toBe(expected.filter((told) => isFor(subscription, told)).length);
    }
    await world.kill();
    const verified = await run(['verify', '--data-dir', world.folder]);
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    const messages = endpoints.reduce((sum, { bodies }) => sum + bodies.size, 0);
    const received = endpoints.reduce((sum, endpoint) => sum + endpoint.received, 0);
    console.log(JSON.stringify({ kills: KILLS, seed: SEED, messages, received }));
  },
  120_000 + KILLS * 15_000,
);

import { get, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { projections } from '../../projections/index.ts';
import { createHistories } from '../../src/as-of/histories.ts';
import { ApiError } from '../../src/calls/errors.ts';
import { createPipeline } from '../../src/calls/pipeline.ts';
import { openStages } from '../../src/calls/stages.ts';
import { openRegistry } from '../../src/composition/registry.ts';
import { docsPages } from '../../src/docs-pages/routes.ts';
import { createApp } from '../../src/http/app.ts';
import { createResponder } from '../../src/http/responder.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { SqlIdentities } from '../../src/identities/sql-identities.ts';
import { FeedIntake } from '../../src/ingest/feed-intake.ts';
import { createLogFeed } from '../../src/log/log-feed.ts';
import { createMemoryLog } from '../../src/log/memory-log.ts';
import { operations } from '../../src/operations/index.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { createProjectionRunner } from '../../src/store/projection-runner.ts';
import type { ReadStore } from '../../src/store/read-store.ts';
import { createLivePage, type LivePageParts } from '../../src/web/live-page.ts';
import { listenBelow32768 } from '../http/listening.ts';
import type { Message } from '../spec/messages.ts';
import { openStream, type SseClient, type Message as SseMessage } from '../streams/sse-client.ts';
import { createTimers } from '../streams/timers.ts';

export const NOW = '2026-03-01T20:00:00Z';

export interface Answer<Body = any> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Of JSON. */
  readonly body: Body;
}

/** The live page on a port, behind real intake and projections in memory; time that is moved by hand. */
export async function serveLive(
  options: Partial<LivePageParts> & { readonly around?: (store: ReadStore) => ReadStore } = {},
) {
  const { around = (same) => same, ...more } = options;
  const clock = { time: Date.parse(NOW) };
  const now = () => clock.time;
  const timers = createTimers();
  const log = createMemoryLog({ now });
  const store = createMemoryStore();
  const registry = await openRegistry(openSqliteDatabase({ file: ':memory:' }));
  const identities = await SqlIdentities.open(registry);
  const intake = new FeedIntake({ log, identities, now, pause: async () => {}, random: () => 0 });
  const runner = createProjectionRunner({ log, feed: createLogFeed(log), store, projections, now });
  await runner.start();

  const failures: unknown[] = [];
  const onError = (error: unknown) => void failures.push(error);
  let ids = 0;
  const newRequestId = () => `made-${++ids}`;
  const state = { port: 0 };
  const baseUrl = () => `http://127.0.0.1:${state.port}`;
  const responder = createResponder({ baseUrl, log: { error: onError }, newRequestId });
  const health = () => Promise.reject(new Error('not here'));
  const context = {
    store: around(store),
    log,
    histories: createHistories(log),
    accounts: undefined as never,
    webhooks: undefined as never,
    now,
    health,
  };
  const authenticate = () => {
    throw new ApiError('unauthorized', 'No key has been made.');
  };
  const pipeline = createPipeline({ authenticate, stages: openStages, context });
  const page = createLivePage({
    isOn: true,
    host: '127.0.0.1',
    baseUrl,
    context,
    changes: runner.changes,
    responder,
    steadyNow: timers.now,
    setTimer: timers.setTimer,
    random: () => 0.5,
    onError,
    files: '/nowhere',
    ...more,
  });
  const app = createApp({
    operations,
    pipeline,
    responder,
    isReady: () => true,
    routes: [docsPages({ operations, responder, baseUrl }), page.mount],
  });
  const server = createHttpServer(app, baseUrl, newRequestId);
  state.port = await listenBelow32768(server);
  const url = baseUrl();

  const ask = (path: string, init: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      // `fetch` does not let a caller say what `Host` is.
      const request = get(url + path, { agent: false, ...init }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json') && text !== '';
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text, body: isJson ? JSON.parse(text) : undefined });
        });
      });
      request.on('error', reject);
    });

  const projected = async () => {
    const head = await log.head();
    if (head !== null) await runner.waitFor(head);
  };

  return {
    url,
    clock,
    timers,
    page,
    runner,
    store,
    log,
    failures,
    ask,
    /** The body of a 200. */
    async get<Body = any>(path: string): Promise<Body> {
      const { status, body, text } = await ask(path);
      expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
      return body as Body;
    },
    open: (date?: string, headers: Record<string, string> = {}) =>
      openStream(`${url}/live/stream${date === undefined ? '' : `?date=${date}`}`, headers),
    /** Messages that are all accepted, and projected. */
    async feed(...messages: readonly Message[]): Promise<void> {
      const outcomes = await intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
      expect(outcomes.filter(({ status }) => status !== 'accepted')).toEqual([]);
      await projected();
    },
    projected,
    async eventId(ref: string, source = 'feed'): Promise<number> {
      const bound = await identities.findEvent(source, ref);
      if (!bound) throw new Error(`${source} has no event ${ref}`);
      return bound.id;
    },
    async close() {
      const closing = page.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await closing;
      await runner.stop();
      await log.close();
      await registry.destroy();
    },
  };
}
export type LiveServer = Awaited<ReturnType<typeof serveLive>>;

/** The next message that is no comment; time passes until it comes. */
export async function nextTold({ timers }: LiveServer, client: SseClient): Promise<SseMessage> {
  for (;;) {
    let message: SseMessage | undefined;
    void client.next().then((next) => {
      message = next;
    });
    while (!message) {
      timers.advance(25);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    if (message.event !== 'comment') return message;
  }
}

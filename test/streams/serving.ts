import { createHistories } from '../../src/as-of/histories.ts';
import { ApiError } from '../../src/calls/errors.ts';
import { createPipeline } from '../../src/calls/pipeline.ts';
import { openStages, type Stages } from '../../src/calls/stages.ts';
import { docsPages } from '../../src/docs-pages/routes.ts';
import { createApp } from '../../src/http/app.ts';
import { createResponder } from '../../src/http/responder.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createLogFeed } from '../../src/log/log-feed.ts';
import { createMemoryLog } from '../../src/log/memory-log.ts';
import { operations } from '../../src/operations/index.ts';
import { scoreSnapshot } from '../../src/rendering/event.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { createScoreHub } from '../../src/streams/score-hub.ts';
import { createScoreStreams } from '../../src/streams/stream-route.ts';
import { listenBelow32768 } from '../http/listening.ts';
import { createProjector } from './match.ts';
import { openStream } from './sse-client.ts';
import { createTimers } from './timers.ts';

export const BASE_URL = 'https://sports.example';
export const START = Date.parse('2026-03-01T12:00:00Z');

const SCOPES: Readonly<Record<string, readonly string[]>> = {
  'key-of-all': ['all'],
  'other-key-of-all': ['all'],
  'key-of-nfl': ['nfl'],
};

/** The real application with its score streams on a port; log and store in memory, time that is moved by hand. */
export async function serveStreams(stages: Partial<Stages> = {}) {
  const scopesOf = new Map(Object.entries(SCOPES));
  let isRegistryDown = false;
  const timers = createTimers();
  const log = createMemoryLog({ now: () => START });
  const store = createMemoryStore();
  const { prepare, project } = createProjector(log, store);
  await prepare();
  const logged: Record<string, unknown>[] = [];
  const note = (fields: Readonly<Record<string, unknown>>) => void logged.push(fields);
  let renders = 0;
  const hub = createScoreHub({
    log,
    feed: createLogFeed(log),
    store,
    setTimer: timers.setTimer,
    onError: (err) => note({ err }),
    render: (document) => {
      renders++;
      return scoreSnapshot(document);
    },
  });
  const health = () => Promise.reject(new Error('not here'));
  const pipeline = createPipeline({
    authenticate(key) {
      if (isRegistryDown) throw new Error('the registry does not answer');
      const scopes = scopesOf.get(key ?? '');
      if (!scopes) throw new ApiError('unauthorized', 'No such key.');
      return { keyId: 1, accountId: 1, plan: 'free', scopes, unlimited: false };
    },
    stages: { ...openStages, ...stages },
    context: {
      accounts: undefined as never,
      webhooks: undefined as never,
      store,
      log,
      histories: createHistories(log),
      now: () => START,
      health,
    },
  });
  let ids = 0;
  const newRequestId = () => `made-${++ids}`;
  const baseUrl = () => BASE_URL;
  const responder = createResponder({ baseUrl, log: { error: note }, newRequestId });
  const { now, setTimer } = timers;
  const streams = createScoreStreams({ hub, pipeline, responder, baseUrl, now, setTimer, random: () => 0.5 });
  const app = createApp({
    operations,
    pipeline,
    responder,
    isReady: () => true,
    routes: [docsPages({ operations, responder, baseUrl }), streams.mount],
  });
  const server = createHttpServer(app, baseUrl, newRequestId);
  const port = await listenBelow32768(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    server,
    log,
    store,
    project,
    timers,
    hub,
    streams,
    logged,
    renders: () => renders,
    revoke: (key: string) => void scopesOf.delete(key),
    breakRegistry() {
      isRegistryDown = true;
    },
    open: (id: number | string, headers: Record<string, string> = { authorization: 'Bearer key-of-all' }) =>
      openStream(`${url}/v1/events/${id}/stream`, headers),
    fetch: (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
      fetch(url + path, { ...init, headers: { authorization: 'Bearer key-of-all', ...init.headers } }),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await streams.close();
    },
  };
}
export type Served = Awaited<ReturnType<typeof serveStreams>>;

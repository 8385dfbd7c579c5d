import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { projections } from '../../projections/index.ts';
import { createAuthenticator } from '../../src/accounts/keys/authenticator.ts';
import { createKey } from '../../src/accounts/keys/key-registry.ts';
import { sqliteKeys } from '../../src/accounts/keys/sqlite-keys.ts';
import { createHistories } from '../../src/as-of/histories.ts';
import { announcedStore } from '../../src/calls/answers/announced-store.ts';
import { type AnswerCache, createAnswerCache } from '../../src/calls/answers/answer-cache.ts';
import { createPipeline } from '../../src/calls/pipeline.ts';
import { openStages } from '../../src/calls/stages.ts';
import { openRegistry } from '../../src/composition/registry.ts';
import { docsPages } from '../../src/docs-pages/routes.ts';
import { createApp } from '../../src/http/app.ts';
import { ingestDoor } from '../../src/http/ingest-door.ts';
import { createResponder } from '../../src/http/responder.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { SqlIdentities } from '../../src/identities/sql-identities.ts';
import { FeedIntake } from '../../src/ingest/feed-intake.ts';
import type { OutcomeReport } from '../../src/ingest/intake.ts';
import type { EventLog } from '../../src/log/event-log.ts';
import { createLogFeed } from '../../src/log/log-feed.ts';
import { createMemoryLog } from '../../src/log/memory-log.ts';
import { openSqliteLog } from '../../src/log/sqlite-log.ts';
import { operations } from '../../src/operations/index.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { createProjectionRunner } from '../../src/store/projection-runner.ts';
import type { ReadStore } from '../../src/store/read-store.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { listenBelow32768 } from '../http/listening.ts';
import { countedBytes } from '../http/serving.ts';
import { type AnswerCheck, answerCheck } from './answer-check.ts';
import type { Message } from './messages.ts';

export const NOW = '2026-03-01T12:00:00Z';
export const BASE_URL = 'https://sports.example';
const INGEST_KEY = 'the-ingest-key';
const PEPPER = 'pepper';

export interface Answer<Body = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  /** X-Credits-Used. */
  readonly credits: number;
}

export interface Ask {
  /** An API key; the full one unless told; null for none. */
  readonly key?: string | null;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON of it is sent; a text is sent as it is. */
  readonly body?: unknown;
}

export interface SpecServer {
  readonly url: string;
  /** The server's clock. It stands until it is set. */
  setClock(time: string): void;
  /** The outcome report of the ingest door, after everything is projected. */
  report(messages: readonly unknown[]): Promise<OutcomeReport>;
  /** The id of the event that a source knows by this ref. */
  eventId(source: string, ref: string): Promise<number>;
  /** Messages that are all new. */
  feed(...messages: readonly Message[]): Promise<void>;
  /** The answer, checked against the OpenAPI document. */
  ask<Body = any>(path: string, ask?: Ask): Promise<Answer<Body>>;
  /** The body of a 200. */
  get<Body = any>(path: string, key?: string): Promise<Body>;
  post(path: string, body: unknown, ask?: Ask): Promise<Answer>;
  newKey(scopes: readonly string[], expiresAt?: string): Promise<string>;
  revoke(key: string): Promise<void>;
  readonly log: EventLog;
  readonly store: ReadStore;
  /** What of the answers is kept. */
  readonly answers: AnswerCache;
  /** How often operations have read documents, or looked for some. */
  reads(): number;
  /** Builds all read models anew, which then take over. */
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The server as it runs, on a port of this machine, with a clock that stands until it is set.
 * @param adapters the stores of production in a temporary folder, or those in memory
 * @param answerBytes what the answers that are kept may occupy; 0: none is kept
 */
export async function startServer(
  options: { readonly now?: string; readonly adapters?: 'sqlite' | 'memory'; readonly answerBytes?: number } = {},
): Promise<SpecServer> {
  const { adapters = 'memory' } = options;
  const clock = { time: Date.parse(options.now ?? NOW) };
  const now = () => clock.time;
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-spec-'));
  const file = join(folder, 'ledgerline.db');
  const log = adapters === 'sqlite' ? openSqliteLog({ file, now }) : createMemoryLog({ now });
  const store = adapters === 'sqlite' ? openSqliteStore({ file }) : createMemoryStore();
  const registry = await openRegistry(
    openSqliteDatabase({ file: adapters === 'sqlite' ? file : ':memory:', synchronous: 'normal' }),
  );
  const keyRegistry = sqliteKeys(registry);
  const identities = await SqlIdentities.open(registry);
  const intake = new FeedIntake({ log, identities, now, pause: async () => {}, random: () => 0 });
  const answers = createAnswerCache(options.answerBytes ?? 1_000_000);
  const runner = createProjectionRunner({
    log,
    feed: createLogFeed(log),
    store: announcedStore(store, answers),
    projections,
    now,
  });
  await runner.start();

  const failures: unknown[] = [];
  let ids = 0;
  const newRequestId = () => `made-${++ids}`;
  const baseUrl = () => BASE_URL;
  const onError = (error: unknown) => void failures.push(error);
  const responder = createResponder({ baseUrl, log: { error: onError }, newRequestId });
  const authenticate = createAuthenticator({ registry: keyRegistry, pepper: PEPPER, now, onError });
  const head = async () => (await log.head()) ?? 0n;
  const projected = async () => {
    const position = await log.head();
    if (position !== null) await runner.waitFor(position);
  };
  const health = async () => ({
    status: 'ok' as const,
    version: '0.0.0',
    time: new Date(now()).toISOString(),
    log: { position: String(await head()) },
    projections: runner.status().map(({ name, position, lag_events, lag_seconds }) => ({
      name,
      position: String(position ?? 0n),
      lag_events,
      lag_seconds,
    })),
  });
  let reads = 0;
  const counted = new Proxy(store, {
    get(target, name) {
      if (name === 'get' || name === 'getMany' || name === 'find') reads++;
      return Reflect.get(target, name);
    },
  });
  const pipeline = createPipeline({
    authenticate,
    stages: openStages,
    context: {
      store: counted,
      log,
      histories: createHistories(log),
      accounts: undefined as never,
      webhooks: undefined as never,
      now,
      health,
    },
    answers,
  });
  const door = ingestDoor({ intake, ingestKey: INGEST_KEY, responder, projected });
  const app = createApp({
    operations,
    pipeline,
    responder,
    isReady: () => true,
    routes: [docsPages({ operations, responder, baseUrl }), door],
  });
  const server = createHttpServer(app, baseUrl, newRequestId);
  const url = `http://127.0.0.1:${await listenBelow32768(server)}`;

  const maker = { registry: keyRegistry, random: countedBytes(), pepper: PEPPER, now };
  const newKey = async (scopes: readonly string[], expiresAt: string | null = null) =>
    (await createKey(maker, { name: 'test', scopes, expiresAt, account: 'own' })).key;
  const fullKey = await newKey(['all']);
  let check: AnswerCheck | undefined;

  async function ask<Body>(path: string, { key = fullKey, method = 'GET', headers = {}, body }: Ask = {}) {
    check ??= answerCheck(await (await fetch(`${url}/openapi.json`)).text());
    const response = await fetch(url + path, {
      method,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const value: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    expect(response.status, `${method} ${path}: ${text.slice(0, 500)}`).not.toBe(500);
    if (isJson && text !== '') check(method, path, response.status, value);
    const { status, headers: answered } = response;
    return { status, headers: answered, body: value as Body, credits: Number(answered.get('x-credits-used')) };
  }

  async function report(messages: readonly unknown[]): Promise<OutcomeReport> {
    const response = await fetch(`${url}/ingest/v1/messages?wait=projected`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
      body: messages.map((message) => JSON.stringify(message)).join('\n'),
    });
    return (await response.json()) as OutcomeReport;
  }

  return {
    url,
    log,
    store,
    setClock(time) {
      clock.time = Date.parse(time);
    },
    report,
    async eventId(source, ref) {
      const bound = await identities.findEvent(source, ref);
      if (!bound) throw new Error(`${source} has no event ${ref}`);
      return bound.id;
    },
    async feed(...messages) {
      const { received, accepted, errors, ...others } = await report(messages);
      expect({ accepted, errors, ...others }).toMatchObject({ accepted: received, errors: [] });
    },
    ask,
    async get<Body>(path: string, key?: string) {
      const { status, body } = await ask<Body>(path, key === undefined ? {} : { key });
      expect([path, status]).toEqual([path, 200]);
      return body;
    },
    post: (path, body, given = {}) =>
      ask(path, { method: 'POST', body, ...given, headers: { 'content-type': 'application/json', ...given.headers } }),
    newKey: (scopes, expiresAt) => newKey(scopes, expiresAt ?? null),
    async revoke(key) {
      const prefix = key.slice(0, key.indexOf('.'));
      const record = await keyRegistry.findByPrefix(prefix);
      expect(await keyRegistry.revoke(record!.id, new Date(now()).toISOString())).toBe(true);
    },
    answers,
    reads: () => reads,
    async rebuild() {
      await runner.rebuild();
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await runner.stop();
      await store.close();
      await log.close();
      await registry.destroy();
      rmSync(folder, { recursive: true, force: true });
      expect(failures).toEqual([]);
    },
  };
}

import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { projections } from '../../projections/index.ts';
import { openSqliteBilling } from '../../src/accounts/billing/sqlite-billing.ts';
import { createAuthenticator } from '../../src/accounts/keys/authenticator.ts';
import { createKey, type KeyMaker, type KeyRequest } from '../../src/accounts/keys/key-registry.ts';
import { sqliteKeys } from '../../src/accounts/keys/sqlite-keys.ts';
import { createMeteredStages } from '../../src/accounts/metered-stages.ts';
import { restoreWindows } from '../../src/accounts/restore-windows.ts';
import { createHistories } from '../../src/as-of/histories.ts';
import { announcedStore } from '../../src/calls/answers/announced-store.ts';
import { createAnswerCache } from '../../src/calls/answers/answer-cache.ts';
import { createAnswerOnce } from '../../src/calls/once/answer-once.ts';
import { sqliteRememberedAnswers } from '../../src/calls/once/sqlite-remembered-answers.ts';
import type { Operation } from '../../src/calls/operation.ts';
import { createPipeline } from '../../src/calls/pipeline.ts';
import { openRegistry } from '../../src/composition/registry.ts';
import { docsPages } from '../../src/docs-pages/routes.ts';
import { createApp } from '../../src/http/app.ts';
import { noticeDoor } from '../../src/http/notice-door.ts';
import { createResponder } from '../../src/http/responder.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { SqlIdentities } from '../../src/identities/sql-identities.ts';
import { FeedIntake } from '../../src/ingest/feed-intake.ts';
import { createMemoryLimits } from '../../src/limits/memory-limits.ts';
import { createLogFeed } from '../../src/log/log-feed.ts';
import { createMemoryLog } from '../../src/log/memory-log.ts';
import { openSqliteLog } from '../../src/log/sqlite-log.ts';
import { operations as allOperations } from '../../src/operations/index.ts';
import { developmentPayments } from '../../src/payments/development.ts';
import type { Payments } from '../../src/payments/payments.ts';
import { DEFAULT_PLANS, type Pack, type Plan } from '../../src/settings/plans.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { createProjectionRunner } from '../../src/store/projection-runner.ts';
import { createScoreHub } from '../../src/streams/score-hub.ts';
import { createScoreStreams } from '../../src/streams/stream-route.ts';
import { listenBelow32768 } from '../http/listening.ts';
import { BASE_URL, PEPPER, START } from '../http/serving.ts';
import { billingLog } from '../payments/billing-log.ts';
import { type AnswerCheck, answerCheck } from '../spec/answer-check.ts';
import type { Message } from '../spec/messages.ts';
import type { Answer, Ask } from '../spec/server.ts';
import { createTimers } from '../streams/timers.ts';
import { accountServices } from './account-services.ts';
import { webhookServices } from './webhook-services.ts';

export const BOOTSTRAP_KEY = `llk_${'B'.repeat(12)}.${'b'.repeat(43)}`;

export interface AgentServerOptions {
  /** Where log and registry live; both are in memory unless told. A second server on it goes on where one ended. */
  readonly file?: string;
  /** Milliseconds. */
  readonly time?: number;
  /** Members in the place of those of the default plans. By default a minute has room for 10,000 requests. */
  readonly plans?: Readonly<Record<string, Partial<Plan>>>;
  readonly packs?: readonly Pack[];
  readonly operations?: readonly Operation[];
  /** Who takes the payments; the development adapter unless told. */
  readonly payments?: Payments;
  /** Ranges that webhooks may reach; none unless told. */
  readonly webhookAllow?: readonly string[];
  /** Addresses of the hosts of webhooks, of which there are none unless told. */
  readonly hosts?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The operations behind the stages of production, with real keys and credits, and a clock that stands until it is set.
 * Answers are checked against the OpenAPI document.
 */
export async function serveAgent(options: AgentServerOptions = {}) {
  const { file, operations = allOperations, packs } = options;
  const clock = { time: options.time ?? START };
  const now = () => clock.time;
  const log = file === undefined ? createMemoryLog({ now }) : openSqliteLog({ file, now });
  const store = createMemoryStore();
  const registryDatabase = openSqliteDatabase({ file: file ?? ':memory:', synchronous: 'normal' });
  const registry = await openRegistry(registryDatabase);
  const keyRegistry = sqliteKeys(registry);
  const maker: KeyMaker = { registry: keyRegistry, random: countedBytes(), pepper: PEPPER, now };
  const identities = await SqlIdentities.open(registry);
  const intake = new FeedIntake({ log, identities, now, pause: async () => {}, random: () => 0 });
  const answers = createAnswerCache(1_000_000);
  const runner = createProjectionRunner({
    log,
    feed: createLogFeed(log),
    store: announcedStore(store, answers),
    projections,
    now,
  });
  await runner.start();
  const projected = async () => {
    const head = await log.head();
    if (head !== null) await runner.waitFor(head);
  };
  await projected();

  const failures: unknown[] = [];
  const onError = (error: unknown) => void failures.push(error);
  const plans = plansWith(options.plans ?? {});
  const billingRegistry = await openSqliteBilling(registry);
  const payments = options.payments ?? developmentPayments();
  const told = billingLog();
  const shop = { registry: billingRegistry, payments, later: () => {}, billingLog: told.log };
  const composed = accountServices({ log, store, keyMaker: maker, onError, plans, packs, shop });
  const { credits, accounts } = composed;
  const billing = composed.billing!;
  const { webhooks, webhookStore, wakes } = webhookServices({
    log,
    registry,
    registryDatabase,
    keyMaker: maker,
    allow: options.webhookAllow,
    hosts: options.hosts,
  });
  const context = {
    store,
    log,
    histories: createHistories(log),
    accounts,
    webhooks,
    now,
    health: async () => ({
      status: 'ok' as const,
      version: '0.0.0',
      time: new Date(now()).toISOString(),
      log: { position: String((await log.head()) ?? 0n) },
      projections: [],
    }),
  };
  const limits = createMemoryLimits();
  await restoreWindows(log, limits, now());
  const stages = createMeteredStages({ limits, credits, plans, now });
  const authenticate = createAuthenticator({
    registry: keyRegistry,
    pepper: PEPPER,
    bootstrapKey: BOOTSTRAP_KEY,
    now,
    onError,
  });
  const once = createAnswerOnce({ remembered: sqliteRememberedAnswers(registry), now, onError });
  const pipeline = createPipeline({ authenticate, stages, context, answers, once });
  let ids = 0;
  const newRequestId = () => `made-${++ids}`;
  const baseUrl = () => BASE_URL;
  const responder = createResponder({ baseUrl, log: { error: onError }, newRequestId });
  const { notices } = payments;
  const door = noticeDoor({ path: '/billing/stripe', notices, take: billing.invoices.take, responder });
  const timers = createTimers();
  const { setTimer } = timers;
  const hub = createScoreHub({ log, feed: createLogFeed(log), store, setTimer, onError });
  const streamParts = { hub, pipeline, responder, baseUrl, setTimer };
  const streams = createScoreStreams({ ...streamParts, now: timers.now, random: () => 0.5 });
  const routes = [door, streams.mount];
  const app = createApp({
    operations,
    pipeline,
    responder,
    isReady: () => true,
    routes: [docsPages({ operations, responder, baseUrl }), ...routes],
  });
  const server = createHttpServer(app, baseUrl, newRequestId);
  const port = await listenBelow32768(server);
  const url = `http://127.0.0.1:${port}`;

  /** A key of an account of its own, unless told. */
  const newKey = (request: Partial<KeyRequest> = {}) =>
    createKey(maker, { name: 'test', scopes: ['all'], expiresAt: null, account: 'own', ...request });
  const first = await newKey();
  let check: AnswerCheck | undefined;

  async function ask<Body = any>(path: string, { key = first.key, method = 'GET', headers = {}, body }: Ask = {}) {
    check ??= answerCheck(await (await fetch(`${url}/openapi.json`)).text());
    const response = await fetch(url + path, {
      method,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (text !== '') check(method, path, response.status, JSON.parse(text));
    const { status, headers: answered } = response;
    const value = (text === '' ? undefined : JSON.parse(text)) as Body;
    return { status, headers: answered, body: value, credits: Number(answered.get('x-credits-used')) };
  }

  return {
    url,
    port,
    clock,
    log,
    store,
    runner,
    registry,
    keyRegistry,
    credits,
    accounts,
    billing,
    billingRegistry,
    /** What the log tells of payments. */
    told: told.lines,
    pipeline,
    webhookStore,
    /** How often whoever delivers was told to look. */
    wakes,
    /** The open score streams. */
    streams,
    /** Of the streams; the clock of everything else is `clock`. */
    timers,
    plans,
    /** What went wrong inside. `close` fails unless it is emptied. */
    failures,
    /** The key that is used unless another is named, of a free account with nothing else. */
    key: first.key,
    record: first.record,
    newKey,
    ask,
    /** Takes in messages that are all new; resolves when they are projected. */
    async feed(...messages: readonly Message[]) {
      const outcomes = await intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
      expect(outcomes).toEqual(messages.map((_, index) => ({ line: index + 1, status: 'accepted' })));
      await projected();
    },
    /** The id of the event that a source knows by this ref. */
    eventId: async (source: string, ref: string) => (await identities.findEvent(source, ref))!.id,
    post: <Body = any>(path: string, body: unknown, given: Ask = {}): Promise<Answer<Body>> =>
      ask<Body>(path, {
        method: 'POST',
        body,
        ...given,
        headers: { 'content-type': 'application/json', ...given.headers },
      }),
    /** The body of a 200. */
    async get<Body = any>(path: string, key?: string): Promise<Body> {
      const { status, body } = await ask<Body>(path, key === undefined ? {} : { key });
      expect([path, status]).toEqual([path, 200]);
      return body;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await streams.close();
      await billing.packPayments.close();
      await credits.writer.flush();
      await runner.stop();
      await store.close();
      await log.close();
      await registry.destroy();
      expect(failures).toEqual([]);
    },
  };
}
export type AgentServer = Awaited<ReturnType<typeof serveAgent>>;

function plansWith(changes: Readonly<Record<string, Partial<Plan>>>): Readonly<Record<string, Plan>> {
  return Object.fromEntries(
    Object.entries(DEFAULT_PLANS).map(([slug, plan]) => [
      slug,
      { ...plan, requests_per_minute: 10_000, ...changes[slug] },
    ]),
  );
}

/** Other bytes in each server: two on one file must not make the same keys. */
let servers = 0;
function countedBytes(): (size: number) => Uint8Array {
  const server = ++servers;
  let calls = 0;
  return (size) => {
    const call = ++calls;
    const block = (index: number) => createHmac('sha256', 'seed').update(`${server}/${call}/${index}`).digest();
    return Buffer.concat(Array.from({ length: Math.ceil(size / 32) }, (_, index) => block(index))).subarray(0, size);
  };
}

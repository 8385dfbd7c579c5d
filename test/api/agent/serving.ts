import { mkdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { Operation } from '../../../src/api/calls/operation/operation.ts';
import { operations as allOperations } from '../../../src/api/operations/index.ts';
import type { Payments } from '../../../src/platform/payments/payments.ts';
import { DEFAULT_PACKS, DEFAULT_PLANS, type Pack, type Plan } from '../../../src/platform/settings/plans-and-packs.ts';
import type { RecordParts } from '../../../src/server/composition/open-record.ts';
import { composed } from '../../support/composed.ts';
import { checkedClient } from '../client/checked-client.ts';
import { type AnswerCheck, answerCheck } from '../spec/answer-check.ts';
import type { Message } from '../spec/messages.ts';
import type { Answer, Ask } from '../spec/server.ts';

export const BOOTSTRAP_KEY = `llk_${'B'.repeat(12)}.${'b'.repeat(43)}`;

export interface AgentServerOptions {
  /** The data folder, made where there is none; in memory unless told. A second server on it goes on where one ended. */
  readonly file?: string;
  /** Milliseconds. */
  readonly time?: number;
  /** Members in the place of those of the default plans. By default a minute has room for 10,000 requests. */
  readonly plans?: Readonly<Record<string, Partial<Plan>>>;
  readonly packs?: readonly Pack[];
  readonly operations?: readonly Operation[];
  /** Whether intelligence is published; unless told it is not. */
  readonly publishes?: boolean;
  /** Who takes the payments; the development adapter unless told. */
  readonly payments?: Payments;
  /** Whether the demo feeds the server. */
  readonly simulated?: () => boolean;
  /** Ranges that webhooks may reach; none unless told. */
  readonly webhookAllow?: readonly string[];
  /** Counts the record of forecasts; what ships unless told. */
  readonly countRecord?: NonNullable<RecordParts['count']>;
  /** Addresses of the hosts of webhooks, of which there are none unless told. */
  readonly hosts?: Readonly<Record<string, readonly string[]>>;
  /** TRIAL; off unless told. */
  readonly trial?: 'off' | 'anonymous';
  /** LIVE_PAGE; off unless told. */
  readonly livePage?: boolean;
  /** Whether reference weights are learnt; they are constants unless told. */
  readonly learnsReferenceWeights?: boolean;
}

/**
 * The server that ships, with a clock that stands until it is set. Nothing is delivered. Answers are checked against
 * the OpenAPI document.
 */
export async function serveAgent(options: AgentServerOptions = {}) {
  const { file, operations, packs = DEFAULT_PACKS, payments, hosts = {} } = options;
  const plans = plansWith(options.plans ?? {});
  let wakes = 0;
  if (file !== undefined) mkdirSync(file, { recursive: true });
  const opened = await composed({
    ...(file === undefined ? {} : { folder: file }),
    ...(options.time === undefined ? {} : { time: options.time }),
    ...(payments ? { payments } : {}),
    ...(options.simulated ? { simulated: options.simulated } : {}),
    ...(options.countRecord ? { countRecord: options.countRecord } : {}),
    core: { answerBytes: 1_000_000 },
    settings: {
      plans,
      packs,
      bootstrapKey: BOOTSTRAP_KEY,
      webhookAllow: options.webhookAllow ?? [],
      trial: options.trial ?? 'off',
      livePage: options.livePage ?? false,
      learnsReferenceWeights: options.learnsReferenceWeights ?? false,
      // A test may come from several addresses, each of which has its own limit of wrong keys.
      trustProxy: ['127.0.0.1'],
    },
    replacements: {
      ...(operations ? { operations } : {}),
      resolve: async (host: string) => hosts[host] ?? [],
      onWebhookDue: () => void wakes++,
    },
  });
  const { url, port, clock, ports, core, server, timers, newKey } = opened;
  const { log, store } = ports;
  const { runner, projected } = core;
  const { credits, billing, services: accounts } = server.accounts;
  await runner.start();
  if (options.publishes) server.intelligence.start();
  await projected();
  const first = await newKey();
  let check: AnswerCheck | undefined;

  async function ask<Body = any>(path: string, { key = first.key, method = 'GET', headers = {}, body }: Ask = {}) {
    check ??= await answerCheck(operations ?? allOperations, url);
    const response = await fetch(url + path, {
      method,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (text !== '') check(method, path, response.status, JSON.parse(text), body);
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
    registry: await opened.registry(),
    keyRegistry: ports.keys,
    credits,
    accounts,
    billing,
    billingRegistry: ports.billing,
    /** What the log tells of payments. */
    told: opened.told,
    pipeline: server.pipeline,
    trials: server.trials,
    webhookStore: ports.webhooks,
    /** They tell nobody before they are started. */
    webhooks: server.webhooks,
    /** How often whoever delivers was told to look. */
    wakes: () => wakes,
    /** The open score streams. */
    streams: server.streams,
    /** The open streams of agents. */
    agentStreams: server.agentStreams,
    /** Of the forecasts; it counts without being asked once it is started. */
    recordKeeper: server.record,
    /** Seals nothing unless it is asked to. */
    seals: server.seals,
    sealKeys: ports.sealKeys,
    /** Learns nothing unless it is asked to; undefined: weights are constants. */
    referenceWeights: server.referenceWeights,
    /** Of the streams; the clock of everything else is `clock`. */
    timers,
    plans,
    /** What went wrong inside. `close` fails unless it is emptied. */
    failures: opened.failures,
    /** The key that is used unless another is named, of a free account with nothing else. */
    key: first.key,
    record: first.record,
    newKey,
    ask,
    /** The client of programs, with the first key unless told; its answers are checked too. */
    client: (key = first.key) => checkedClient(url, key),
    /** Takes in messages that are all new; resolves when they are projected. */
    async feed(...messages: readonly Message[]) {
      const { outcomes } = await core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
      expect(outcomes).toEqual(messages.map((_, index) => ({ line: index + 1, status: 'accepted' })));
      await projected();
    },
    /** What becomes of messages, whatever they are. */
    take: (messages: readonly unknown[]) =>
      core.intake.accept(messages.map((value, index) => ({ line: index + 1, value }))),
    /** Resolves when what follows for bets from everything taken in is published, and projected. */
    async published() {
      await server.intelligence.waitUntilPublished();
      await projected();
    },
    /** The id of the event that a source knows by this ref. */
    eventId: async (source: string, ref: string) => (await ports.identities.findEvent(source, ref))!.id,
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
      await opened.close();
      expect(opened.failures).toEqual([]);
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

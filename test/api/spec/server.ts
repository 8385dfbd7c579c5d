import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AnswerCache } from '../../../src/api/calls/answer-cache/answer-cache.ts';
import { unlimitedAdmissionControl } from '../../../src/api/calls/pipeline/admission.ts';
import type { Client, ClientOptions } from '../../../src/api/client/index.ts';
import { operations } from '../../../src/api/operations/index.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import type { OutcomeReport } from '../../../src/ingest/intake/intake.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import { type Composed, composed } from '../../support/composed.ts';
import { checkedClient } from '../client/checked-client.ts';
import { type AnswerCheck, answerCheck } from './answer-check.ts';
import type { Message } from './messages.ts';

export const NOW = '2026-03-01T12:00:00Z';
export { BASE_URL } from '../../support/composed.ts';

const INGEST_KEY = 'the-ingest-key';
const READS: ReadonlySet<string> = new Set(['get', 'getMany', 'getAcross', 'getDerived', 'find', 'findEach']);

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
  /** What it is made of, with time that is moved by hand. */
  readonly composed: Composed;
  /** The key that is used unless told. */
  readonly fullKey: string;
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
  /** The client of programs, with the full key; its answers are checked too. */
  client(options?: Partial<ClientOptions>): Client;
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
  const { adapters = 'memory', now = NOW, answerBytes = 1_000_000 } = options;
  const folder = adapters === 'sqlite' ? mkdtempSync(join(tmpdir(), 'ledgerline-spec-')) : undefined;
  let reads = 0;
  const counted = (store: ReadStore) =>
    new Proxy(store, {
      get(target, name) {
        if (READS.has(String(name))) reads++;
        return Reflect.get(target, name);
      },
    });
  const opened = await composed({
    ...(folder === undefined ? {} : { folder }),
    time: Date.parse(now),
    core: { answerBytes },
    settings: { ingestKey: INGEST_KEY },
    replacements: { stages: () => unlimitedAdmissionControl, documents: counted, ignoresIdempotencyKeys: true },
  });
  const { url, clock, ports, core } = opened;
  const { log, store } = ports;
  await core.runner.start();

  const newKey = async (scopes: readonly string[], expiresAt: string | null = null) =>
    (await opened.newKey({ scopes, expiresAt })).key;
  const fullKey = await newKey(['all']);
  let check: AnswerCheck | undefined;
  /** Of a cluster: who has just sent facts and wants to read them says so, since an answer may be a second old. */
  let position: string | undefined;

  async function ask<Body>(path: string, { key = fullKey, method = 'GET', headers = {}, body }: Ask = {}) {
    check ??= await answerCheck(operations, url);
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(position === undefined ? {} : { 'ledgerline-position': position }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const value: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    expect(response.status, `${method} ${path}: ${text.slice(0, 500)}`).not.toBe(500);
    if (isJson && text !== '') check(method, path, response.status, value, body);
    const { status, headers: answered } = response;
    return { status, headers: answered, body: value as Body, credits: Number(answered.get('x-credits-used')) };
  }

  async function report(messages: readonly unknown[]): Promise<OutcomeReport> {
    const response = await fetch(`${url}/ingest/v1/messages?wait=projected`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
      body: messages.map((message) => JSON.stringify(message)).join('\n'),
    });
    if (process.env['PROFILE'] === 'cluster') position = response.headers.get('ledgerline-position') ?? position;
    return (await response.json()) as OutcomeReport;
  }

  return {
    url,
    composed: opened,
    fullKey,
    log,
    store,
    setClock(time) {
      clock.time = Date.parse(time);
    },
    report,
    async eventId(source, ref) {
      const bound = await ports.identities.findEvent(source, ref);
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
    client: (given) => checkedClient(url, fullKey, given),
    newKey: (scopes, expiresAt) => newKey(scopes, expiresAt ?? null),
    async revoke(key) {
      const prefix = key.slice(0, key.indexOf('.'));
      const record = await ports.keys.findByPrefix(prefix);
      expect(await ports.keys.revoke(record!.id, new Date(clock.time).toISOString())).toBe(true);
    },
    answers: core.answers,
    reads: () => reads,
    async rebuild() {
      await core.runner.rebuild();
    },
    async close() {
      await opened.close();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      expect(opened.failures).toEqual([]);
    },
  };
}

import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import type { Router } from 'express';
import { createAuthenticator } from '../../src/accounts/keys/authenticator.ts';
import { createKey, type KeyMaker, type KeyRequest } from '../../src/accounts/keys/key-registry.ts';
import { sqliteKeys } from '../../src/accounts/keys/sqlite-keys.ts';
import { createHistories } from '../../src/as-of/histories.ts';
import type { Operation, OperationContext } from '../../src/calls/operation.ts';
import { createPipeline } from '../../src/calls/pipeline.ts';
import { openStages, type Stages } from '../../src/calls/stages.ts';
import { openRegistry } from '../../src/composition/registry.ts';
import { docsPages } from '../../src/docs-pages/routes.ts';
import { createApp } from '../../src/http/app.ts';
import { createResponder } from '../../src/http/responder.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createMemoryLog } from '../../src/log/memory-log.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { accountServices } from '../agent/account-services.ts';
import { webhookServices } from '../agent/webhook-services.ts';
import { listenBelow32768 } from './listening.ts';
import { toys } from './toys.ts';

export const START = Date.parse('2026-03-01T12:00:00Z');
export const BASE_URL = 'https://sports.example';
export const PEPPER = 'pepper';

/** Bytes that differ from call to call, and are the same in every run. */
export function countedBytes(): (size: number) => Uint8Array {
  let calls = 0;
  return (size) => {
    const block = (index: number) => createHmac('sha256', 'seed').update(`${calls}/${index}`).digest();
    calls++;
    return Buffer.concat(Array.from({ length: Math.ceil(size / 32) }, (_, index) => block(index))).subarray(0, size);
  };
}

export interface Options {
  readonly operations?: readonly Operation[];
  readonly stages?: Partial<Stages>;
  readonly context?: Partial<OperationContext>;
  readonly isReady?: () => boolean;
  readonly simulated?: () => boolean;
  readonly bootstrapKey?: string;
  readonly routes?: (parts: { readonly responder: ReturnType<typeof createResponder> }) => (router: Router) => void;
}

/** The real application on a port, with stores in memory and a clock that stands until it is set. */
export async function serve(options: Options = {}) {
  const clock = { time: START };
  const now = () => clock.time;
  const logged: Record<string, unknown>[] = [];
  const log = { error: (fields: Readonly<Record<string, unknown>>) => void logged.push(fields) };
  const registryDatabase = openSqliteDatabase({ file: ':memory:' });
  const database = await openRegistry(registryDatabase);
  const registry = sqliteKeys(database);
  const maker: KeyMaker = { registry, random: countedBytes(), pepper: PEPPER, now };
  const newKey = (request: Partial<KeyRequest> = {}) =>
    createKey(maker, { name: 'test', scopes: ['all'], expiresAt: null, account: 'own', ...request });

  let ids = 0;
  const newRequestId = () => `made-${++ids}`;
  const baseUrl = () => BASE_URL;
  const { simulated, bootstrapKey } = options;
  const responder = createResponder({ baseUrl, log, newRequestId, simulated });
  const authenticate = createAuthenticator({
    registry,
    pepper: PEPPER,
    bootstrapKey,
    now,
    onError: (error) => log.error({ err: error }),
  });
  const emptyLog = createMemoryLog({ now });
  const store = createMemoryStore();
  const onError = (error: unknown) => log.error({ err: error });
  const { accounts } = accountServices({ log: emptyLog, store, keyMaker: maker, onError });
  const { webhooks } = webhookServices({ log: emptyLog, registry: database, registryDatabase, keyMaker: maker });
  const context = {
    store,
    log: emptyLog,
    histories: createHistories(emptyLog),
    accounts,
    webhooks,
    now,
    health: async () => ({
      status: 'ok' as const,
      version: '0.0.0',
      time: new Date(clock.time).toISOString(),
      log: { position: '0' },
      projections: [],
    }),
    ...options.context,
  };
  const pipeline = createPipeline({ authenticate, stages: { ...openStages, ...options.stages }, context });
  const served = options.operations ?? toys;
  const app = createApp({
    operations: served,
    pipeline,
    responder,
    isReady: options.isReady ?? (() => true),
    routes: [
      docsPages({ operations: served, responder, baseUrl }),
      ...(options.routes ? [options.routes({ responder })] : []),
    ],
  });
  const server = createHttpServer(app, baseUrl, newRequestId);
  const port = await listenBelow32768(server);
  const { key, record } = await newKey();
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    port,
    key,
    record,
    clock,
    logged,
    registry,
    store: context.store,
    pipeline,
    newKey,
    /** With the first key, unless the headers say otherwise. */
    fetch: (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
      fetch(url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } }),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      }),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await database.destroy();
    },
  };
}
export type Served = Awaited<ReturnType<typeof serve>>;

/** Sends bytes as they are, and gives back all that comes until the server ends the connection. */
export function exchange(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
  });
}

export async function codeOf(response: Response): Promise<string> {
  const body = (await response.json()) as { error: { code: string } };
  return body.error.code;
}

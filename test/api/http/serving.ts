import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import type { Router } from 'express';
import type { Operation, OperationContext } from '../../../src/api/calls/operation/operation.ts';
import { type AdmissionControl, unlimitedAdmissionControl } from '../../../src/api/calls/pipeline/admission.ts';
import type { Responder } from '../../../src/api/http/responder.ts';
import type { Ports } from '../../../src/server/composition/ports.ts';
import { composed } from '../../support/composed.ts';
import { toys } from './toys.ts';

export { BASE_URL, PEPPER, START } from '../../support/composed.ts';

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
  readonly stages?: Partial<AdmissionControl>;
  readonly context?: Partial<OperationContext>;
  /** Ports in the place of those that were opened. */
  readonly around?: (ports: Ports) => Ports;
  readonly isReady?: () => boolean;
  readonly simulated?: () => boolean;
  readonly bootstrapKey?: string;
  /** With it the ingest door is no route without a key. */
  readonly ingestKey?: string;
  readonly routes?: (parts: { readonly responder: Responder }) => (router: Router) => void;
}

/** The server that ships with toys for operations, without limits, its stores in memory, and a clock that stands. */
export async function serve(options: Options = {}) {
  const { operations = toys, stages, context, around, routes, bootstrapKey, ingestKey, isReady, simulated } = options;
  const opened = await composed({
    ...(isReady ? { isReady } : {}),
    ...(simulated ? { simulated } : {}),
    ...(around ? { around } : {}),
    // A test may come from several addresses, each of which has its own limit of requests without a key.
    settings: { bootstrapKey, ...(ingestKey === undefined ? {} : { ingestKey }), trustProxy: ['127.0.0.1'] },
    randomBytes: countedBytes(),
    replacements: {
      operations,
      stages: () => ({ ...unlimitedAdmissionControl, ...stages }),
      ...(context ? { context } : {}),
      ...(routes ? { routes: (parts) => [routes(parts)] } : {}),
      withoutAnswerCache: true,
      ignoresIdempotencyKeys: true,
    },
  });
  const { url, port, clock, logged, ports, core, server, newKey } = opened;
  const { key, record } = await newKey();

  return {
    url,
    port,
    key,
    record,
    clock,
    logged,
    registry: ports.keys,
    store: server.context.store,
    /** Nothing is projected before it is started. */
    runner: core.runner,
    pipeline: server.pipeline,
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
    close: opened.close,
  };
}
export type Served = Awaited<ReturnType<typeof serve>>;

const STREAM = /^HTTP\/1\.1 200 .*\r\ncontent-type: text\/event-stream/is;

/** Sends bytes as they are, and gives back all that comes until the server ends the connection; of a stream its beginning. */
export function exchange(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      // It ends when its reader goes.
      if (STREAM.test(chunk.toString('latin1'))) socket.destroy();
    });
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
  });
}

export async function codeOf(response: Response): Promise<string> {
  const body = (await response.json()) as { error: { code: string } };
  return body.error.code;
}

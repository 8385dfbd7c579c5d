import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { untilAborted } from '../../platform/async/until-aborted.ts';
import { controlSocket } from '../../platform/data-folder/folder-paths.ts';
import { ControlError, type ControlLine, type ControlProgress, NDJSON } from './control-messages.ts';
import { byShortPath } from './short-path.ts';

/** One route for commands on the same machine. */
export type ControlRoute = (request: {
  /** The request's body, with back-pressure. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly query: URLSearchParams;
  /** Aborted when the server stops, and when the command disconnects. */
  readonly signal: AbortSignal;
  readonly progress: (progress: ControlProgress) => void;
}) => Promise<unknown>;

export interface ControlServer {
  /** Aborts running hand-overs, waits for them, and removes the socket. */
  close(): Promise<void>;
}

const SERVER_STOPS = 'the server is stopping';

/**
 * Opens the control endpoint: HTTP on a Unix domain socket that only its owner may open. The caller holds the folder's
 * lock, so an existing socket was left by a dead process.
 * @param routes by method and path, such as `POST /ingest`
 * @param folder its real path; nobody else may write to it, or they could replace the socket with their own
 */
export async function openControl(
  folder: string,
  routes: Readonly<Record<string, ControlRoute>>,
  onFault: (error: unknown) => void,
): Promise<ControlServer> {
  const path = controlSocket(folder);
  rmSync(path, { force: true });

  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const work = answer(routes, request, response, stopping.signal, onFault).finally(() => running.delete(work));
    running.add(work);
  });
  // No timeout: a hand-over takes as long as the work.
  server.requestTimeout = 0;
  server.timeout = 0;
  await byShortPath(
    path,
    (short) =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(short, resolve);
      }),
  );
  chmodSync(path, 0o600);

  return {
    async close() {
      stopping.abort(new ControlError(SERVER_STOPS, { again: true }));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.allSettled(running);
      server.closeAllConnections();
      await closed;
      rmSync(path, { force: true });
    },
  };
}

async function answer(
  routes: Readonly<Record<string, ControlRoute>>,
  request: IncomingMessage,
  response: ServerResponse,
  stopping: AbortSignal,
  onFault: (error: unknown) => void,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort(new ControlError('the command has left')));
  response.on('error', () => {});
  const write = (line: ControlLine) => {
    if (!response.writableEnded && !response.destroyed) response.write(`${JSON.stringify(line)}\n`);
  };
  const url = new URL(request.url ?? '/', 'http://control');
  const route = routes[`${request.method} ${url.pathname}`];
  response.writeHead(route ? 200 : 404, { 'content-type': NDJSON, connection: 'close' });
  try {
    if (!route) throw new ControlError(`the server does not know ${url.pathname}; it may be of another version`);
    const signal = AbortSignal.any([stopping, left.signal]);
    const result = await route({
      // A command may wait for a silent pipe.
      body: untilAborted<Uint8Array>(request, signal),
      query: url.searchParams,
      signal,
      progress: (progress) => write({ progress }),
    });
    write({ result });
  } catch (error) {
    const isExpected = error instanceof ControlError || error instanceof UnavailableError;
    if (!isExpected && !left.signal.aborted) onFault(error);
    write({ error: error instanceof ControlError ? error.failure : { message: (error as Error).message } });
  }
  await new Promise<void>((resolve) => {
    if (response.destroyed) resolve();
    else response.end(resolve);
    response.once('close', () => resolve());
  });
  request.destroy();
}

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Endpoint {
  readonly port: number;
  /** `http://127.0.0.1:port/hook` */
  readonly url: string;
  readonly received: readonly Received[];
  /** Connections that were made to it. */
  readonly connections: readonly Socket[];
  /** Until it has received so many. */
  arrived(count: number): Promise<void>;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server of a test's own, closed when the test is over. */
export async function serve(answer: Answer = (response) => response.writeHead(204).end()): Promise<Endpoint> {
  const received: Received[] = [];
  const waiting: { readonly count: number; readonly go: () => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks) });
      for (const { count, go } of waiting) if (received.length >= count) go();
      answer(response, request);
    });
  });
  // So that only what the client does ends a connection.
  server.keepAliveTimeout = 0;
  const { port, connections } = await listen(server);
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    connections,
    arrived: (count) =>
      received.length >= count ? Promise.resolve() : new Promise((go) => void waiting.push({ count, go })),
  };
}

/** A server that speaks in bytes. */
export async function serveRaw(connected: (socket: Socket) => void) {
  return listen(createRawServer(connected));
}

export async function listen(server: Server): Promise<{ port: number; connections: Socket[] }> {
  const connections: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    connections.push(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of connections) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, connections };
}

/** A port that nobody listens at. */
export async function refusedPort(): Promise<number> {
  const server = createRawServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

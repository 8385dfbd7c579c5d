import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequest, errorEnvelope } from '../calls/errors.ts';

/**
 * How long a connection is kept for a next request: longer than proxies (60 s) and clients keep theirs. Who closes
 * first must be the other side, for a request that is on its way when the server closes is lost.
 */
const KEEP_ALIVE_MS = 72_000;

/** A server whose answers to what is not even HTTP are envelopes too. It does not listen yet. */
export function createHttpServer(listener: RequestListener, baseUrl: () => string, newRequestId: () => string): Server {
  // Node's own answer to a request without `Host` has no body.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return listener(request, response);
    const requestId = newRequestId();
    const body = JSON.stringify(errorEnvelope(badRequest('A Host header is required.'), baseUrl(), requestId));
    response.writeHead(400, {
      'X-Request-Id': requestId,
      'X-Credits-Used': '0',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    });
    response.end(body);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = STATUSES[error.code ?? ''] ?? 400;
    const requestId = newRequestId();
    const refusal = badRequest('The request is not valid HTTP.');
    const body = status === 400 ? JSON.stringify(errorEnvelope(refusal, baseUrl(), requestId)) : '';
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `X-Request-Id: ${requestId}`,
      'X-Credits-Used: 0',
      ...(body === '' ? [] : ['Content-Type: application/json; charset=utf-8']),
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
  return server;
}

/** What Node itself answers to these. */
const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

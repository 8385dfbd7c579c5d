import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERRORS, type ErrorCode } from '../../calls/api-errors.ts';
import { hasBody } from '../requests/json-body.ts';
import { closeStalledResponses, createStallTracker, enforceBodyTimeout } from './connection-timeouts.ts';
import { createRawErrorResponses } from './raw-error-responses.ts';

/**
 * How long an idle connection stays open: longer than proxies (60 s) and clients keep theirs. The other side must close
 * first, since a request sent while the server closes would be lost.
 */
const KEEP_ALIVE_MS = 72_000;

/** Times in milliseconds. */
export interface ConnectionLimits {
  /** For the complete headers, from their first byte or from the opening of the connection. */
  readonly headMs: number;
  /** For the complete body, from the headers on. */
  readonly bodyMs: number;
  /** For an answer that makes no progress. */
  readonly answerMs: number;
  /** Maximum of open connections; further ones are closed. */
  readonly connections: number;
  /** Called from time to time with the number of connections closed by this limit. */
  readonly onRefused: (connections: number) => void;
}

const LIMITS: ConnectionLimits = {
  headMs: 15_000,
  bodyMs: 60_000,
  answerMs: 60_000,
  connections: Number.POSITIVE_INFINITY,
  onRefused() {},
};
/** Node checks for late heads and bodies this often, also while there is no connection. */
const CHECK_INTERVAL_MS = 5000;

/** An HTTP server that answers even invalid HTTP with an error envelope. It does not listen yet. */
export function createHttpServer(
  listener: RequestListener,
  baseUrl: () => string,
  newRequestId: () => string,
  limits: Partial<ConnectionLimits> = {},
): Server {
  const { headMs, bodyMs, answerMs, connections, onRefused } = { ...LIMITS, ...limits };
  const rawErrors = createRawErrorResponses({ baseUrl, newRequestId });
  const options = {
    // Node's own answer to a request without `Host` has no body.
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, headMs),
  };
  const server: Server & { httpAllowHalfOpen?: boolean } = createServer(options, (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      return rawErrors.refuse(request, response, 'bad_request', 'A Host header is required.');
    }
    if (hasBody(request)) enforceBodyTimeout(request, bodyMs, time, () => rawErrors.close(request.socket, ...LATE));
    return listener(request, response);
  });
  const time = createStallTracker(server, Math.max(headMs + bodyMs, answerMs));
  // A client may end its side once it has asked. Node would take it for gone, and drop the answer.
  server.httpAllowHalfOpen = true;
  server.on('checkExpectation', (request, response) =>
    rawErrors.refuse(request, response, 'expectation_failed', 'The server knows no expectation but 100-continue.'),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, connection: Duplex) => {
    if (error.code === 'ECONNRESET') connection.destroy();
    else rawErrors.close(connection, ...(REFUSALS[error.code ?? ''] ?? NO_HTTP));
  });
  // Node reads these on each check for late requests. It has no timeout for the body alone.
  Object.defineProperty(server, 'headersTimeout', { get: () => headMs + time.stalledMs() });
  Object.defineProperty(server, 'requestTimeout', { get: () => headMs + bodyMs + time.stalledMs() });
  closeStalledResponses(server, answerMs, time);
  if (Number.isFinite(connections)) limitConnections(server, connections, onRefused);
  return server;
}

type Refusal = readonly [code: ErrorCode, message: string];
const LATE: Refusal = ['request_timeout', ERRORS.request_timeout.means];
const NO_HTTP: Refusal = ['bad_request', 'The request is not valid HTTP.'];

/** Node itself would answer these with a bare status. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', ERRORS.headers_too_large.means],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'payload_too_large',
    'The extensions of the chunks are larger than the server takes.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: LATE,
};

/** Interval of the reports. */
const REPORT_INTERVAL_MS = 10_000;

/**
 * Closes connections beyond the maximum, and reports them from time to time. Without a maximum the process could run
 * out of file descriptors: connections would be lost silently, and files could not be opened.
 * @param report gets the number of connections closed since its last call
 */
function limitConnections(
  server: Server,
  connections: number,
  report: (closed: number) => void,
  milliseconds = REPORT_INTERVAL_MS,
): void {
  server.maxConnections = connections;
  let closed = 0;
  let timer: NodeJS.Timeout | undefined;
  const reportClosed = () => {
    timer = undefined;
    if (closed === 0) return;
    report(closed);
    closed = 0;
    timer = setTimeout(reportClosed, milliseconds);
    timer.unref();
  };
  server.on('drop', () => {
    closed++;
    if (!timer) reportClosed();
  });
  server.once('close', () => clearTimeout(timer));
}

import { Agent, request as ask, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { badRequest, notFound } from '../../api/calls/api-errors.ts';
import { createClientAddressReader } from '../../api/http/requests/client-address.ts';
import type { Responder } from '../../api/http/responder.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { METRICS_PATH } from '../metrics/metrics-route.ts';
import type { Backend, Backends } from './backends.ts';

interface LoadBalancerParts {
  readonly backends: Pick<Backends, 'inTurn' | 'lost'>;
  readonly responder: Responder;
  /** Ranges of proxies that stand before the front. */
  readonly trustProxy: readonly string[];
  /** So long a process may send nothing once it has the whole request; milliseconds, default 30 s. */
  readonly silenceMs?: number;
}

interface LoadBalancer {
  readonly listener: RequestListener;
  /** Cuts what is still open. */
  close(): void;
}

const SILENCE_MS = 30_000;
const CONNECT_MS = 1000;
const RETRY_AFTER = 1;

/** Of one connection, and of nobody behind it. `Expect` was answered when the body came. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
]);
const FORWARDED = 'x-forwarded-for';

/**
 * Hands each request to a process that plays the role for it. One that cannot be connected to is passed over; a request
 * that one has begun to receive is never repeated: it may have been charged.
 */
export function createLoadBalancer({
  backends,
  responder,
  trustProxy,
  silenceMs = SILENCE_MS,
}: LoadBalancerParts): LoadBalancer {
  const agent = new Agent({ keepAlive: true });
  const callerOf = createClientAddressReader(trustProxy);

  const listener: RequestListener = (request, response) => {
    const path = pathOf(request.url ?? '/');
    const requestId = responder.requestId(request);
    const refuse = (error: unknown, hasNoCredits = false) =>
      responder.sendError(response, error, { requestId, hasNoCredits });
    if (path === METRICS_PATH) return refuse(notFound('There is nothing at this path.'));
    const left = backends.inTurn(path.startsWith('/ingest/') ? 'ingest' : 'api');
    const headers = headersFor(request, callerOf(request), requestId);

    const next = (): void => {
      const backend = left.shift();
      if (backend) forward(backend);
      else refuse(new UnavailableError('No process is there to answer. Try again in a moment.', RETRY_AFTER));
    };

    function forward(backend: Backend): void {
      const { method, url: target } = request;
      const upstream = ask({ host: '127.0.0.1', port: backend.port, method, path: target, headers, agent });
      const leave = (): void => void upstream.destroy();
      let hasBegun = false;
      let hasAnswered = false;
      response.once('close', leave);

      upstream.once('socket', (socket) => {
        if (!socket.connecting) return begin();
        const late = setTimeout(() => socket.destroy(new Error('connecting took too long')), CONNECT_MS);
        socket.once('close', () => clearTimeout(late));
        socket.once('connect', () => {
          clearTimeout(late);
          begin();
        });
      });
      function begin(): void {
        hasBegun = true;
        request.pipe(upstream);
      }
      upstream.setTimeout(silenceMs, () => {
        // The client is waited for in these.
        if (request.complete && !response.writableNeedDrain) upstream.destroy(new Error('the process is silent'));
      });
      upstream.once('response', (answer) => {
        hasAnswered = true;
        pass(answer, response);
      });
      upstream.on('error', () => {
        request.unpipe(upstream);
        if (response.destroyed || hasAnswered) return;
        response.off('close', leave);
        if (hasBegun) {
          refuse(new UnavailableError('The process that had the request has ended, or is silent.', RETRY_AFTER), true);
          return;
        }
        backends.lost(backend);
        next();
      });
    }

    try {
      next();
    } catch (error) {
      // What Node takes from a client and would not send itself.
      refuse(
        (error as NodeJS.ErrnoException).code?.startsWith('ERR_') ? badRequest('The target is malformed.') : error,
      );
    }
  };
  return { listener, close: () => agent.destroy() };
}

/** Of a target such as `/v1/events?limit=5` or `http://host/v1/events`, what routes are found by. */
function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  const path = (end < 0 ? target : target.slice(0, end)).replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  return path === '' ? '/' : path;
}

/** Names and values in turn. The host is the client's, since pages ask whether it is theirs. */
function headersFor(request: IncomingMessage, caller: string, requestId: string): string[] {
  const headers = endToEnd(request, [FORWARDED, 'x-request-id']);
  headers.push('X-Forwarded-For', caller, 'X-Request-Id', requestId);
  // A body whose length nobody told goes on as it came.
  if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  return headers;
}

/** The headers that are meant for the other end: names and values in turn. */
function endToEnd({ rawHeaders, headers }: IncomingMessage, others: readonly string[] = []): string[] {
  const named = String(headers.connection ?? '').toLowerCase();
  const left = new Set([...others, ...named.split(',').map((name) => name.trim())]);
  const passed: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (!HOP_BY_HOP.has(name) && !left.has(name)) passed.push(rawHeaders[index]!, rawHeaders[index + 1]!);
  }
  return passed;
}

/** An answer that breaks off ends the connection: nothing else tells the client. */
function pass(answer: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  response.writeHead(answer.statusCode!, answer.statusMessage, endToEnd(answer));
  // A stream says nothing for a while.
  response.flushHeaders();
  pipeline(answer, response, () => {});
}

import { Agent, request as ask, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { badRequest, notFound } from '../../api/calls/api-errors.ts';
import { createClientAddressReader } from '../../api/http/requests/client-address.ts';
import type { Responder } from '../../api/http/responder.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { METRICS_PATH } from '../metrics/metrics-route.ts';
import type { Backend, Backends } from './backends.ts';

interface LoadBalancerParts {
  readonly backends: Pick<Backends, 'inTurn' | 'lives' | 'lost'>;
  readonly responder: Responder;
  /** Address ranges of proxies in front of the load balancer. */
  readonly trustProxy: readonly string[];
  /**
   * How long a process may stay silent after it has the whole request; one that lives ten times as long with facts, for
   * 16 MiB of them take a while. Milliseconds, default 30 s.
   */
  readonly silenceMs?: number;
}

interface LoadBalancer {
  readonly listener: RequestListener;
  /** Closes open connections. */
  close(): void;
}

const SILENCE_MS = 30_000;
/** So many times in turn a living process that takes facts may be silent. */
const MAX_SILENCES = 10;
const CONNECT_MS = 1000;
const RETRY_AFTER = 1;

/** Hop-by-hop headers, which belong to one connection. `Expect` was answered when the body came. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
]);
const FORWARDED = 'x-forwarded-for';

/**
 * Sends each request to a process with the right role. Skips a process that cannot be reached. Never repeats a request that a
 * process has begun to receive, since it may have been charged.
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
      let silences = 0;
      const onSilence = (): void => {
        // Statuses during which the client is still sending.
        if (!request.complete || response.writableNeedDrain) return;
        const mayTakeLong = backend.role === 'ingest' && ++silences < MAX_SILENCES && backends.lives(backend);
        if (!mayTakeLong) upstream.destroy(new Error('the process is silent'));
        // The request tells of its time limit only once.
        else upstream.socket?.setTimeout(silenceMs).once('timeout', onSilence);
      };
      upstream.setTimeout(silenceMs, onSilence);
      upstream.once('close', () => upstream.socket?.off('timeout', onSilence));
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
      // A request that Node accepts from a client and refuses to send.
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

/** Header names and values in turn. `Host` stays the client's, since pages check it. */
function headersFor(request: IncomingMessage, caller: string, requestId: string): string[] {
  const headers = endToEnd(request, [FORWARDED, 'x-request-id']);
  headers.push('X-Forwarded-For', caller, 'X-Request-Id', requestId);
  // A body of unknown length is forwarded as it came.
  if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  return headers;
}

/** The end-to-end headers: names and values in turn. */
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

/** An aborted answer closes the connection, since the client has no other sign. */
function pass(answer: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  response.writeHead(answer.statusCode!, answer.statusMessage, endToEnd(answer));
  // A stream may be silent for a while.
  response.flushHeaders();
  pipeline(answer, response, () => {});
}

import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { parseRetryAfter } from '../../platform/async/retry-after.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { CheckedAddress, CheckedLookup } from './checked-lookup.ts';
import type { ConnectionPool, ConnectionPools } from './connection-pools.ts';
import { classifyFailure, type DeliveryOutcome, failedDelivery } from './delivery-outcome.ts';
import type { WebhookUrl } from './webhook-url.ts';

interface WebhookRequestParts {
  readonly lookUp: CheckedLookup;
  readonly pools: ConnectionPools;
  readonly deadlineMs: number;
  readonly setTimer: SetTimer;
  readonly now: () => number;
}

interface WebhookRequest {
  readonly url: WebhookUrl;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Looks up, checks and POSTs, within one deadline.
 * @param settle called once
 * @returns a function that aborts the request with a given outcome
 */
export function startWebhookRequest(
  { lookUp, pools, deadlineMs, setTimer, now }: WebhookRequestParts,
  { url, headers, body }: WebhookRequest,
  settle: (outcome: DeliveryOutcome) => void,
): (outcome: DeliveryOutcome) => void {
  let over = false;
  let stopExchange = (): void => {};

  function finish(outcome: DeliveryOutcome): void {
    if (over) return;
    over = true;
    cancelTimer();
    settle(outcome);
  }
  function breakOff(outcome: DeliveryOutcome): void {
    finish(outcome);
    stopExchange();
  }
  const cancelTimer = setTimer(
    () => breakOff(failedDelivery('timeout', `${url.endpoint}: no complete answer within ${deadlineMs / 1000} s`)),
    deadlineMs,
  );

  function send(addresses: readonly CheckedAddress[], pool: ConnectionPool): void {
    if (over) {
      pools.release(pool);
      return;
    }
    stopExchange = startExchange({
      url,
      agent: pool.agent,
      headers,
      body,
      now,
      onSocketOpened: (socket) => pools.trackSocket(pool, socket),
      onDone(outcome, stale) {
        pools.release(pool);
        if (stale && !over) sendAfresh(addresses);
        else finish(outcome);
      },
    });
  }

  /**
   * Servers close idle connections, sometimes just when one is reused. Then the request is sent once more, over a new
   * connection. The server may have taken the first request too: `webhook-id` tells the receiver.
   */
  function sendAfresh(addresses: readonly CheckedAddress[]): void {
    const agent = pools.createSingleUseAgent(url, addresses);
    stopExchange = startExchange({ url, agent, headers, body, now, onSocketOpened() {}, onDone: finish });
  }

  lookUp(url).then((found) => {
    if ('error' in found) finish(failedDelivery(found.error, found.message));
    else pools.acquire(url, found.addresses, (pool) => send(found.addresses, pool));
  });
  return breakOff;
}

/** Maximum bytes read of an answer; beyond it the connection is closed. */
const MAX_RESPONSE_BYTES = 64 * 1024;
const TOO_MANY_REQUESTS = 429;

interface HttpExchange {
  readonly url: WebhookUrl;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly now: () => number;
  /** A connection was opened for the exchange. */
  readonly onSocketOpened: (socket: Socket) => void;
  /**
   * Called once.
   * @param stale a reused connection was closed before any answer came
   */
  readonly onDone: (outcome: DeliveryOutcome, stale: boolean) => void;
}

/**
 * POSTs once, over the agent's connection. A redirect is an ordinary answer.
 * @returns a function that aborts the exchange
 */
function startExchange(exchange: HttpExchange): () => void {
  const { url, onDone } = exchange;
  let request: ClientRequest;
  try {
    request = createClientRequest(exchange);
  } catch (error) {
    // For example a header that HTTP cannot carry.
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    onDone(failedDelivery('not_sent', `${url.endpoint}: the request cannot be made (${code})`), false);
    return () => {};
  }
  followExchange(request, exchange);
  request.end(exchange.body);
  return () => request.destroy();
}

function createClientRequest({ url, agent, headers, body }: HttpExchange): ClientRequest {
  return (url.isSecure ? httpsRequest : httpRequest)({
    agent,
    host: url.hostname,
    port: url.port,
    path: url.path,
    method: 'POST',
    headers: { ...headers, 'Content-Length': body.byteLength },
    // The agent's timeout is for idle connections.
    timeout: 0,
  });
}

function followExchange(request: ClientRequest, { url, now, onSocketOpened, onDone }: HttpExchange): void {
  let over = false;
  let answering = false;

  function end(outcome: DeliveryOutcome, stale = false): void {
    if (over) return;
    over = true;
    onDone(outcome, stale);
  }

  function fail(error: NodeJS.ErrnoException): void {
    if (over) return;
    const outcome = classifyFailure(error, url.endpoint, url.isSecure);
    const lost = outcome.kind === 'failed' && outcome.error === 'connection_reset';
    end(outcome, lost && request.reusedSocket && !answering);
  }

  request.on('socket', (socket) => {
    if (!request.reusedSocket) onSocketOpened(socket);
  });
  request.on('response', (response: IncomingMessage) => {
    answering = true;
    const retryAfter = parseRetryAfter(response.headers['retry-after'], now());
    const status = response.statusCode ?? 0;
    const answered: DeliveryOutcome = { kind: 'answered', status, ...(retryAfter !== undefined && { retryAfter }) };
    let bytes = 0;
    const chunks: Buffer[] = [];
    const saysWait = status === TOO_MANY_REQUESTS && /\bjson\b/i.test(response.headers['content-type'] ?? '');
    const complete = (): DeliveryOutcome =>
      saysWait ? { ...answered, body: Buffer.concat(chunks).toString() } : answered;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (saysWait && bytes <= MAX_RESPONSE_BYTES) chunks.push(chunk);
      if (bytes <= MAX_RESPONSE_BYTES) return;
      end(answered);
      request.destroy();
    });
    response.on('end', () => {
      end(complete());
      // The endpoint answered before it read the whole body. Without this the connection would wait for the rest for
      // ever.
      if (!request.writableFinished) request.destroy();
    });
    response.on('error', fail);
  });
  request.on('error', fail);
  // Any other end, such as an unrequested protocol upgrade.
  request.on('close', () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
}

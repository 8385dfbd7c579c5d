import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { retryAfterSeconds } from '../platform/time/retry-after.ts';
import { failed, failureOf, type Outcome } from './outcome.ts';
import type { WebhookUrl } from './webhook-url.ts';

/** Bytes of an answer that are read; with the next one the connection is closed. */
const MAX_ANSWER = 64 * 1024;

export interface Exchange {
  readonly url: WebhookUrl;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly now: () => number;
  /** A connection was opened for it. */
  readonly opened: (socket: Socket) => void;
  /** Called once. @param stale a kept connection turned out closed before anything came back */
  readonly done: (outcome: Outcome, stale: boolean) => void;
}

/** POSTs once, over whatever connection the agent gives. Redirects are answers like others. @returns breaks it off */
export function startExchange(exchange: Exchange): () => void {
  const { url, done } = exchange;
  let request: ClientRequest;
  try {
    request = newRequest(exchange);
  } catch (error) {
    // Such as a header that HTTP cannot carry.
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    done(failed('not_sent', `${url.endpoint}: the request cannot be made (${code})`), false);
    return () => {};
  }
  follow(request, exchange);
  request.end(exchange.body);
  return () => request.destroy();
}

function newRequest({ url, agent, headers, body }: Exchange): ClientRequest {
  return (url.secure ? httpsRequest : httpRequest)({
    agent,
    host: url.hostname,
    port: url.port,
    path: url.path,
    method: 'POST',
    headers: { ...headers, 'Content-Length': body.byteLength },
    // The agent's own is for unused connections.
    timeout: 0,
  });
}

function follow(request: ClientRequest, { url, now, opened, done }: Exchange): void {
  let over = false;
  let answering = false;

  function end(outcome: Outcome, stale = false): void {
    if (over) return;
    over = true;
    done(outcome, stale);
  }

  function fail(error: NodeJS.ErrnoException): void {
    if (over) return;
    const outcome = failureOf(error, url.endpoint, url.secure);
    const lost = outcome.kind === 'failed' && outcome.error === 'connection_reset';
    end(outcome, lost && request.reusedSocket && !answering);
  }

  request.on('socket', (socket) => {
    if (!request.reusedSocket) opened(socket);
  });
  request.on('response', (response: IncomingMessage) => {
    answering = true;
    const retryAfter = retryAfterSeconds(response.headers['retry-after'], now());
    const status = response.statusCode ?? 0;
    const answered: Outcome = { kind: 'answered', status, ...(retryAfter !== undefined && { retryAfter }) };
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_ANSWER) return;
      end(answered);
      request.destroy();
    });
    response.on('end', () => {
      end(answered);
      // Answered before all of the body was taken: the connection would wait for the rest for ever.
      if (!request.writableFinished) request.destroy();
    });
    response.on('error', fail);
  });
  request.on('error', fail);
  // Whatever else ends it, such as a change of protocols that was not asked for.
  request.on('close', () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
}

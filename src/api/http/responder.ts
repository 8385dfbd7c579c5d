import type { IncomingMessage, ServerResponse } from 'node:http';
import { Unavailable } from '../../domain/unavailable.ts';
import { type AnswerFacts, type Answering, factsOf } from '../calls/answer-facts.ts';
import { BROKEN_OFF, BrokenOff } from '../calls/broken-off.ts';
import { ApiError, type ErrorEnvelope, errorEnvelope } from '../calls/errors.ts';
import { type EntityTag, passingEntityTag } from '../calls/etag.ts';
import { holdsKey } from '../calls/keys-in-text.ts';
import type { KeylessLimits } from './keyless-limits.ts';

/** Where unexpected errors are told. */
export interface ErrorLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface ResponderParts {
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  readonly log: ErrorLog;
  readonly newRequestId: () => string;
  /** Of the pages without a key; without it their tags hold as long as this process. */
  readonly entityTag?: EntityTag | undefined;
  /** Whether the demo feeds the server. */
  readonly simulated?: () => boolean;
  /** How old documents are, in whole seconds, where they are older than usual; absent: they never are. */
  readonly staleSeconds?: (() => number | undefined) | undefined;
  /** Counts a request whose key nobody knows; what it is refused with in the place of that, where there were too many. */
  readonly wrongKey?: KeylessLimits['wrongKey'] | undefined;
}

/** What an answer's headers tell beside its status. */
export interface Facts extends Answering {
  /** Of a way out that knows no credits: nothing is said of them. */
  readonly hasNoCredits?: boolean | undefined;
  /** Of this way out only: names and values in turn. */
  readonly headers?: readonly string[] | undefined;
}

export interface ToldError {
  readonly envelope: ErrorEnvelope;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** Writes every answer of the server: one place for the headers that all of them carry. */
export interface Responder {
  /** The client's own id where it is well-formed, else a new one. */
  requestId(request: IncomingMessage): string;
  readonly entityTag: EntityTag;
  /** The headers that every answer carries, for ways out that write by themselves. */
  headers(facts: Facts): string[];
  send(response: ServerResponse, status: number, type: string, body: string, facts: Facts): void;
  /** JSON whose UTF-8 is given as text, each byte a character. */
  sendBytes(response: ServerResponse, status: number, bytes: string, facts: Facts): void;
  sendJson(response: ServerResponse, status: number, value: unknown, facts: Facts): void;
  /** No body. */
  sendEmpty(response: ServerResponse, status: 202 | 204 | 304, facts: Facts): void;
  /** What a client is told of an error, and the headers that say so too. What is no ApiError is logged, and the client
   *  learns nothing of it. */
  tell(response: ServerResponse, error: unknown, facts: Facts): ToldError;
  /** The same where no connection waits for it: nobody is counted for a wrong key. */
  told(error: unknown, facts: Facts): ToldError;
  /** The envelope of what `tell` says. */
  sendError(response: ServerResponse, error: unknown, facts: Facts): void;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/;

export function requestIdOf({ headers }: IncomingMessage, newRequestId: () => string): string {
  const given = headers['x-request-id'];
  // It is stored and logged: a key has no business in it.
  return typeof given === 'string' && REQUEST_ID.test(given) && !holdsKey(given) ? given : newRequestId();
}

export function createResponder(parts: ResponderParts): Responder {
  const { baseUrl, log, newRequestId, entityTag = passingEntityTag(), simulated, staleSeconds, wrongKey } = parts;

  function headers(facts: Facts): string[] {
    const all = factHeaders(factsOf(facts, simulated?.() ?? false), facts.hasNoCredits);
    const stale = facts.call && staleSeconds?.();
    if (stale !== undefined) all.push('X-Stale-Seconds', String(stale));
    if (facts.headers) all.push(...facts.headers);
    return all;
  }

  function send(response: ServerResponse, status: number, type: string, body: string, facts: Facts): void {
    const all = headers(facts);
    if (type === JSON_TYPE) addNoSniffing(all);
    all.push('Content-Type', type, 'Content-Length', String(Buffer.byteLength(body)));
    response.writeHead(status, all).end(body);
  }

  const sendJson: Responder['sendJson'] = (response, status, value, facts) =>
    send(response, status, JSON_TYPE, JSON.stringify(value), facts);

  const tell: Responder['tell'] = (response, error, facts) => {
    const told = toldOf(error);
    return tellAs((told.code === 'unauthorized' && wrongKey?.(response.req)) || told, error, facts);
  };

  function tellAs(known: ApiError, error: unknown, { requestId, call, headers: own = [] }: Facts): ToldError {
    if (known.code === 'internal_error' && known !== error) {
      log.error({ err: error, request_id: requestId, operation: call?.operation }, 'a request failed');
    }
    const all = [...own, 'Cache-Control', 'no-store', ...headersOf(known)];
    return { envelope: errorEnvelope(known, baseUrl(), requestId), headers: all };
  }

  return {
    requestId: (request) => requestIdOf(request, newRequestId),
    entityTag,
    headers,
    send,
    sendBytes(response, status, bytes, facts) {
      const all = headers(facts);
      addNoSniffing(all);
      all.push('Content-Type', JSON_TYPE, 'Content-Length', String(bytes.length));
      response.writeHead(status, all).end(bytes, 'latin1');
    },
    sendJson,
    sendEmpty(response, status, facts) {
      const all = headers(facts);
      // The others have none by their status.
      if (status === 202) all.push('Content-Length', '0');
      response.writeHead(status, all).end();
    },
    tell,
    told: (error, facts) => tellAs(toldOf(error), error, facts),
    sendError(response, error, facts) {
      if (error instanceof BrokenOff) {
        response.statusCode = BROKEN_OFF;
        response.destroy();
        return;
      }
      const { envelope, headers: told } = tell(response, error, facts);
      if (response.headersSent) {
        // Part of another answer is out: only the end of the connection can tell that the rest will not come.
        response.destroy();
        return;
      }
      sendJson(response, envelope.error.status, envelope, { ...facts, credits: 0, headers: told });
    },
  };
}

/** The facts of an answer as HTTP tells them: names and values in turn. */
export function factHeaders(facts: AnswerFacts, hasNoCredits = false): string[] {
  const { requestId, credits, creditsRemaining, window, isRepeated, isSimulated } = facts;
  const all = ['X-Request-Id', requestId];
  if (!hasNoCredits) all.push('X-Credits-Used', String(credits));
  if (window) {
    all.push('X-RateLimit-Limit', String(window.limit), 'X-RateLimit-Remaining', String(window.remaining));
    all.push('X-RateLimit-Reset', String(Math.ceil(window.resetAt / 1000)));
  }
  if (creditsRemaining !== undefined) all.push('X-Credits-Remaining', String(creditsRemaining));
  if (isSimulated) all.push('X-Simulated', 'true');
  if (isRepeated) all.push('Idempotency-Replayed', 'true');
  return all;
}

/** A browser that guesses types could take JSON for a page. Some ways out say so of all that they send. */
function addNoSniffing(headers: string[]): void {
  if (!headers.includes('X-Content-Type-Options')) headers.push('X-Content-Type-Options', 'nosniff');
}

function toldOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Unavailable) {
    return new ApiError('service_unavailable', error.message, { retry_after: error.retryAfter });
  }
  return internalError();
}

const internalError = (): ApiError => new ApiError('internal_error', 'The server failed to answer this request.');

function headersOf(error: ApiError): string[] {
  if (error.code === 'unauthorized') return ['WWW-Authenticate', 'Bearer'];
  const { retry_after } = error.extras as { readonly retry_after?: number };
  return retry_after === undefined ? [] : ['Retry-After', String(retry_after)];
}

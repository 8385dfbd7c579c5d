import type { IncomingMessage, ServerResponse } from 'node:http';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { createEphemeralEntityTagger, type EntityTagger } from '../calls/answer-cache/entity-tag.ts';
import {
  ApiError,
  CallAborted,
  CLIENT_CLOSED_REQUEST,
  type ErrorEnvelope,
  errorEnvelope,
} from '../calls/api-errors.ts';
import type { Call, RequestWindow } from '../calls/pipeline/admission.ts';
import { containsApiKey } from '../calls/redact-keys.ts';
import type { UnauthenticatedLimits } from './requests/unauthenticated-limits.ts';

/** Where unexpected errors are told. */
interface ErrorLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

interface ResponderParts {
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  readonly log: ErrorLog;
  readonly newRequestId: () => string;
  /** Of the pages without a key; without it their tags hold as long as this process. */
  readonly entityTag?: EntityTagger | undefined;
  /** Whether the demo feeds the server. */
  readonly isSimulated?: () => boolean;
  /** How old documents are, in whole seconds, where they are older than usual; absent: they never are. */
  readonly staleSeconds?: (() => number | undefined) | undefined;
  /** Counts a request whose key nobody knows; what it is refused with in the place of that, where there were too many. */
  readonly countWrongKey?: UnauthenticatedLimits['countWrongKey'] | undefined;
}

/** What an answer's headers tell beside its status. */
export interface ResponseFacts extends AnswerDetails {
  /** Of a way out that knows no credits: nothing is said of them. */
  readonly hasNoCredits?: boolean | undefined;
  /** Of this way out only: names and values in turn. */
  readonly headers?: readonly string[] | undefined;
}

interface DescribedError {
  readonly envelope: ErrorEnvelope;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** Writes every answer of the server: one place for the headers that all of them carry. */
export interface Responder {
  /** The client's own id where it is well-formed, else a new one. */
  requestId(request: IncomingMessage): string;
  readonly entityTag: EntityTagger;
  /** The headers that every answer carries, for ways out that write by themselves. */
  headers(facts: ResponseFacts): string[];
  send(response: ServerResponse, status: number, type: string, body: string, facts: ResponseFacts): void;
  /** JSON whose UTF-8 is given as text, each byte a character. */
  sendBytes(response: ServerResponse, status: number, bytes: string, facts: ResponseFacts): void;
  sendJson(response: ServerResponse, status: number, value: unknown, facts: ResponseFacts): void;
  /** No body. */
  sendEmpty(response: ServerResponse, status: 202 | 204 | 304, facts: ResponseFacts): void;
  /** What a client is told of an error, and the headers that say so too. What is no ApiError is logged, and the client
   *  learns nothing of it. */
  describeError(response: ServerResponse, error: unknown, facts: ResponseFacts): DescribedError;
  /** The same where no connection waits for it: nobody is counted for a wrong key. */
  describeErrorUncounted(error: unknown, facts: ResponseFacts): DescribedError;
  /** The envelope of what `tell` says. */
  sendError(response: ServerResponse, error: unknown, facts: ResponseFacts): void;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/;

export function requestIdOf({ headers }: IncomingMessage, newRequestId: () => string): string {
  const given = headers['x-request-id'];
  // It is stored and logged: a key has no business in it.
  return typeof given === 'string' && REQUEST_ID.test(given) && !containsApiKey(given) ? given : newRequestId();
}

export function createResponder(parts: ResponderParts): Responder {
  const {
    baseUrl,
    log,
    newRequestId,
    entityTag = createEphemeralEntityTagger(),
    isSimulated,
    staleSeconds,
    countWrongKey,
  } = parts;

  function headers(facts: ResponseFacts): string[] {
    const all = factHeaders(answerFactsOf(facts, isSimulated?.() ?? false), facts.hasNoCredits);
    const stale = facts.call && staleSeconds?.();
    if (stale !== undefined) all.push('X-Stale-Seconds', String(stale));
    if (facts.headers) all.push(...facts.headers);
    return all;
  }

  function send(response: ServerResponse, status: number, type: string, body: string, facts: ResponseFacts): void {
    const all = headers(facts);
    if (type === JSON_TYPE) addNoSniffing(all);
    all.push('Content-Type', type, 'Content-Length', String(Buffer.byteLength(body)));
    response.writeHead(status, all).end(body);
  }

  const sendJson: Responder['sendJson'] = (response, status, value, facts) =>
    send(response, status, JSON_TYPE, JSON.stringify(value), facts);

  const describeError: Responder['describeError'] = (response, error, facts) => {
    const told = toApiError(error);
    return tellAs((told.code === 'unauthorized' && countWrongKey?.(response.req)) || told, error, facts);
  };

  function tellAs(
    known: ApiError,
    error: unknown,
    { requestId, call, headers: own = [] }: ResponseFacts,
  ): DescribedError {
    if (known.code === 'internal_error' && known !== error) {
      log.error({ err: error, request_id: requestId, operation: call?.operation }, 'a request failed');
    }
    const all = [...own, 'Cache-Control', 'no-store', ...errorHeaders(known)];
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
    describeError,
    describeErrorUncounted: (error, facts) => tellAs(toApiError(error), error, facts),
    sendError(response, error, facts) {
      if (error instanceof CallAborted) {
        response.statusCode = CLIENT_CLOSED_REQUEST;
        response.destroy();
        return;
      }
      const { envelope, headers: told } = describeError(response, error, facts);
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
  const { requestId, credits, creditsRemaining, window, isReplayed, isSimulated } = facts;
  const all = ['X-Request-Id', requestId];
  if (!hasNoCredits) all.push('X-Credits-Used', String(credits));
  if (window) {
    all.push('X-RateLimit-Limit', String(window.limit), 'X-RateLimit-Remaining', String(window.remaining));
    all.push('X-RateLimit-Reset', String(Math.ceil(window.resetAt / 1000)));
  }
  if (creditsRemaining !== undefined) all.push('X-Credits-Remaining', String(creditsRemaining));
  if (isSimulated) all.push('X-Simulated', 'true');
  if (isReplayed) all.push('Idempotency-Replayed', 'true');
  return all;
}

/** A browser that guesses types could take JSON for a page. Some ways out say so of all that they send. */
function addNoSniffing(headers: string[]): void {
  if (!headers.includes('X-Content-Type-Options')) headers.push('X-Content-Type-Options', 'nosniff');
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof UnavailableError) {
    return new ApiError('service_unavailable', error.message, { retry_after: error.retryAfter });
  }
  return internalError();
}

const internalError = (): ApiError => new ApiError('internal_error', 'The server failed to answer this request.');

function errorHeaders(error: ApiError): string[] {
  if (error.code === 'unauthorized') return ['WWW-Authenticate', 'Bearer'];
  const { retry_after } = error.extras as { readonly retry_after?: number };
  return retry_after === undefined ? [] : ['Retry-After', String(retry_after)];
}

/** What every answer tells beside itself: REST says it in headers, MCP in `_meta`. */
interface AnswerFacts {
  readonly requestId: string;
  /** What this call has cost. */
  readonly credits: number;
  /** Where credits have a limit. */
  readonly creditsRemaining: number | undefined;
  /** Where a limit of requests holds. */
  readonly window: RequestWindow | undefined;
  /** It is the answer to an earlier call with the same `Idempotency-Key`. */
  readonly isReplayed: boolean;
  /** The demo feeds the server. */
  readonly isSimulated: boolean;
}

/** What a way out knows of an answer. */
interface AnswerDetails {
  readonly requestId: string;
  /** Where the caller is known. */
  readonly call?: Call | undefined;
  /** Default 0. */
  readonly credits?: number | undefined;
  /** Of a caller without a key, where a limit of its own holds; else the call tells. */
  readonly window?: RequestWindow | undefined;
  readonly isReplayed?: boolean | undefined;
}

export const answerFactsOf = (
  { requestId, call, credits = 0, window = call?.window, isReplayed = false }: AnswerDetails,
  isSimulated: boolean,
): AnswerFacts => ({
  requestId,
  credits,
  creditsRemaining: call?.creditsRemaining,
  window,
  isReplayed,
  isSimulated,
});

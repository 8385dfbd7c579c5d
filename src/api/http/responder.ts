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
import { type AnswerFeedAge, type FeedAges, feedAgeOf, NO_FEEDS, type ReadEventLeague } from '../calls/feed-age.ts';
import type { Operation } from '../calls/operation/operation.ts';
import type { Call, RequestWindow } from '../calls/pipeline/admission.ts';
import { containsApiKey } from '../calls/redact-keys.ts';
import { requiresKey, type UnauthenticatedLimits } from './requests/unauthenticated-limits.ts';

/** The log for unexpected errors. */
interface ErrorLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

interface ResponderParts {
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  readonly log: ErrorLog;
  readonly newRequestId: () => string;
  /** For pages without an API key; without it their entity tags are valid for the lifetime of this process. */
  readonly entityTag?: EntityTagger | undefined;
  /** Whether the server shows simulated data of the demo. */
  readonly isSimulated?: () => boolean;
  /** Age of the read models in whole seconds, if they are older than usual; absent: they never are. */
  readonly staleSeconds?: (() => number | undefined) | undefined;
  /** How old the feeds are; absent: none is polled. */
  readonly feedAges?: FeedAges | undefined;
  /** Absent: events belong to no league that is polled. */
  readonly leagueOfEvent?: ReadEventLeague | undefined;
  /** Counts a request without a key that is known. Returns the error to send instead, if there were too many. */
  readonly countWrongKey?: UnauthenticatedLimits['countWrongKey'] | undefined;
}

/** What an answer's headers show, beside its status. */
export interface ResponseFacts extends AnswerDetails {
  /** True for endpoints without credits: then there is no header about them. */
  readonly hasNoCredits?: boolean | undefined;
  /** Extra headers: names and values in turn. */
  readonly headers?: readonly string[] | undefined;
}

interface DescribedError {
  readonly envelope: ErrorEnvelope;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** Writes every answer of the server, so that the common headers are made in one place. */
export interface Responder {
  /** The client's request id if it is well-formed, else a new one. */
  requestId(request: IncomingMessage): string;
  readonly entityTag: EntityTagger;
  /** The public address, without a slash at its end. */
  baseUrl(): string;
  /** How old the feeds of an answer are; undefined if it does not depend on feeds. */
  feedAge(
    operation: Pick<Operation, 'path' | 'feedLeagues'>,
    input: Readonly<Record<string, unknown>>,
  ): Promise<AnswerFeedAge | undefined>;
  /** The common headers, for endpoints that write the response themselves. */
  headers(facts: ResponseFacts): string[];
  send(response: ServerResponse, status: number, type: string, body: string | Buffer, facts: ResponseFacts): void;
  /** Sends JSON, or another type, given as UTF-8, each byte as one character. */
  sendBytes(response: ServerResponse, status: number, bytes: string, facts: ResponseFacts, type?: string): void;
  sendJson(response: ServerResponse, status: number, value: unknown, facts: ResponseFacts): void;
  /** Sends no body. */
  sendEmpty(response: ServerResponse, status: 202 | 204 | 304, facts: ResponseFacts): void;
  /**
   * The error body and headers for a client. An error that is not an ApiError is logged, and its details stay hidden
   * from the client.
   */
  describeError(response: ServerResponse, error: unknown, facts: ResponseFacts): DescribedError;
  /** The same for an error without a connection: a wrong key is not counted. */
  describeErrorUncounted(error: unknown, facts: ResponseFacts): DescribedError;
  /** Sends the error as `describeError` describes it. */
  sendError(response: ServerResponse, error: unknown, facts: ResponseFacts): void;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/;

export function requestIdOf({ headers }: IncomingMessage, newRequestId: () => string): string {
  const given = headers['x-request-id'];
  // The id is stored and logged, so it must not contain a key.
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
    feedAges = NO_FEEDS,
    leagueOfEvent = async () => undefined,
    countWrongKey,
  } = parts;

  function headers(facts: ResponseFacts): string[] {
    const all = factHeaders(answerFactsOf(facts, isSimulated?.() ?? false), facts.hasNoCredits);
    const stale = facts.call && staleSeconds?.();
    if (stale !== undefined) all.push('X-Stale-Seconds', String(stale));
    if (facts.headers) all.push(...facts.headers);
    return all;
  }

  function send(
    response: ServerResponse,
    status: number,
    type: string,
    body: string | Buffer,
    facts: ResponseFacts,
  ): void {
    const all = headers(facts);
    if (type === JSON_TYPE) addNoSniffing(all);
    all.push('Content-Type', type, 'Content-Length', String(Buffer.byteLength(body)));
    response.writeHead(status, all).end(body);
  }

  const sendJson: Responder['sendJson'] = (response, status, value, facts) =>
    send(response, status, JSON_TYPE, JSON.stringify(value), facts);

  const describeError: Responder['describeError'] = (response, error, facts) => {
    const apiError = toApiError(error);
    const isCounted = apiError.code === 'unauthorized' || (!facts.call && isRefusedUnknown(apiError, response.req));
    return describeAs((isCounted && countWrongKey?.(response.req)) || apiError, error, facts);
  };

  function describeAs(
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
    baseUrl,
    async feedAge(operation, input) {
      // An answer that was charged does not fail because its age is not known.
      return feedAgeOf(operation, input, feedAges, leagueOfEvent).catch(() => undefined);
    },
    headers,
    send,
    sendBytes(response, status, bytes, facts, type = JSON_TYPE) {
      const all = headers(facts);
      addNoSniffing(all);
      all.push('Content-Type', type, 'Content-Length', String(bytes.length));
      response.writeHead(status, all).end(bytes, 'latin1');
    },
    sendJson,
    sendEmpty(response, status, facts) {
      const all = headers(facts);
      // Other statuses have no body by definition.
      if (status === 202) all.push('Content-Length', '0');
      response.writeHead(status, all).end();
    },
    describeError,
    describeErrorUncounted: (error, facts) => describeAs(toApiError(error), error, facts),
    sendError(response, error, facts) {
      if (error instanceof CallAborted) {
        response.statusCode = CLIENT_CLOSED_REQUEST;
        response.destroy();
        return;
      }
      const { envelope, headers: extraHeaders } = describeError(response, error, facts);
      if (response.headersSent) {
        // A part of the answer was sent: only closing the connection can show that the rest will not come.
        response.destroy();
        return;
      }
      sendJson(response, envelope.error.status, envelope, { ...facts, credits: 0, headers: extraHeaders });
    },
  };
}

/** The facts of an answer as HTTP headers: names and values in turn. */
export function factHeaders(facts: AnswerFacts, hasNoCredits = false): string[] {
  const { requestId, credits, creditsRemaining, window, mergedInto, isReplayed, isSimulated } = facts;
  const all = ['X-Request-Id', requestId];
  if (!hasNoCredits) all.push('X-Credits-Used', String(credits));
  if (window) {
    all.push('X-RateLimit-Limit', String(window.limit), 'X-RateLimit-Remaining', String(window.remaining));
    all.push('X-RateLimit-Reset', String(Math.ceil(window.resetAt / 1000)));
  }
  if (creditsRemaining !== undefined) all.push('X-Credits-Remaining', String(creditsRemaining));
  all.push(...mergedIntoHeaders(mergedInto));
  if (isSimulated) all.push('X-Simulated', 'true');
  if (isReplayed) all.push('Idempotency-Replayed', 'true');
  return all;
}

/** The header that tells into which events others were merged that were asked for: name and value in turn. */
export const mergedIntoHeaders = (ids: readonly number[]): string[] =>
  ids.length > 0 ? ['X-Merged-Into', ids.join(', ')] : [];

/** The header that tells how old the feeds of an answer are: name and value in turn. */
export const feedAgeHeaders = (age: AnswerFeedAge | undefined): string[] =>
  age ? ['X-Feed-Stale-Seconds', String(age.seconds)] : [];

/** A browser that guesses types could take JSON for a page. Some endpoints set this header themselves. */
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

/** Refused before the caller was known, at a path that needs a key: such paths count nobody before they refuse. */
const isRefusedUnknown = ({ status }: ApiError, { url = '' }: IncomingMessage): boolean =>
  (status === 403 || status === 405) && requiresKey(url);

const internalError = (): ApiError => new ApiError('internal_error', 'The server failed to answer this request.');

function errorHeaders(error: ApiError): string[] {
  if (error.code === 'unauthorized') return ['WWW-Authenticate', 'Bearer'];
  const { retry_after } = error.extras as { readonly retry_after?: number };
  return retry_after === undefined ? [] : ['Retry-After', String(retry_after)];
}

/** Facts about every answer: REST sends them as headers, MCP in `_meta`. */
interface AnswerFacts {
  readonly requestId: string;
  /** Cost of this call. */
  readonly credits: number;
  /** Present if credits are limited. */
  readonly creditsRemaining: number | undefined;
  /** Present if a rate limit applies. */
  readonly window: RequestWindow | undefined;
  /** The events into which others were merged that the call named. */
  readonly mergedInto: readonly number[];
  /** The stored answer to an earlier call with the same `Idempotency-Key`. */
  readonly isReplayed: boolean;
  /** The server shows simulated data of the demo. */
  readonly isSimulated: boolean;
}

/** What an endpoint knows about its answer. */
interface AnswerDetails {
  readonly requestId: string;
  /** Present if the caller is known. */
  readonly call?: Call | undefined;
  /** Default 0. */
  readonly credits?: number | undefined;
  /** Of a limit without a key; default: that of the call. */
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
  mergedInto: call?.mergedInto ?? [],
  isReplayed,
  isSimulated,
});

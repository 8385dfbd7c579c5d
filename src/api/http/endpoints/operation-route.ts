import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, OperationQuery } from '../../calls/answer-cache/answer-cache.ts';
import { matchesIfNoneMatch } from '../../calls/answer-cache/entity-tag.ts';
import { ApiError } from '../../calls/api-errors.ts';
import type { Operation } from '../../calls/operation/operation.ts';
import { createInputReader, type InputReader } from '../../calls/operation/operation-input.ts';
import type { Call } from '../../calls/pipeline/admission.ts';
import type { AdmittedCall, IncomingCall, Pipeline } from '../../calls/pipeline/pipeline.ts';
import { isClientGone } from '../requests/client-disconnect.ts';
import { readBearerKey } from '../requests/credentials.ts';
import { readJsonBody, refuseLargeBody } from '../requests/json-body.ts';
import { readIdempotencyKey, readPosition } from '../requests/request-headers.ts';
import { feedAgeHeaders, type Responder } from '../responder.ts';
import { queryStringOf, type RoutedRequest, type RouteHandler } from '../routed-request.ts';

interface PreparedOperation {
  readonly operation: Operation;
  readonly input: InputReader;
  /** Present for operations that read. */
  readonly question: ReturnType<typeof createQueryCache> | undefined;
}

/** Authenticates a request without a key; undefined if it cannot. */
export type KeylessCaller = (request: IncomingMessage) => IncomingCall['caller'];

/**
 * The handler of one path, for all its operations.
 * @param keyless used if there is no `Authorization` header; absent: a key is required
 */
export function createOperationRoute(
  operations: readonly Operation[],
  pipeline: Pipeline,
  responder: Responder,
  keyless?: KeylessCaller,
): RouteHandler {
  const byMethod = new Map<string, PreparedOperation>();
  for (const operation of operations) {
    const input = createInputReader(operation);
    const isRead = operation.method === 'GET';
    const prepared = { operation, input, question: isRead ? createQueryCache(input) : undefined };
    byMethod.set(operation.method, prepared);
    if (isRead) byMethod.set('HEAD', prepared);
  }
  const allowed = [...byMethod.keys()].join(', ');

  return (request, response) => {
    const requestId = responder.requestId(request);
    const prepared = byMethod.get(request.method!);
    const operation = prepared?.operation.name;
    const key = readBearerKey(request);
    return pipeline.handleCall(
      {
        key,
        caller: key === undefined ? keyless?.(request) : undefined,
        requestId,
        operation,
        // An unsupported method gets its error before a malformed position does.
        position: prepared && readPosition(request),
        isClientGone: (isPaid) => isClientGone(response, isPaid),
      },
      (open) => {
        if (!prepared) throw methodNotAllowed(request.method, allowed);
        refuseLargeBody(request);
        const { question: query } = prepared;
        return query
          ? answer(prepared.operation, query(request), open, request, response)
          : act(prepared, open, request, response);
      },
      (error, call) => {
        const headers = prepared ? undefined : ['Allow', allowed];
        responder.sendError(response, error, { requestId, call, headers });
        return response;
      },
    );
  };

  /** Handles GET and HEAD. */
  async function answer(
    operation: Operation,
    query: OperationQuery,
    open: AdmittedCall,
    request: RoutedRequest,
    response: ServerResponse,
  ): Promise<ServerResponse> {
    const given = request.headers['if-none-match'];
    const held = given === undefined ? undefined : (tag: string) => matchesIfNoneMatch(given, tag);
    const { answer: made, credits, isNotModified } = await pipeline.executeRead(operation, query, open, held);
    const { call } = open;
    const age = feedAgeHeaders(await responder.feedAge(operation, query.input));
    const facts = { requestId: call.requestId, call, credits, headers: [...cacheHeaders(made, call), ...age] };
    if (isNotModified) responder.sendEmpty(response, 304, facts);
    else responder.sendBytes(response, operation.status ?? 200, made.bytes, facts);
    return response;
  }

  /** Handles all other methods. */
  async function act(
    { operation, input }: PreparedOperation,
    open: AdmittedCall,
    request: RoutedRequest,
    response: ServerResponse,
  ): Promise<ServerResponse> {
    const { call } = open;
    const key = operation.idempotency && readIdempotencyKey(request);
    if (key !== undefined) call.idempotencyKey = key;
    const body = operation.input.body ? await readJsonBody(request, response) : undefined;
    const values = input.fromHttp(request.params, queryStringOf(request), body);
    const { output, credits, isReplayed } = await pipeline.execute(operation, values, open);
    const facts = { requestId: call.requestId, call, credits };
    const age = feedAgeHeaders(await responder.feedAge(operation, values));
    const headers = ['Cache-Control', 'no-store', ...age];
    if (operation.status === 204) responder.sendEmpty(response, 204, facts);
    else responder.sendJson(response, operation.status ?? 200, output, { ...facts, isReplayed, headers });
    return response;
  }
}

/** Caching headers of a read. Names and values in turn. */
export function cacheHeaders({ maxAge, entityTag }: Answer, { principal }: Call): string[] {
  const vary = principal.keyId === null ? 'Authorization, Cookie' : 'Authorization';
  return ['Cache-Control', cacheControl(maxAge), 'ETag', entityTag, 'Vary', vary];
}

export const methodNotAllowed = (method: string | undefined, allowed: string): ApiError =>
  new ApiError('method_not_allowed', `${method} is not allowed here; allowed: ${allowed}.`);

const REVALIDATED = 'private, no-cache, must-revalidate';

/** At 0 clients may store the answer, but must revalidate it by its tag, which is free while nothing has changed. */
const cacheControl = (seconds: number): string => (seconds > 0 ? `private, max-age=${seconds}` : REVALIDATED);

const MAX_CACHED_QUERIES = 2000;
const MAX_CACHED_URL_LENGTH = 300;

/**
 * Parses and validates the queries of requests without a body. Clients repeat the same few URLs, so the results are
 * cached by URL.
 */
function createQueryCache(reader: InputReader): (request: RoutedRequest) => OperationQuery {
  const known = new Map<string, OperationQuery>();
  return (request) => {
    const url = request.originalUrl;
    const found = known.get(url);
    if (found) return found;
    const input = deepFrozen(reader.fromHttp(request.params, queryStringOf(request), undefined));
    const query: OperationQuery = { input, text: JSON.stringify(input), cacheKey: undefined };
    if (url.length > MAX_CACHED_URL_LENGTH) return query;
    // Clearing all at once, rarely, is cheaper than tracking the order of use on each request.
    if (known.size >= MAX_CACHED_QUERIES) known.clear();
    known.set(url, query);
    return query;
  };
}

/** Cached inputs are shared: no request may change them. */
function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFrozen(member);
    Object.freeze(value);
  }
  return value;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, type OperationQuery, queryOf } from '../../calls/answer-cache/answer-cache.ts';
import { matchesIfNoneMatch } from '../../calls/answer-cache/entity-tag.ts';
import { ApiError } from '../../calls/api-errors.ts';
import { requireJsonForFields } from '../../calls/operation/answer-fields.ts';
import { type AnswerFormat, formatsOf, type NextPage, nextPageOf } from '../../calls/operation/answer-format.ts';
import type { Operation, OperationContext } from '../../calls/operation/operation.ts';
import { createInputReader, type InputReader } from '../../calls/operation/operation-input.ts';
import type { Call } from '../../calls/pipeline/admission.ts';
import type { AdmittedCall, IncomingCall, Pipeline } from '../../calls/pipeline/pipeline.ts';
import { isClientGone } from '../requests/client-disconnect.ts';
import { readBearerKey } from '../requests/credentials.ts';
import { isCsvBody, readCsvBody } from '../requests/csv-body.ts';
import { readJsonBody, refuseLargeBody } from '../requests/json-body.ts';
import { readIdempotencyKey, readPosition } from '../requests/request-headers.ts';
import { requestedFormat } from '../requests/requested-format.ts';
import { feedAgeHeaders, type Responder } from '../responder.ts';
import { queryStringOf, type RoutedRequest, type RouteHandler } from '../routed-request.ts';

interface PreparedOperation {
  readonly operation: Operation;
  readonly input: InputReader;
  readonly formats: ReadonlyMap<string, AnswerFormat>;
  /** Present for operations that read. */
  readonly question: ReturnType<typeof createQueryCache> | undefined;
}

/** Authenticates a request without a key; undefined if it cannot. */
export type KeylessCaller = (request: IncomingMessage) => IncomingCall['caller'];

/**
 * The handler of one path, for all its operations.
 * @param keyless used if there is no `Authorization` header; absent: a key is required
 * @param isOpen no key is read: `keyless` always tells the caller
 */
export function createOperationRoute(
  operations: readonly Operation[],
  pipeline: Pipeline,
  responder: Responder,
  keyless?: KeylessCaller,
  isOpen = false,
): RouteHandler {
  const byMethod = new Map<string, PreparedOperation>();
  for (const operation of operations) {
    const input = createInputReader(operation);
    const isRead = operation.method === 'GET';
    const formats = formatsOf(operation);
    const question = isRead ? createQueryCache(operation, input, formats) : undefined;
    const prepared = { operation, input, formats, question };
    byMethod.set(operation.method, prepared);
    if (isRead) byMethod.set('HEAD', prepared);
  }
  const allowed = [...byMethod.keys()].join(', ');

  return (request, response) => {
    const requestId = responder.requestId(request);
    const prepared = byMethod.get(request.method!);
    const operation = prepared?.operation.name;
    const key = isOpen ? undefined : readBearerKey(request);
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
    const headers = [
      ...cacheHeaders(made, call, operation),
      ...nextPageHeaders(made.next, request, responder.baseUrl()),
      ...age,
    ];
    const facts = { requestId: call.requestId, call, credits, headers };
    if (isNotModified) responder.sendEmpty(response, 304, facts);
    else responder.sendBytes(response, operation.status ?? 200, made.bytes, facts, query.format?.contentType);
    return response;
  }

  /** Handles all other methods. */
  async function act(
    { operation, input, formats }: PreparedOperation,
    open: AdmittedCall,
    request: RoutedRequest,
    response: ServerResponse,
  ): Promise<ServerResponse> {
    const { call } = open;
    const key = operation.idempotency && readIdempotencyKey(request);
    if (key !== undefined) call.idempotencyKey = key;
    const format = requestedFormat(formats, queryStringOf(request), request);
    const body = operation.input.body ? await readBody(operation, request, response) : undefined;
    const values = input.fromHttp(request.params, queryStringOf(request), body);
    requireJsonForFields(operation, values, format);
    let written: string | undefined;
    const runAndWrite = async (given: unknown, context: OperationContext) => {
      const made = await operation.run(given, context);
      written = await format!.write(made, context);
      return made;
    };
    const { output, credits, isReplayed } = await pipeline.execute(
      operation,
      values,
      open,
      format ? runAndWrite : undefined,
    );
    const facts = { requestId: call.requestId, call, credits };
    const status = operation.status ?? 200;
    const headers = ['Cache-Control', 'no-store', ...feedAgeHeaders(await responder.feedAge(operation, values))];
    if (formats.size > 0) headers.push('Vary', 'Accept');
    if (status === 204) responder.sendEmpty(response, 204, facts);
    else if (format && written !== undefined) {
      headers.push(...cursorHeader(nextPageOf(output)));
      const bytes = Buffer.from(written).toString('latin1');
      responder.sendBytes(response, status, bytes, { ...facts, headers }, format.contentType);
    } else responder.sendJson(response, status, output, { ...facts, isReplayed, headers });
    return response;
  }
}

/** @throws ApiError */
const readBody = async (
  { readCsv }: Pick<Operation, 'readCsv'>,
  request: RoutedRequest,
  response: ServerResponse,
): Promise<unknown> =>
  readCsv && isCsvBody(request) ? readCsv(await readCsvBody(request, response)) : readJsonBody(request, response);

/** Caching headers of a read. Names and values in turn. */
export function cacheHeaders(
  { maxAge, entityTag }: Answer,
  { principal }: Call,
  operation: Pick<Operation, 'table'>,
): string[] {
  const caller = principal.keyId === null ? 'Authorization, Cookie' : 'Authorization';
  const vary = operation.table ? `Accept, ${caller}` : caller;
  return ['Cache-Control', cacheControl(maxAge), 'ETag', entityTag, 'Vary', vary];
}

const cursorHeader = (next: NextPage | undefined): string[] => (next ? ['X-Next-After', next.cursor] : []);

/** Where the next page of an answer is that is no JSON. Names and values in turn. */
function nextPageHeaders(next: NextPage | undefined, { originalUrl }: RoutedRequest, baseUrl: string): string[] {
  if (!next?.exists) return cursorHeader(next);
  const url = new URL(originalUrl, baseUrl);
  url.searchParams.set(next.parameter, next.cursor);
  return [...cursorHeader(next), 'Link', `<${baseUrl}${url.pathname}${url.search}>; rel="next"`];
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
function createQueryCache(
  operation: Operation,
  reader: InputReader,
  formats: ReadonlyMap<string, AnswerFormat>,
): (request: RoutedRequest) => OperationQuery {
  const known = new Map<string, OperationQuery>();
  return (request) => {
    const search = queryStringOf(request);
    const format = requestedFormat(formats, search, request);
    const url = format ? `${format.name} ${request.originalUrl}` : request.originalUrl;
    const found = known.get(url);
    if (found) return found;
    const input = deepFrozen(reader.fromHttp(request.params, search, undefined));
    requireJsonForFields(operation, input, format);
    const query = queryOf(input, format);
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

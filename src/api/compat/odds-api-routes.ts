import type { ServerResponse } from 'node:http';
import type { Router } from 'express';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { queryOf } from '../calls/answer-cache/answer-cache.ts';
import { matchesIfNoneMatch } from '../calls/answer-cache/entity-tag.ts';
import { ApiKeyError, type ApiKeyFault, CallAborted, CLIENT_CLOSED_REQUEST, notFound } from '../calls/api-errors.ts';
import type { Operation } from '../calls/operation/operation.ts';
import type { Call } from '../calls/pipeline/admission.ts';
import type { AdmittedCall, Pipeline } from '../calls/pipeline/pipeline.ts';
import type { AccountServices, CreditBalance } from '../calls/services/account-services.ts';
import { methodNotAllowed } from '../http/endpoints/operation-route.ts';
import { isClientGone } from '../http/requests/client-disconnect.ts';
import { readBearerKey } from '../http/requests/credentials.ts';
import { refuseLargeBody } from '../http/requests/json-body.ts';
import { readPosition } from '../http/requests/request-headers.ts';
import type { Responder, ResponseFacts } from '../http/responder.ts';
import { addRoute, queryStringOf, type RoutedRequest, type RouteHandler } from '../http/routed-request.ts';
import { OddsApiError, oddsApiCodeOfKeyFault, oddsApiErrorOf, oddsApiStatusOf } from './odds-api-errors.ts';
import { ODDS_API_BASE_PATH, oddsApiOperations, type ReadLogStart } from './odds-api-operations.ts';
import { QUERY_NAMES, type RawParameters } from './query-parameters.ts';

interface OddsApiParts {
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  readonly balance: AccountServices['balance'];
  readonly readLogStart: ReadLogStart;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
}

interface Route {
  readonly operation: Operation<any, RawParameters>;
  readonly pattern: RegExp;
}

interface Reply {
  readonly statusCode: number;
  /** An error that has yet to be sent: its headers depend on the caller. */
  readonly refused?: { readonly error: unknown; readonly call: Call | undefined };
}

const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);
const ALLOWED = 'GET, HEAD';
const KEYS = ['apiKey', 'api_key'] as const;

/** Clients recognise this by the code, since errors of the API key have the same status. */
const OUT_OF_CREDITS = 'OUT_OF_USAGE_CREDITS';
const KEY_MESSAGES: Readonly<Record<ApiKeyFault, string>> = {
  missing: 'An API key is required: apiKey or api_key in the query, or Authorization: Bearer <API_KEY>.',
  unknown: 'The API key is malformed or unknown.',
  deactivated: 'The API key was revoked, or it has expired.',
};

/**
 * Everything below `/compat/the-odds-api`: the ten paths of version 4 of The Odds API, answered from this server's
 * data.
 */
export function createOddsApiRoutes({ pipeline, responder, balance, readLogStart, baseUrl }: OddsApiParts) {
  const routes: readonly Route[] = oddsApiOperations(readLogStart).map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
  }));

  const handler: RouteHandler = async (request, response) => {
    const requestId = responder.requestId(request);
    const query = new URLSearchParams(queryStringOf(request));
    const found = routeOf(routes, request);
    const isRead = READS.has(request.method);
    const { statusCode: _, refused } = await pipeline.handleCall<Reply>(
      {
        key: KEYS.map((name) => parameterIn(query, name)).find((key) => key !== undefined) ?? readBearerKey(request),
        requestId,
        operation: isRead ? found?.operation.name : undefined,
        position: readPosition(request),
        isClientGone: (isPaid) => isClientGone(response, isPaid),
      },
      async (open) => {
        if (!found) throw notFound('There is nothing at this path.');
        if (!isRead) throw methodNotAllowed(request.method, ALLOWED);
        refuseLargeBody(request);
        await answer(found.operation, { ...readRawParameters(query), ...found.path }, open, request, response);
        return { statusCode: response.statusCode };
      },
      (error, call) => ({ statusCode: oddsApiStatusOf(error), refused: { error, call } }),
    );
    if (refused) await refuse(response, refused.error, { requestId, call: refused.call });
  };

  async function answer(
    operation: Operation<any, RawParameters>,
    input: RawParameters,
    open: AdmittedCall,
    request: RoutedRequest,
    response: ServerResponse,
  ): Promise<void> {
    const isHeld = (tag: string): boolean => matchesIfNoneMatch(request.headers['if-none-match'], tag);
    const operationQuery = queryOf(input);
    const {
      answer: made,
      credits,
      isNotModified,
    } = await pipeline.executeRead(operation, operationQuery, open, isHeld);
    const { call } = open;
    const headers = ['Cache-Control', 'private, no-cache', 'ETag', made.entityTag, 'Vary', 'Authorization'];
    headers.push(...(await usageOf(call, credits)));
    const facts: ResponseFacts = { requestId: call.requestId, call, credits, headers };
    if (isNotModified) responder.sendEmpty(response, 304, facts);
    else responder.sendBytes(response, 200, made.bytes, facts);
  }

  /** @returns no headers if the caller is unknown */
  async function usageOf(call: Call | undefined, credits: number): Promise<string[]> {
    if (!call) return [];
    try {
      return creditHeaders(credits, await balance(call.principal));
    } catch (error) {
      // While the database cannot be written, no account can be opened. The answer is then sent without a balance.
      if (error instanceof UnavailableError) return creditHeaders(credits, undefined);
      throw error;
    }
  }

  async function refuse(response: ServerResponse, error: unknown, facts: ResponseFacts): Promise<void> {
    if (error instanceof CallAborted) response.statusCode = CLIENT_CLOSED_REQUEST;
    const usage = await usageOf(facts.call, 0);
    if (error instanceof CallAborted || response.headersSent) return void response.destroy();
    const { status, code, message, headers } = describeRefusal(response, error, facts);
    const page = `${baseUrl()}/docs/errors/${code.toLowerCase()}`;
    const body = { message, error_code: code, details_url: page };
    responder.sendJson(response, status, body, { ...facts, credits: 0, headers: [...headers, ...usage] });
  }

  function describeRefusal(response: ServerResponse, error: unknown, facts: ResponseFacts) {
    const { envelope, headers } = responder.describeError(response, error, facts);
    const { code, status, message } = envelope.error;
    const more = code === 'method_not_allowed' ? [...headers, 'Allow', ALLOWED] : headers;
    if (error instanceof OddsApiError) return { status, code: error.oddsApiCode, message, headers: more };
    // After too many unauthenticated requests the code is another one.
    if (error instanceof ApiKeyError && code === error.code) {
      return { status, code: oddsApiCodeOfKeyFault(error.fault), message: KEY_MESSAGES[error.fault], headers: more };
    }
    const known = oddsApiErrorOf(code, status);
    return {
      ...known,
      message: known.code === OUT_OF_CREDITS ? `Usage limit reached. ${message}` : message,
      headers: more,
    };
  }

  return (router: Router): void => {
    addRoute(
      router,
      new RegExp(`^${ODDS_API_BASE_PATH.slice(0, ODDS_API_BASE_PATH.lastIndexOf('/'))}(?:/.*)?$`),
      handler,
    );
  };
}

/** The value of a parameter. An empty one counts as absent; a repeated one is a list. */
function parameterIn(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name).filter((value) => value !== '');
  return values.length > 0 ? values.join() : undefined;
}

/** The known parameters in a fixed order, so that equal queries have equal cache keys. */
function readRawParameters(query: URLSearchParams): RawParameters {
  const given: Record<string, string> = {};
  for (const name of QUERY_NAMES) {
    const value = parameterIn(query, name);
    if (value !== undefined) given[name] = value;
  }
  return given;
}

interface MatchedRoute {
  readonly operation: Operation<any, RawParameters>;
  /** The values of the path's parameters. */
  readonly path: RawParameters;
}

function routeOf(routes: readonly Route[], { originalUrl }: RoutedRequest): MatchedRoute | undefined {
  const path = originalUrl.split('?', 1)[0]!;
  for (const { operation, pattern } of routes) {
    const match = pattern.exec(path);
    if (!match) continue;
    const entries = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decoded(text)]);
    return { operation, path: Object.fromEntries(entries) };
  }
  return undefined;
}

/** Malformed percent-encoding stays as it is, and matches nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Stands for an unlimited number of credits. */
const UNLIMITED_CREDITS = 1_000_000_000;

/**
 * Headers with the credits of an account, in whole numbers; the rest is rounded down, so that it is never shown too
 * high. Names and values in turn.
 * @param balance undefined if it is unknown
 */
function creditHeaders(credits: number, balance: CreditBalance | undefined): string[] {
  const last = ['x-requests-last', String(Math.ceil(credits))];
  if (!balance) return last;
  const { credits_used, total_remaining } = balance;
  const used = total_remaining === null ? 0 : Math.ceil(credits_used);
  const remaining = total_remaining === null ? UNLIMITED_CREDITS : Math.max(0, Math.floor(total_remaining));
  return ['x-requests-remaining', String(remaining), 'x-requests-used', String(used), ...last];
}

import type { ServerResponse } from 'node:http';
import type { Router } from 'express';
import { Unavailable } from '../../domain/unavailable.ts';
import type { AccountServices } from '../calls/account-services.ts';
import { BROKEN_OFF, BrokenOff } from '../calls/broken-off.ts';
import { notFound } from '../calls/errors.ts';
import { isHeldBy } from '../calls/etag.ts';
import { type KeyFault, KeyRefusal } from '../calls/key-refusal.ts';
import type { Operation } from '../calls/operation.ts';
import type { OpenCall, Pipeline } from '../calls/pipeline.ts';
import type { Call } from '../calls/stages.ts';
import { isGone } from '../http/client-gone.ts';
import { bearerKey } from '../http/credentials.ts';
import { refuseLargeBody } from '../http/json-body.ts';
import { methodNotAllowed } from '../http/operation-route.ts';
import { positionIn } from '../http/position-header.ts';
import type { Facts, Responder } from '../http/responder.ts';
import { addRoute, type RoutedRequest, type RouteHandler, searchOf } from '../http/routed-request.ts';
import { codeOfCall, codeOfFault, OddsApiError, statusOf } from './odds-api-errors.ts';
import { BASE, type LogBegin, oddsApiOperations } from './odds-api-paths.ts';
import { type Given, QUERY_NAMES } from './query-parameters.ts';
import { usageHeaders } from './usage.ts';

export interface OddsApiParts {
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  readonly balance: AccountServices['balance'];
  readonly logBegin: LogBegin;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
}

interface Route {
  readonly operation: Operation<any, Given>;
  readonly pattern: RegExp;
}

interface Reply {
  readonly statusCode: number;
  /** What is yet to be told: who calls has to be known for it. */
  readonly refused?: { readonly error: unknown; readonly call: Call | undefined };
}

const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);
const ALLOWED = 'GET, HEAD';
const KEYS = ['apiKey', 'api_key'] as const;

/** Clients go by the words: what is wrong with a key has the same status. */
const SPENT = 'OUT_OF_USAGE_CREDITS';
const KEY_MESSAGES: Readonly<Record<KeyFault, string>> = {
  missing: 'An API key is required: apiKey or api_key in the query, or Authorization: Bearer <API_KEY>.',
  unknown: 'The API key is malformed or unknown.',
  deactivated: 'The API key was revoked, or it has expired.',
};

/** Everything below `/compat/the-odds-api`: the ten paths of The Odds API, version 4, on this server's facts. */
export function oddsApiRoutes({ pipeline, responder, balance, logBegin, baseUrl }: OddsApiParts) {
  const routes: readonly Route[] = oddsApiOperations(logBegin).map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
  }));

  const handler: RouteHandler = async (request, response) => {
    const requestId = responder.requestId(request);
    const query = new URLSearchParams(searchOf(request));
    const found = routeOf(routes, request);
    const isRead = READS.has(request.method);
    const { statusCode: _, refused } = await pipeline.within<Reply>(
      {
        key: KEYS.map((name) => parameterIn(query, name)).find((key) => key !== undefined) ?? bearerKey(request),
        requestId,
        operation: isRead ? found?.operation.name : undefined,
        position: positionIn(request),
        isGone: (isPaid) => isGone(response, isPaid),
      },
      async (open) => {
        if (!found) throw notFound('There is nothing at this path.');
        if (!isRead) throw methodNotAllowed(request.method, ALLOWED);
        refuseLargeBody(request);
        await answer(found.operation, { ...givenOf(query), ...found.path }, open, request, response);
        return { statusCode: response.statusCode };
      },
      (error, call) => ({ statusCode: statusOf(error), refused: { error, call } }),
    );
    if (refused) await refuse(response, refused.error, { requestId, call: refused.call });
  };

  async function answer(
    operation: Operation<any, Given>,
    input: Given,
    open: OpenCall,
    request: RoutedRequest,
    response: ServerResponse,
  ): Promise<void> {
    const held = (tag: string): boolean => isHeldBy(request.headers['if-none-match'], tag);
    const question = { input, text: JSON.stringify(input), asked: undefined };
    const { answer: made, credits, isHeld } = await pipeline.answer(operation, question, open, held);
    const { call } = open;
    const headers = ['Cache-Control', 'private, no-cache', 'ETag', made.tag, 'Vary', 'Authorization'];
    headers.push(...(await usageOf(call, credits)));
    const facts: Facts = { requestId: call.requestId, call, credits, headers };
    if (isHeld) responder.sendEmpty(response, 304, facts);
    else responder.sendBytes(response, 200, made.bytes, facts);
  }

  /** @returns nothing where the caller is not known */
  async function usageOf(call: Call | undefined, credits: number): Promise<string[]> {
    if (!call) return [];
    try {
      return usageHeaders(credits, await balance(call.principal));
    } catch (error) {
      // While nothing can be written no account can be opened; what is answered without one is answered.
      if (error instanceof Unavailable) return usageHeaders(credits, undefined);
      throw error;
    }
  }

  async function refuse(response: ServerResponse, error: unknown, facts: Facts): Promise<void> {
    if (error instanceof BrokenOff) response.statusCode = BROKEN_OFF;
    const usage = await usageOf(facts.call, 0);
    if (error instanceof BrokenOff || response.headersSent) return void response.destroy();
    const { status, code, message, headers } = toldOf(response, error, facts);
    const page = `${baseUrl()}/docs/errors/${code.toLowerCase()}`;
    const body = { message, error_code: code, details_url: page };
    responder.sendJson(response, status, body, { ...facts, credits: 0, headers: [...headers, ...usage] });
  }

  function toldOf(response: ServerResponse, error: unknown, facts: Facts) {
    const { envelope, headers } = responder.tell(response, error, facts);
    const { code, status, message } = envelope.error;
    const more = code === 'method_not_allowed' ? [...headers, 'Allow', ALLOWED] : headers;
    if (error instanceof OddsApiError) return { status, code: error.theirs, message, headers: more };
    // Where there were too many of them the refusal is another one.
    if (error instanceof KeyRefusal && code === error.code) {
      return { status, code: codeOfFault(error.fault), message: KEY_MESSAGES[error.fault], headers: more };
    }
    const told = codeOfCall(code, status);
    return { ...told, message: told.code === SPENT ? `Usage limit reached. ${message}` : message, headers: more };
  }

  return (router: Router): void => {
    addRoute(router, new RegExp(`^${BASE.slice(0, BASE.lastIndexOf('/'))}(?:/.*)?$`), handler);
  };
}

/** What a parameter says; one that is empty is not given, and one that is given twice is a list. */
function parameterIn(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name).filter((value) => value !== '');
  return values.length > 0 ? values.join() : undefined;
}

/** What is known here, in one order: the same question has the same words. */
function givenOf(query: URLSearchParams): Given {
  const given: Record<string, string> = {};
  for (const name of QUERY_NAMES) {
    const value = parameterIn(query, name);
    if (value !== undefined) given[name] = value;
  }
  return given;
}

interface Found {
  readonly operation: Operation<any, Given>;
  /** What stands in the path in the place of parameters. */
  readonly path: Given;
}

function routeOf(routes: readonly Route[], { originalUrl }: RoutedRequest): Found | undefined {
  const path = originalUrl.split('?', 1)[0]!;
  for (const { operation, pattern } of routes) {
    const match = pattern.exec(path);
    if (!match) continue;
    const entries = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decoded(text)]);
    return { operation, path: Object.fromEntries(entries) };
  }
  return undefined;
}

/** What is no percent-encoding names nothing, as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

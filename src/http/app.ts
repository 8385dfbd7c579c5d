import type { RequestListener } from 'node:http';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { badRequest, notFound } from '../calls/errors.ts';
import type { Operation } from '../calls/operation.ts';
import type { OpenCall, Pipeline } from '../calls/pipeline.ts';
import { bearerKey } from './credentials.ts';
import { jsonPage, openRoute } from './open-routes.ts';
import { operationRoute } from './operation-route.ts';
import type { Responder } from './responder.ts';

export interface AppParts {
  readonly operations: readonly Operation[];
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  /** Whether everything that stood in the log at the start is projected. */
  readonly isReady: () => boolean;
  /** Routes of the other ways in and out: streams, MCP, the ingest door, pages. They come before the end of the road. */
  readonly routes?: readonly ((router: Router) => void)[];
}

/** Paths below these need a key, whether they exist or not. */
const GUARDED = /^\/(?:v1|mcp|api\/agent)(?:[/?]|$)/;

/**
 * The web application: a route for each path of the operations, the open pages, and an envelope for all the rest.
 * It is Express's router without the application around it, which gives each request and response another prototype:
 * Node's own code then runs several times slower on them (`npm run bench event-detail` tells), and we use none of its
 * methods.
 */
export function createApp(parts: AppParts): RequestListener {
  const { operations, pipeline, responder, isReady } = parts;
  const router = Router({ caseSensitive: true, strict: true });

  for (const [path, group] of byPath(operations)) {
    router.route(routeOf(path)).all(operationRoute(group, pipeline, responder));
  }
  const open = (path: string, page: Parameters<typeof openRoute>[1]) =>
    router.route(path).all(openRoute(responder, page));
  open('/healthz', () => jsonPage(200, { status: 'ok' }));
  open('/readyz', () => (isReady() ? jsonPage(200, { status: 'ready' }) : jsonPage(503, { status: 'catching_up' })));
  for (const mount of parts.routes ?? []) mount(router);
  router.use(endOfTheRoad(pipeline, responder));
  router.use(brokenPath(pipeline, responder));
  // Nothing but a failure of the last answer comes out behind it.
  return (request, response) => router(request as Request, response as Response, () => response.destroy());
}

/**
 * `/v1/events/{id}` as Express matches it. Given as text it would be the same, except that the parameters then stand in
 * an object without a prototype, and what is written into one is looked up anew for each request.
 */
const routeOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** Paths with the operations that have a route here. `/v1/events/batch` comes before `/v1/events/{id}`. */
function byPath(operations: readonly Operation[]): (readonly [string, readonly Operation[]])[] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    if (operation.streaming) continue;
    const group = groups.get(operation.path);
    if (group) group.push(operation);
    else groups.set(operation.path, [operation]);
  }
  const rank = (path: string): string => path.replaceAll('{', '\uffff');
  return [...groups].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
}

/** No route fits. Without a key it does not even tell that. */
function endOfTheRoad(pipeline: Pipeline, responder: Responder): RequestHandler {
  return (request, response) =>
    refuse(notFound('There is nothing at this path.'), pipeline, responder)(request, response);
}

/** Express gives up on paths that are not valid percent-encoding. */
function brokenPath(pipeline: Pipeline, responder: Responder): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const isOurs = (error as { readonly status?: number } | null)?.status === 400;
    const refusal = isOurs ? badRequest('The path is not valid percent-encoding.') : error;
    return refuse(refusal, pipeline, responder)(request, response);
  };
}

type Handler = (...to: Parameters<RequestHandler> extends [infer Q, infer S, ...unknown[]] ? [Q, S] : never) => unknown;

/** Answers with this error, after the stages that every request passes. */
function refuse(refusal: unknown, pipeline: Pipeline, responder: Responder): Handler {
  return async (request, response) => {
    const requestId = responder.requestId(request);
    let call: OpenCall | undefined;
    try {
      if (GUARDED.test(request.originalUrl)) {
        call = pipeline.begin(await pipeline.authenticate(bearerKey(request)), requestId);
        await pipeline.admit(call);
      }
      throw refusal;
    } catch (error) {
      responder.sendError(response, error, { requestId, call });
    } finally {
      if (call) pipeline.close(call, response.statusCode);
    }
  };
}

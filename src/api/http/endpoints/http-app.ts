import type { RequestListener, ServerResponse } from 'node:http';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { badRequest, notFound } from '../../calls/api-errors.ts';
import { isAccountPath, type Operation } from '../../calls/operation/operation.ts';
import type { Pipeline } from '../../calls/pipeline/pipeline.ts';
import { readBearerKey } from '../requests/credentials.ts';
import { KEY_REQUIRED_PATHS, type UnauthenticatedLimits } from '../requests/unauthenticated-limits.ts';
import type { Responder } from '../responder.ts';
import { addRoute, type RoutedRequest, type RouteHandler } from '../routed-request.ts';
import { createOperationRoute, type KeylessCaller } from './operation-route.ts';
import { createPublicPageRoute, jsonPage, type PageResponse } from './public-pages.ts';

interface AppParts {
  readonly operations: readonly Operation[];
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  /** Whether everything that stood in the log at the start is projected. */
  readonly isReady: () => boolean;
  /** Whether the disk has failed: then nobody can answer for anything. Absent: it has not. */
  readonly hasFailed?: () => boolean;
  /** What is refused before it is routed; absent: nothing. */
  readonly admit?: UnauthenticatedLimits['admit'];
  /** Who calls the account's own routes without a key; absent: nobody does. */
  readonly keylessCaller?: KeylessCaller | undefined;
  /** Answers with a page for people where the request is one of a browser; false: it is none. Absent: there are none. */
  readonly sendErrorPage?: (error: unknown, request: RoutedRequest, response: ServerResponse) => boolean;
  /** Routes of the other ways in and out: streams, MCP, the ingest door, pages. They come before the end of the road. */
  readonly routes?: readonly ((router: Router) => void)[];
}

/**
 * The web application: a route for each path of the operations, the open pages, and an envelope for all the rest.
 * It is Express's router without the application around it, which gives each request and response another prototype:
 * Node's own code then runs several times slower on them (`npm run bench event-detail` tells), and we use none of its
 * methods.
 */
export function createApp(parts: AppParts): RequestListener {
  const { operations, pipeline, responder, isReady, hasFailed = () => false, keylessCaller } = parts;
  const router = Router({ caseSensitive: true, strict: true });

  for (const [path, group] of byPath(operations)) {
    const owner = isAccountPath(path) ? keylessCaller : undefined;
    addRoute(router, routeOf(path), createOperationRoute(group, pipeline, responder, owner));
  }
  const open = (path: string, page: Parameters<typeof createPublicPageRoute>[1]) =>
    addRoute(router, path, createPublicPageRoute(responder, page));
  const unlessFailed = (page: () => PageResponse) => () => (hasFailed() ? jsonPage(503, { status: 'failed' }) : page());
  const ready = () => (isReady() ? jsonPage(200, { status: 'ready' }) : jsonPage(503, { status: 'catching_up' }));
  open(
    '/healthz',
    unlessFailed(() => jsonPage(200, { status: 'ok' })),
  );
  open('/readyz', unlessFailed(ready));
  for (const mount of parts.routes ?? []) mount(router);
  const { unknownPath, brokenPath } = createFallbackHandlers(parts);
  router.use(unknownPath as unknown as RequestHandler);
  router.use(brokenPath as unknown as ErrorRequestHandler);
  return (request, response) => {
    const requestId = () => responder.requestId(request);
    const refusal = parts.admit?.(request, response);
    if (refusal) return responder.sendError(response, refusal, { requestId: requestId() });
    router(request as Request, response as Response, () => {
      // Behind it comes the failure of a last answer, and a target in which the router finds no path at all (`//?a=#@`).
      if (response.headersSent) return response.destroy();
      const pathless = badRequest('The target of the request has no path.');
      responder.sendError(response, pathless, { requestId: requestId() });
    });
  };
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

/** What stands behind all routes. */
function createFallbackHandlers({
  pipeline,
  responder,
  keylessCaller,
  sendErrorPage = () => false,
}: Pick<AppParts, 'pipeline' | 'responder' | 'keylessCaller' | 'sendErrorPage'>) {
  /** Answers with this error. Where a key is needed, the caller passes the stages of every call first: without one the
   *  answer does not even tell whether the path exists. */
  async function refuse(refusal: unknown, request: RoutedRequest, response: ServerResponse): Promise<void> {
    const requestId = responder.requestId(request);
    if (!KEY_REQUIRED_PATHS.test(request.originalUrl)) {
      if (!sendErrorPage(refusal, request, response)) responder.sendError(response, refusal, { requestId });
      return;
    }
    const key = readBearerKey(request);
    const caller = key === undefined && isAccountPath(request.originalUrl) ? keylessCaller?.(request) : undefined;
    await pipeline.handleCall(
      { key, caller, requestId },
      () => {
        throw refusal;
      },
      (error, call) => {
        responder.sendError(response, error, { requestId, call });
        return response;
      },
    );
  }

  const unknownPath: RouteHandler = (request, response) =>
    refuse(notFound('There is nothing at this path.'), request, response);

  /** Express gives up on paths that are not valid percent-encoding. It knows this handler by its four parameters. */
  const brokenPath = (error: unknown, request: RoutedRequest, response: ServerResponse, _next: unknown) => {
    const isOurs = (error as { readonly status?: number } | null)?.status === 400;
    return refuse(isOurs ? badRequest('The path is not valid percent-encoding.') : error, request, response);
  };

  return { unknownPath, brokenPath };
}

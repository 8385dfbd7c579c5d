import type { RequestListener, ServerResponse } from 'node:http';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { badRequest, notFound } from '../../calls/api-errors.ts';
import { isAccountPath, type Operation } from '../../calls/operation/operation.ts';
import type { Pipeline } from '../../calls/pipeline/pipeline.ts';
import { readBearerKey } from '../requests/credentials.ts';
import { requiresKey, type UnauthenticatedLimits } from '../requests/unauthenticated-limits.ts';
import type { Responder } from '../responder.ts';
import { addRoute, type RoutedRequest, type RouteHandler } from '../routed-request.ts';
import { createOperationRoute, type KeylessCaller } from './operation-route.ts';
import { createPublicPageRoute, jsonPage, type PageResponse } from './public-pages.ts';

interface AppParts {
  readonly operations: readonly Operation[];
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  /** Whether all records that were in the log at the start are projected. */
  readonly isReady: () => boolean;
  /** Whether the disk has failed, so that nothing can be served reliably. Absent: it has not. */
  readonly hasFailed?: () => boolean;
  /** Refuses requests before routing; absent: refuses none. */
  readonly admit?: UnauthenticatedLimits['admit'];
  /** Authenticates callers of the account operations without a key; absent: none can. */
  readonly keylessCaller?: KeylessCaller | undefined;
  /** Tells where a call comes from whose operation needs no key. */
  readonly visitor: KeylessCaller;
  /** Answers with an HTML page if a browser asks; false if it is not a browser. Absent: there are no such pages. */
  readonly sendErrorPage?: (error: unknown, request: RoutedRequest, response: ServerResponse) => boolean;
  /** Further routes: streams, MCP, ingest, pages. Mounted before the fallback handlers. */
  readonly routes?: readonly ((router: Router) => void)[];
}

interface App {
  readonly listener: RequestListener;
  /** The paths of all routes, with parameters in braces. */
  readonly paths: readonly string[];
}

/**
 * The web application: a route for each path of the operations, the public pages, and an error envelope for the rest.
 * It uses Express's router without an application: that would change the prototype of each request and response, which
 * makes Node's own code several times slower (see `npm run bench event-detail`), for methods that are not used here.
 */
export function createApp(parts: AppParts): App {
  const { operations, pipeline, responder, isReady, hasFailed = () => false, keylessCaller, visitor } = parts;
  const router = Router({ caseSensitive: true, strict: true });

  for (const [path, group] of byPath(operations)) {
    if (group.some(({ keyless }) => keyless)) {
      addRoute(router, routeOf(path), createOperationRoute(group, pipeline, responder, visitor, true));
      continue;
    }
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
  const listener: RequestListener = (request, response) => {
    const requestId = () => responder.requestId(request);
    const refusal = parts.admit?.(request, response);
    if (refusal) return responder.sendError(response, refusal, { requestId: requestId() });
    router(request as Request, response as Response, () => {
      // Reached after a failure of a fallback handler, or for a target in which the router finds no path (`//?a=#@`).
      if (response.headersSent) return response.destroy();
      const pathless = badRequest('The target of the request has no path.');
      responder.sendError(response, pathless, { requestId: requestId() });
    });
  };
  return { listener, paths: pathsOf(router) };
}

const pathsOf = ({ stack }: Router): string[] =>
  stack.flatMap(({ route }) => {
    if (!route) return [];
    // A regular expression too, though the types say that it is a text.
    const path = route.path as string | RegExp;
    if (typeof path === 'string') return [path.replaceAll(/:(\w+)/g, '{$1}')];
    return [
      path.source
        .replaceAll('\\/', '/')
        .replaceAll(/\(\?<(\w+)>\[\^\/\]\+\)/g, '{$1}')
        .replace(/^\^|\$$/g, ''),
    ];
  });

/**
 * `/v1/events/{id}` as a regular expression. A path given as text works too, but its parameters are in an object
 * without a prototype, whose members V8 looks up anew for each request.
 */
const routeOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** Operations by path. `/v1/events/batch` comes before `/v1/events/{id}`. */
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

/** The handlers behind all routes. */
function createFallbackHandlers({
  pipeline,
  responder,
  keylessCaller,
  sendErrorPage = () => false,
}: Pick<AppParts, 'pipeline' | 'responder' | 'keylessCaller' | 'sendErrorPage'>) {
  /**
   * Answers with this error. Below paths that need a key, the caller is authenticated and admitted first, so that
   * without a key the answer does not reveal whether a path exists.
   */
  async function refuse(refusal: unknown, request: RoutedRequest, response: ServerResponse): Promise<void> {
    const requestId = responder.requestId(request);
    if (!requiresKey(request.originalUrl)) {
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

  /**
   * Express rejects paths that are not valid percent-encoding. It recognises an error handler by its four parameters.
   */
  const brokenPath = (error: unknown, request: RoutedRequest, response: ServerResponse, _next: unknown) => {
    const isOurs = (error as { readonly status?: number } | null)?.status === 400;
    return refuse(isOurs ? badRequest('The path is not valid percent-encoding.') : error, request, response);
  };

  return { unknownPath, brokenPath };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Router } from 'express';

/**
 * A request as it comes out of Express's router: Node's own, with two members more. The rest of what Express's types
 * promise is not there (see `createApp`).
 */
export interface RoutedRequest extends IncomingMessage {
  /** The address as it was asked for. The router may shorten `url`. */
  readonly originalUrl: string;
  /** What stands in the path in the place of the parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** Answers a request, whatever its method. */
export type RouteHandler = (request: RoutedRequest, response: ServerResponse) => unknown;

/** Puts a route behind those that the router has already. The types of Express promise more than its router gives. */
export function addRoute(router: Router, path: string | RegExp, handler: RouteHandler): void {
  router.route(path).all(handler as unknown as RequestHandler);
}

/** What stands behind the question mark. Express's own parser would build objects from brackets. */
export function queryStringOf({ originalUrl }: RoutedRequest): string {
  const at = originalUrl.indexOf('?');
  return at < 0 ? '' : originalUrl.slice(at + 1);
}

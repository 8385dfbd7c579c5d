import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Router } from 'express';

/**
 * A request from Express's router: Node's request with two more members. The other members of Express's type are
 * missing (see `createApp`).
 */
export interface RoutedRequest extends IncomingMessage {
  /** The URL as requested. The router may shorten `url`. */
  readonly originalUrl: string;
  /** The path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** Answers a request, whatever its method. */
export type RouteHandler = (request: RoutedRequest, response: ServerResponse) => unknown;

/** Adds a route after the existing ones. Express's types promise more than its bare router gives. */
export function addRoute(router: Router, path: string | RegExp, handler: RouteHandler): void {
  router.route(path).all(handler as unknown as RequestHandler);
}

/** The query string. Express's own parser would build objects from brackets. */
export function queryStringOf({ originalUrl }: RoutedRequest): string {
  const at = originalUrl.indexOf('?');
  return at < 0 ? '' : originalUrl.slice(at + 1);
}

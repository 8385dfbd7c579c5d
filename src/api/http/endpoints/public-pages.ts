import { matchesIfNoneMatch } from '../../calls/answer-cache/entity-tag.ts';
import { JSON_TYPE, type Responder } from '../responder.ts';
import type { RoutedRequest, RouteHandler } from '../routed-request.ts';
import { methodNotAllowed } from './operation-route.ts';

export interface PageResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
}

/** A file that people download. */
export interface FileResponse extends Omit<PageResponse, 'body'> {
  readonly body: Buffer;
}

/** Renders the page for a request. @throws ApiError */
export type PageHandler = (request: RoutedRequest) => PageResponse | Promise<PageResponse>;

/** Adds the parts of a page that differ for each request. */
export type PageWrapper = (page: PageHandler) => PageHandler;

/** A route that needs no key. @param page gives the page or the file of a request; may throw an ApiError */
export function createPublicPageRoute<Page extends PageResponse | FileResponse>(
  responder: Responder,
  page: (request: RoutedRequest) => Page | Promise<Page>,
): RouteHandler {
  return async (request, response) => {
    const requestId = responder.requestId(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    try {
      if (!isRead) throw methodNotAllowed(request.method, 'GET, HEAD');
      const { status, type, body, headers = [] } = await page(request);
      const tag = responder.entityTag(`page ${type}`, body);
      const facts = { requestId, headers: [...headers, 'ETag', tag] };
      if (status === 200 && matchesIfNoneMatch(request.headers['if-none-match'], tag))
        responder.sendEmpty(response, 304, facts);
      else responder.send(response, status, type, body, facts);
    } catch (error) {
      responder.sendError(response, error, { requestId, headers: isRead ? [] : ['Allow', 'GET, HEAD'] });
    }
  };
}

const PROBE = ['Cache-Control', 'no-store'];

export const jsonPage = (status: number, value: unknown, headers: readonly string[] = PROBE): PageResponse => ({
  status,
  type: JSON_TYPE,
  body: JSON.stringify(value),
  headers,
});

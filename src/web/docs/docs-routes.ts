import type { Router } from 'express';
import type { Operation } from '../../api/calls/operation/operation.ts';
import {
  createPublicPageRoute,
  jsonPage,
  type PageHandler,
  type PageWrapper,
} from '../../api/http/endpoints/public-pages.ts';
import type { Responder } from '../../api/http/responder.ts';
import { addRoute } from '../../api/http/routed-request.ts';
import { openApiDocument } from '../../api/openapi/openapi-document.ts';
import { cacheByUrl } from '../layout/cache-by-url.ts';
import { BASE_ASSETS } from '../layout/page-assets.ts';
import { type CompatibilityErrors, errorIndexPage, errorPage } from './error-pages.ts';
import { llmsText } from './llms-text.ts';
import type { ApiDocument } from './openapi-types.ts';
import { referencePage } from './reference-page.ts';

interface DocsParts {
  readonly operations: readonly Operation[];
  readonly responder: Responder;
  /** The public address without a trailing slash. */
  readonly baseUrl: () => string;
  /** Adds the reader's flash message to the reference. */
  readonly withFlash?: PageWrapper;
  /** Errors of the compatibility paths, which have pages beside ours. */
  readonly compatibilityErrors?: CompatibilityErrors;
}

/**
 * The pages that need no key: the OpenAPI document, the reference made from it, a page for each error, and a page for
 * language models.
 */
export const docsRoutes =
  ({ operations, responder, baseUrl, compatibilityErrors, withFlash = (page) => page }: DocsParts) =>
  (router: Router): void => {
    const open = (path: string, page: PageHandler) => addRoute(router, path, createPublicPageRoute(responder, page));
    const document = cacheByUrl((url) => openApiDocument(operations, url));
    const documentPage = cacheByUrl((url) => jsonPage(200, document(url), ['Cache-Control', 'public, max-age=300']));
    const reference = cacheByUrl((url) => referencePage(document(url) as unknown as ApiDocument));
    open('/llms.txt', () => llmsText(operations, baseUrl()));
    open('/openapi.json', () => documentPage(baseUrl()));
    const referenceHandler = withFlash(() => reference(baseUrl()));
    for (const path of ['/docs', '/docs/']) open(path, referenceHandler);
    open('/docs/errors', () => errorIndexPage(baseUrl()));
    open('/docs/errors/:code', (request) => errorPage(request.params['code']!, baseUrl(), compatibilityErrors));
    for (const { path, page } of Object.values(BASE_ASSETS)) open(path, () => page);
  };

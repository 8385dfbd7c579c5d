import type { Router } from 'express';
import { notFound } from '../../api/calls/api-errors.ts';
import type { Operation } from '../../api/calls/operation/operation.ts';
import {
  createPublicPageRoute,
  jsonPage,
  type PageHandler,
  type PageWrapper,
} from '../../api/http/endpoints/public-pages.ts';
import type { Responder } from '../../api/http/responder.ts';
import { addRoute, type RoutedRequest } from '../../api/http/routed-request.ts';
import type { DocumentationPage } from '../../api/mcp/modern/resources.ts';
import { serverLocation } from '../../api/mcp/server-location.ts';
import { openApiDocument } from '../../api/openapi/openapi-document.ts';
import { cacheByUrl } from '../layout/cache-by-url.ts';
import type { SitePages } from '../layout/navigation.ts';
import { BASE_ASSETS, SITE_ASSETS } from '../layout/page-assets.ts';
import { errorIndexMarkdown, errorMarkdown } from './error-markdown.ts';
import { type CompatibilityErrors, errorIndexPage, errorPage } from './error-pages.ts';
import { llmsText } from './llms-text.ts';
import { markdownPage, negotiatedMarkdown, orMarkdown } from './markdown-answers.ts';
import type { ApiDocument } from './openapi-types.ts';
import { referenceMarkdown } from './reference-markdown.ts';
import { referencePage } from './reference-page.ts';

interface DocsParts {
  readonly operations: readonly Operation[];
  readonly responder: Responder;
  /** The public address without a trailing slash. */
  readonly baseUrl: () => string;
  /** The program's version. */
  readonly version: string;
  readonly documentation: readonly DocumentationPage[];
  /** Adds the reader's flash message to the reference. */
  readonly withFlash?: PageWrapper;
  /** Errors of the compatibility paths, which have pages beside ours. */
  readonly compatibilityErrors?: CompatibilityErrors;
  /** What the header links to; default: all pages. */
  readonly pages?: SitePages;
}

const CACHED = ['Cache-Control', 'public, max-age=300'];
const END = '.md';

/**
 * The pages that need no key: the OpenAPI document, the reference made from it, a page for each error, the pages of the
 * documentation, and what programs read about the server. Every page also comes as Markdown.
 */
export const docsRoutes =
  (parts: DocsParts) =>
  (router: Router): void => {
    const { operations, responder, baseUrl, version, documentation, compatibilityErrors, pages: site } = parts;
    const { withFlash = (page) => page } = parts;
    const open = (path: string, page: PageHandler) => addRoute(router, path, createPublicPageRoute(responder, page));
    const document = cacheByUrl((url) => openApiDocument(operations, url));
    const described = async (url: string) => (await document(url)) as unknown as ApiDocument;
    const documentPage = cacheByUrl(async (url) => jsonPage(200, await document(url), CACHED));
    const reference = cacheByUrl(async (url) => referencePage(await described(url), site));
    const referenceText = cacheByUrl(async (url) => referenceMarkdown(await described(url)));
    const pages = new Map(documentation.map(({ name, markdown }) => [name, markdown]));
    open('/llms.txt', () => llmsText(operations, baseUrl(), documentation));
    open('/openapi.json', () => documentPage(baseUrl()));
    open('/.well-known/mcp.json', () => jsonPage(200, serverLocation(version, baseUrl()), CACHED));
    const referenceHandler = orMarkdown(
      withFlash(() => reference(baseUrl())),
      () => referenceText(baseUrl()),
    );
    for (const path of ['/docs', '/docs/']) open(path, referenceHandler);
    open('/docs.md', async () => markdownPage(await referenceText(baseUrl())));
    open(
      '/docs/errors',
      orMarkdown(() => errorIndexPage(baseUrl(), site), errorIndexMarkdown),
    );
    open('/docs/errors.md', () => markdownPage(errorIndexMarkdown()));
    const codeOf = ({ params }: RoutedRequest) => params['code']!;
    const errorText = (code: string) => errorMarkdown(code, baseUrl(), compatibilityErrors);
    const errorHandler = orMarkdown(
      (request) => errorPage(codeOf(request), baseUrl(), compatibilityErrors, site),
      (request) => errorText(codeOf(request)),
    );
    open('/docs/errors/:code', (request) => {
      const code = codeOf(request);
      return code.endsWith(END) ? markdownPage(errorText(code.slice(0, -END.length))) : errorHandler(request);
    });
    const documentationPage = (request: RoutedRequest, folder = '') => {
      const name = `${folder}${request.params['page']}`;
      const isFile = name.endsWith(END);
      const text = pages.get(isFile ? name.slice(0, -END.length) : name);
      if (text === undefined) throw notFound(`There is no page ${JSON.stringify(name.slice(0, 100))}.`);
      return isFile ? markdownPage(text) : negotiatedMarkdown(request, text);
    };
    open('/docs/:page', (request) => documentationPage(request));
    // No other folders: routes of other pages have their files in /docs/assets.
    const folders = new Set([...pages.keys()].flatMap((name) => /^[^/]+\//.exec(name) ?? []));
    for (const folder of folders) open(`/docs/${folder}:page`, (request) => documentationPage(request, folder));
    for (const { path, page } of [...Object.values(BASE_ASSETS), ...Object.values(SITE_ASSETS)]) open(path, () => page);
  };

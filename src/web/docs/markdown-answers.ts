import Negotiator from 'negotiator';
import type { PageHandler, PageResponse } from '../../api/http/endpoints/public-pages.ts';
import type { RoutedRequest } from '../../api/http/routed-request.ts';

const MARKDOWN = 'text/markdown';
/** A browser shows it, where it would save Markdown as a file. */
const PLAIN = 'text/plain';
const HTML = 'text/html';
const HEADERS = ['Cache-Control', 'no-cache', 'X-Content-Type-Options', 'nosniff'];
const VARY = ['Vary', 'Accept'];

/** A page at an address that ends in `.md`. */
export const markdownPage = (body: string, type = MARKDOWN, headers: readonly string[] = []): PageResponse => ({
  status: 200,
  type: `${type}; charset=utf-8`,
  body,
  headers: [...HEADERS, ...headers],
});

const preferredType = ({ headers }: Pick<RoutedRequest, 'headers'>, types: readonly string[]): string | undefined =>
  new Negotiator({ headers }).mediaType([...types]);

/** A page of HTML that also comes as Markdown, to whoever accepts that rather. */
export const orMarkdown =
  (page: PageHandler, markdown: (request: RoutedRequest) => string | Promise<string>): PageHandler =>
  async (request) => {
    if (preferredType(request, [HTML, MARKDOWN]) === MARKDOWN)
      return markdownPage(await markdown(request), MARKDOWN, VARY);
    const answer = await page(request);
    return { ...answer, headers: [...(answer.headers ?? []), ...VARY] };
  };

/** A page that is Markdown alone, at its address without `.md`. */
export const negotiatedMarkdown = (request: RoutedRequest, markdown: string): PageResponse =>
  markdownPage(markdown, preferredType(request, [MARKDOWN, HTML]) === HTML ? PLAIN : MARKDOWN, VARY);

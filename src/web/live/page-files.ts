import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { type Html, html } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import { BASE_ASSETS } from '../layout/page-assets.ts';
import { siteFooter, siteHeader } from '../layout/site-header.ts';
import { PUBLIC_PAGE_HEADERS, publicPage, siteAssets, sitePage } from '../layout/site-page.ts';

/** The built page: `index.html`, and `assets/` with file names made from their content. */
export interface PageFiles {
  readonly index: PageResponse;
  readonly assets: ReadonlyMap<string, PageResponse>;
}

/** The build puts the page beside the server's own files. A server that runs from its sources has no page. */
export const BUILT_PAGE = fileURLToPath(new URL('./web', import.meta.url));

const NO_SNIFFING = ['X-Content-Type-Options', 'nosniff'];
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Undefined if the folder holds no page. The files are few and small, so they are kept in memory. */
export function readPageFiles(folder: string): PageFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const read = (...path: readonly string[]) => readFileSync(join(folder, ...path), 'utf8');
  const assets = readdirSync(join(folder, 'assets')).flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const headers = ['Cache-Control', 'public, max-age=31536000, immutable', ...NO_SNIFFING];
    return [[name, { status: 200, type, body: read('assets', name), headers }] as const];
  });
  return {
    index: publicPage(read('index.html')),
    assets: new Map(assets),
  };
}

/** The script and the style of the odds screen, which the server draws; none if the page was not built. */
export function oddsFilesOf(files: PageFiles | undefined): { readonly styles: string[]; readonly scripts: string[] } {
  const named = (pattern: RegExp) =>
    [...(files?.assets.keys() ?? [])].filter((name) => pattern.test(name)).map((name) => `/live/assets/${name}`);
  return { styles: named(/^odds-\w+\.css$/), scripts: named(/^odds-\w+\.js$/) };
}

/** The built page with what every page of the site has, in the places that `index.html` leaves for it. */
export function inLayout(index: PageResponse, pages: SitePages): PageResponse {
  const parts: readonly (readonly [place: string, part: Html])[] = [
    ['<!-- site: assets -->', siteAssets()],
    ['<!-- site: header -->', siteHeader({ path: '/', viewer: 'unknown', pages, home: '#/' })],
    ['<!-- site: footer -->', siteFooter()],
  ];
  // A function, since `$` in a replacement text would have a meaning.
  return { ...index, body: parts.reduce((body, [place, part]) => body.replace(place, () => part.html), index.body) };
}

/** The page at `/` if there is no live page. */
export const plainPage = (pages: SitePages): PageResponse => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  headers: PUBLIC_PAGE_HEADERS,
  body: sitePage({
    path: '/',
    title: 'Ledgerline',
    pages: { ...pages, hasLivePage: false },
    styles: [BASE_ASSETS.style.path],
    skip: 'Skip to the content',
    className: 'plain',
    content: html`<h1>Ledgerline</h1>
<p class="lead">A sports-intelligence server. Every answer is a fold of an event log.</p>
<ul>
${pages.hasGradingPage && html`<li><a href="/grade">Grade a slip</a></li>`}
<li><a href="/forecasts">Forecasts and their record</a></li>
<li><a href="/docs">Reference of the API</a></li>
<li><a href="/dashboard">Your account</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
</ul>`,
  }),
});

import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { SIMULATED_SENTENCE } from '../../domain/primitives/simulated.ts';
import { type Html, html } from './html.ts';
import { ALL_PAGES, type SitePages } from './navigation.ts';
import { SITE_ASSETS } from './page-assets.ts';
import { siteFooter, siteHeader, type Viewer } from './site-header.ts';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%231f4d3f'/%3E%3Cpath d='M6 22h6v-6h6v3h4v-9h4' fill='none' stroke='%23f6f3ea' stroke-width='3' stroke-linejoin='round' stroke-linecap='round'/%3E%3C/svg%3E";

export interface SitePage {
  /** Of the page, without the query: marks its place in the navigation. */
  readonly path: string;
  readonly title: string;
  readonly description?: string;
  /** Default: `unknown`, as on each page that is the same for everybody. */
  readonly viewer?: Viewer;
  /** Default: all. */
  readonly pages?: SitePages | undefined;
  /** Paths of what the page loads beside what every page does. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** Search engines leave the page out. */
  readonly isUnlisted?: boolean;
  /** Such as `Skip to the record`. */
  readonly skip: string;
  /** Of the main part. */
  readonly className?: string;
  /** What the page shows is made up by the demo. */
  readonly isSimulated?: boolean;
  /** Between the header and the main part. */
  readonly beside?: Html;
  readonly content: Html;
}

/** Lays out a page: every page of the site has this head, this header and this footer. It works without scripts. */
export function sitePage(page: SitePage): string {
  const { path, title, description, viewer = 'unknown', pages = ALL_PAGES, styles = [], scripts = [] } = page;
  const main = html`<main id="content"${page.className !== undefined && html` class="${page.className}"`} tabindex="-1">
${page.content}
</main>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${description !== undefined && html`<meta name="description" content="${description}">`}
${page.isUnlisted && html`<meta name="robots" content="noindex">`}
${siteAssets()}
${styles.map((style) => html`<link rel="stylesheet" href="${style}">`)}
${scripts.map((script) => html`<script src="${script}" defer></script>`)}
</head>
<body>
<a class="skip-link" href="#content">${page.skip}</a>
${siteHeader({ path, viewer, pages })}
${page.isSimulated && html`<aside class="simulated-banner" aria-label="About the data">${SIMULATED_SENTENCE}</aside>`}
${page.beside ? html`<div class="columns">${page.beside}${main}</div>` : main}
${siteFooter()}
</body>
</html>
`.html;
}

/** What every page loads. The theme's script is not deferred, so that no page is drawn in the wrong theme first. */
export const siteAssets = (): Html => html`<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
<script src="${SITE_ASSETS.theme.path}"></script>
<link rel="stylesheet" href="${SITE_ASSETS.style.path}">
<script src="${SITE_ASSETS.script.path}" defer></script>`;

/** Loads only from this server and allows no inline code, so injected text could do nothing. */
export const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  // The header has the form of the search.
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of a page that is the same for everybody: browsers cache it, and revalidate it by its ETag. */
export const PUBLIC_PAGE_HEADERS: readonly string[] = [
  ...['Content-Security-Policy', CONTENT_POLICY, 'X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer', 'Cache-Control', 'no-cache'],
];

/** Such a page. */
export const publicPage = (body: string): PageResponse => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  body,
  headers: PUBLIC_PAGE_HEADERS,
});

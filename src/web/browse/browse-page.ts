import { ApiError } from '../../api/calls/api-errors.ts';
import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { type Html, html } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import { BASE_ASSETS } from '../layout/page-assets.ts';
import { SEARCH_PATH } from '../layout/search-field.ts';
import { PUBLIC_PAGE_HEADERS, publicPage, sitePage } from '../layout/site-page.ts';
import { errorState } from '../layout/states.ts';
import { BROWSE_STYLE_ASSET } from './browse-style.ts';

export interface BrowsePage {
  readonly title: string;
  readonly content: Html;
  /** Search engines leave the page out. */
  readonly isUnlisted?: boolean;
  /** Default: those of text and tables. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
}

/** What lays out a page, and a page that cannot be shown. */
export interface BrowseFrame {
  readonly page: (path: string, page: BrowsePage) => PageResponse;
  /** Undefined for an error that is the server's own. */
  readonly errorPage: (path: string, error: unknown) => PageResponse | undefined;
}

/** An operator may undo a merge, so no browser may keep it. */
export const redirectTo = (path: string): PageResponse => ({
  ...publicPage(''),
  status: 302,
  headers: [...PUBLIC_PAGE_HEADERS, 'Location', path],
});

export function createBrowseFrame(parts: {
  readonly pages: SitePages;
  readonly simulated: () => boolean;
}): BrowseFrame {
  const page: BrowseFrame['page'] = (path, { title, content, isUnlisted, styles, scripts }) =>
    publicPage(
      sitePage({
        ...{ path, title: `${title} · Ledgerline`, pages: parts.pages, isUnlisted: isUnlisted ?? false },
        styles: [...(styles ?? [BASE_ASSETS.style.path]), BROWSE_STYLE_ASSET.path],
        ...(scripts && { scripts }),
        skip: 'Skip to the content',
        className: 'browse',
        isSimulated: parts.simulated(),
        content,
      }),
    );
  return {
    page,
    errorPage(path, error) {
      if (!(error instanceof ApiError) || error.status >= 500) return undefined;
      const title = TITLES[error.status] ?? 'This cannot be shown';
      const links = html`<a href="${SEARCH_PATH}">Search</a> or go to the <a href="/">live events</a>.`;
      const answer = page(path, { title, content: errorState(title, error.message, links), isUnlisted: true });
      const { retry_after: retryAfter } = error.extras as { readonly retry_after?: number };
      const retry = retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)];
      return { ...answer, status: error.status, headers: [...PUBLIC_PAGE_HEADERS, ...retry] };
    },
  };
}

const TITLES: Readonly<Record<number, string>> = { 403: 'Not allowed', 404: 'Not found', 429: 'Too many requests' };

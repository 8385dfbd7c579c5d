import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { type Html, html } from './html.ts';
import { DOCS_NAVIGATION, type SitePages } from './navigation.ts';
import { BASE_ASSETS } from './page-assets.ts';
import { navigationLink } from './site-header.ts';
import { publicPage, sitePage } from './site-page.ts';

interface DocsPageContent {
  /** Of the page. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Beside the text: a table of contents. */
  readonly navigation: Html;
  readonly content: Html;
}

/** A page of the documentation. */
export function docsPage(page: DocsPageContent, pages?: SitePages): PageResponse {
  const { path, title, description, navigation, content } = page;
  const links = DOCS_NAVIGATION.map((entry) => {
    const isHere = path === entry.to || (entry.to !== '/docs' && path.startsWith(`${entry.to}/`));
    return navigationLink(entry, isHere, path === entry.to);
  });
  const body = sitePage({
    ...{ path, title, description, pages, skip: 'Skip to the text' },
    styles: [BASE_ASSETS.style.path],
    scripts: [BASE_ASSETS.script.path],
    beside: html`<div class="contents"><nav class="pages" aria-label="Documentation">${links}</nav><nav aria-label="Contents">${navigation}</nav></div>`,
    content,
  });
  return publicPage(body);
}

import { type Html, html } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import { BASE_ASSETS, styleAsset } from '../layout/page-assets.ts';
import type { Viewer } from '../layout/site-header.ts';
import { sitePage } from '../layout/site-page.ts';
import { ACCOUNT_STYLE, USAGE_STYLE } from './account-style.ts';
import type { Flash, PageRequest } from './page-route.ts';

export const ACCOUNT_ASSETS = { style: styleAsset('/site/assets/site', `${ACCOUNT_STYLE}${USAGE_STYLE}`) } as const;

interface AccountPageContent {
  readonly title: string;
  readonly content: Html;
  readonly scripts?: readonly string[] | undefined;
  readonly flash?: Flash | undefined;
  readonly isSimulated: boolean;
  /** Default: all. */
  readonly pages?: SitePages | undefined;
}

/** The request of a page, as far as its layout depends on it; without a session if it was not opened. */
type Seen = Pick<PageRequest, 'path'> & { readonly session?: PageRequest['session'] };

/** Lays out a page of the browser application. Every page works without scripts. */
export function layOutAccountPage(seen: Seen, page: AccountPageContent): string {
  const { title, content, scripts = [], flash, isSimulated, pages } = page;
  return sitePage({
    path: seen.path,
    title: `${title} · Ledgerline`,
    viewer: 'session' in seen ? viewerOf(seen.session) : 'unknown',
    pages,
    isUnlisted: true,
    styles: [BASE_ASSETS.style.path, ACCOUNT_ASSETS.style.path],
    scripts,
    skip: 'Skip to the content',
    className: 'site',
    isSimulated,
    content: html`${flash && flashLine(flash)}
<h1>${title}</h1>
${content}`,
  });
}

export const viewerOf = (session: PageRequest['session']): Viewer =>
  session ? { isStaff: session.user.isStaff } : 'nobody';

/** The result of a form, shown once on the next page. */
export const flashLine = ({ kind, text, link }: Flash): Html =>
  html`<p class="flash ${kind}" role="status">${text}${link && html` <a href="${link.to}">${link.text}</a>`}</p>`;

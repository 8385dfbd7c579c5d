import { type Html, html } from './html.ts';
import {
  ACCOUNT_NAVIGATION,
  type NavigationEntry,
  SIGN_OUT_ENTRY,
  SITE_NAVIGATION,
  type SitePages,
  STAFF_ENTRY,
} from './navigation.ts';
import { SEARCH_PATH, searchField, searchLink } from './search-field.ts';

/**
 * Who sees the page. A page that is the same for everybody, because it is cached, does not know: a script asks for the
 * menu then, and without scripts there is a link to the account.
 */
export type Viewer = 'unknown' | 'nobody' | { readonly isStaff: boolean };

interface SiteHeader {
  /** Of the page, without the query. */
  readonly path: string;
  readonly viewer: Viewer;
  readonly pages: SitePages;
  /** Where the name and `Live` lead to; default `/`. */
  readonly home?: string;
}

/** The header of every page. */
export function siteHeader({ path, viewer, pages, home = '/' }: SiteHeader): Html {
  const entries = SITE_NAVIGATION.filter(({ isShown = () => true }) => isShown(pages));
  return html`<header class="site-header"><div class="site-header-inside">
<a class="wordmark" href="${home}"><svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><rect class="wordmark-ground" width="32" height="32" rx="7"/><path class="wordmark-line" d="M6 22h6v-6h6v3h4v-9h4"/></svg><span class="wordmark-name">Ledgerline</span></a>
<button type="button" class="tool menu-button" aria-controls="site-navigation" aria-expanded="false" hidden>Menu</button>
<nav id="site-navigation" class="site-navigation" aria-label="Site">${entries.map(({ to, text }) =>
    navigationLink({ to: to === '/' ? home : to, text }, to === '/' ? path === '/' : isAt(path, to), path === to),
  )}</nav>
<div class="page-tools"></div>
${pages.hasLivePage && html`${path !== SEARCH_PATH && searchField('site-search')}${searchLink(path === SEARCH_PATH)}`}
<button type="button" class="tool theme-switch" hidden><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><circle class="theme-ring" cx="8" cy="8" r="6"/><path class="theme-half" d="M8 2a6 6 0 0 1 0 12z"/></svg><span class="hidden-text"></span></button>
<div class="account"${viewer === 'unknown' && html` data-unknown`}>${accountLinks(viewer, path)}</div>
</div></header>`;
}

/** The end of every page. */
export const siteFooter = (): Html =>
  html`<footer class="site-footer"><a href="/docs">API reference</a> <a href="/client">Clients</a> <a href="/openapi.json">OpenAPI</a> <a href="/forecasts#record">The forecasts’ record</a></footer>`;

/** What stands at the right of the header: the menu of whoever is signed in, or the way to sign in. */
export function accountLinks(viewer: Viewer, path: string): Html {
  if (viewer === 'unknown') return html`<a class="tool" href="/dashboard">Account</a>`;
  if (viewer === 'nobody') {
    return navigationLink({ to: '/login', text: 'Sign in' }, path === '/login', path === '/login', 'tool');
  }
  const entries = [...ACCOUNT_NAVIGATION, ...(viewer.isStaff ? [STAFF_ENTRY] : []), SIGN_OUT_ENTRY];
  return html`<details class="account-menu"><summary class="tool">Account</summary><nav aria-label="Account">${entries.map(
    (entry) => navigationLink(entry, isAt(path, entry.to), path === entry.to),
  )}</nav></details>`;
}

const isAt = (path: string, to: string): boolean => path === to || path.startsWith(`${to}/`);

/**
 * @param isHere the page is this one, or one below it
 * @param isItself the page is this one
 */
export const navigationLink = (
  { to, text }: Pick<NavigationEntry, 'to' | 'text'>,
  isHere: boolean,
  isItself: boolean,
  className?: string,
): Html =>
  html`<a${className !== undefined && html` class="${className}"`} href="${to}"${isHere && html` aria-current="${isItself ? 'page' : 'true'}"`}>${text}</a> `;

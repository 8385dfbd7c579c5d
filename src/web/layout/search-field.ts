import { type Html, html } from './html.ts';

export const SEARCH_PATH = '/search';
/** What a script shows below the field while somebody types. */
export const SUGGESTIONS_PATH = '/search/suggestions';

/**
 * The field that looks for events, teams, players and leagues. Without scripts it is a form.
 * @param id of the field; each page may have several
 * @param isFirst typing begins in it at once
 */
export const searchField = (id: string, value = '', isFirst = false): Html =>
  html`<form class="site-search" role="search" aria-label="Everything" action="${SEARCH_PATH}"><label class="hidden-text" for="${id}">Search events, teams, players and leagues</label><input id="${id}" type="search" name="q" value="${value}" placeholder="Search" maxlength="200" autocomplete="off" spellcheck="false"${isFirst && html` autofocus`}></form>`;

/** In the place of the field where the header has no room for it. */
export const searchLink = (isHere: boolean): Html =>
  html`<a class="tool search-link" href="${SEARCH_PATH}"${isHere && html` aria-current="page"`}><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><circle class="search-ring" cx="7" cy="7" r="4.5"/><path class="search-ring" d="m10.5 10.5 4 4"/></svg><span class="hidden-text">Search</span></a>`;

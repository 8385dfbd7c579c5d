import { type Html, html } from '../../layout/html.ts';
import { page } from '../answers.ts';
import { hiddenField, refusalBox, selectField } from '../fields.ts';
import { notFound } from '../not-found.ts';
import { textOf, wholeNumber } from '../values.ts';
import type { Refusal, SignedInVisit, SiteAnswer, SiteRoute } from '../visit.ts';

/** What the pages of the staff have in common. */

export const SECTIONS = [
  ['/admin/users', 'Users'],
  ['/admin/customers', 'Customers'],
  ['/admin/coupons', 'Coupons'],
  ['/admin/plans', 'Plans'],
  ['/admin/settings', 'Settings'],
  ['/admin/security', 'Security log'],
] as const;

/** A page below the links to all of them. @param refusal of the form that was posted to it */
export function staffPage(visit: SignedInVisit, title: string, content: Html, refusal?: Refusal): SiteAnswer {
  const links = SECTIONS.map(([path, text]) => {
    const isHere = visit.path === path || visit.path.startsWith(`${path}/`);
    return html`<a href="${path}"${isHere && html` aria-current="page"`}>${text}</a> `;
  });
  return page(
    title,
    html`<nav class="pages" aria-label="Staff">${links}</nav>
${refusalBox(refusal)}
${content}`,
    refusal && { status: refusal.status },
  );
}

/** A page that all of the staff may read. */
export const staffGet = (path: string, run: (visit: SignedInVisit) => Promise<SiteAnswer>): SiteRoute => ({
  method: 'GET',
  path,
  access: 'staff',
  run,
});

export const mayChange = ({ session: { user } }: SignedInVisit): boolean => user.isStaff && user.role === 'admin';

/** An id of the path. @throws notFound where it is none */
export function idOf({ params }: SignedInVisit, name: string): number {
  const text = params[name] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound();
  return Number(text);
}

export const PAGE_SIZE = 50;

/** `page` of a query, from 1; undefined where it is wrong. */
export function pageOf(query: URLSearchParams): number | undefined {
  const text = textOf(query, 'page');
  if (text === '') return 1;
  const number = wholeNumber(text);
  return number !== undefined && number >= 1 && number <= 1_000_000_000 ? number : undefined;
}

export const WRONG_PAGE: Refusal = {
  status: 422,
  message: 'A page is a whole number from 1.',
  fields: { page: 'A page is a whole number from 1.' },
};

/** A table that may be wider than the page. @param empty what stands there without rows */
export const table = (name: string, heads: readonly string[], rows: readonly Html[], empty: string): Html =>
  rows.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<div class="table" tabindex="0" role="group" aria-label="${name}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;

/** Names with what they stand for. */
export const facts = (entries: readonly (readonly [string, Html | string])[]): Html =>
  html`<dl>${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;

export const badge = (text: string): Html => html`<span class="badge">${text}</span>`;

/** What cannot be taken back is asked for twice, without scripts too: the button stands where the summary is opened. */
export const confirmed = (summary: string, content: Html, isOpen = false): Html =>
  html`<details${isOpen && html` open`}><summary>${summary}</summary>
${content}</details>`;

/** What a button sends; a field to choose from where it was sent wrong, so that the message has its place. */
export const sentValue = (name: string, value: string, label: string, id: string, error: string | undefined): Html =>
  error === undefined
    ? hiddenField(name, value)
    : selectField({
        ...{ name, label, value, error, id },
        options: [
          ['true', 'true'],
          ['false', 'false'],
        ],
      });

/** What stands in a field: what was typed where the form was refused, else what is. */
export const typedOr = (visit: SignedInVisit, refusal: Refusal | undefined, name: string, present: string): string =>
  refusal !== undefined && visit.form.has(name) ? textOf(visit.form, name) : present;

/** Looks for text in a list. */
export const searchForm = (action: string, label: string, q: string): Html =>
  html`<form method="get" action="${action}" role="search" class="filters"><div class="field"><label for="field-q">${label}</label>
<input id="field-q" name="q" type="search" value="${q}"></div><button type="submit">Search</button></form>`;

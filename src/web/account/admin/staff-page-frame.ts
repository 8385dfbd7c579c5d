import { type Html, html } from '../../layout/html.ts';
import { hiddenField, refusalBox, selectField } from '../form-fields.ts';
import { fieldText, parseWholeNumber } from '../form-values.ts';
import { notFound } from '../page-errors.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts, StaffActOnUser } from './admin-parts.ts';

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
export function staffPage(visit: SignedInRequest, title: string, content: Html, refusal?: Refusal): PageResponse {
  const links = SECTIONS.map(([path, text]) => {
    const isHere = visit.path === path || visit.path.startsWith(`${path}/`);
    return html`<a href="${path}"${isHere && html` aria-current="page"`}>${text}</a> `;
  });
  return pageResponse(
    title,
    html`<nav class="pages" aria-label="Staff">${links}</nav>
${refusalBox(refusal)}
${content}`,
    refusal && { status: refusal.status },
  );
}

/** A page that all of the staff may read. */
export const staffGet = (path: string, run: (visit: SignedInRequest) => Promise<PageResponse>): PageRoute => ({
  method: 'GET',
  path,
  access: 'staff',
  run,
});

export const mayChange = ({ session: { user } }: SignedInRequest): boolean => user.isStaff && user.role === 'admin';

/** An id of the path. @throws notFound where it is none */
export function idFromPath({ params }: SignedInRequest, name: string): number {
  const text = params[name] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound();
  return Number(text);
}

export const PAGE_SIZE = 50;

/** `page` of a query, from 1; undefined where it is wrong. */
export function readPageNumber(query: URLSearchParams): number | undefined {
  const text = fieldText(query, 'page');
  if (text === '') return 1;
  const number = parseWholeNumber(text);
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
export const definitionList = (entries: readonly (readonly [string, Html | string])[]): Html =>
  html`<dl>${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;

export const badge = (text: string): Html => html`<span class="badge">${text}</span>`;

/** What cannot be taken back is asked for twice, without scripts too: the button stands where the summary is opened. */
export const confirmation = (summary: string, content: Html, isOpen = false): Html =>
  html`<details${isOpen && html` open`}><summary>${summary}</summary>
${content}</details>`;

/** What a button sends; a field to choose from where it was sent wrong, so that the message has its place. */
export const hiddenOrSelectField = (
  name: string,
  value: string,
  label: string,
  id: string,
  error: string | undefined,
): Html =>
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
export const typedValueOr = (
  visit: SignedInRequest,
  refusal: Refusal | undefined,
  name: string,
  present: string,
): string => (refusal !== undefined && visit.form.has(name) ? fieldText(visit.form, name) : present);

/** Looks for text in a list. */
export const searchForm = (action: string, label: string, q: string): Html =>
  html`<form method="get" action="${action}" role="search" class="filters"><div class="field"><label for="field-q">${label}</label>
<input id="field-q" name="q" type="search" value="${q}"></div><button type="submit">Search</button></form>`;

/** What a POST of the staff came to. */
interface StaffActionResult {
  readonly to: string;
  /** A sentence for the page that it leads to. */
  readonly text: string;
  /** Whom it concerns, where it is somebody. */
  readonly userId?: number | undefined;
  /** For the log; absent: what was called records its fact itself. */
  readonly fact?: Pick<StaffActOnUser, 'act' | 'subject' | 'details'>;
}

interface StaffAction {
  readonly path: string;
  readonly access: 'staff' | 'admin';
  /** What was called notes it in the security log; absent: `admin_action` is noted here. */
  readonly notesItself?: true;
  run(visit: SignedInRequest): Promise<StaffActionResult>;
  refused(visit: SignedInRequest, refusal: Refusal): Promise<PageResponse>;
}

/** A POST of the staff: what is done is noted, with who did it, and what is refused is not. */
export const staffPost = (
  { securityLog, recordStaffAct }: Pick<AdminParts, 'securityLog' | 'recordStaffAct'>,
  { path, access, notesItself, run, refused }: StaffAction,
): PageRoute => ({
  method: 'POST',
  path,
  access,
  refused,
  async run(visit) {
    const { to, text, userId, fact } = await run(visit);
    const byUserId = visit.session.user.id;
    if (fact) await recordStaffAct({ ...fact, ...staffActorOf(visit) });
    if (!notesItself) {
      await securityLog.note({ type: 'admin_action', userId, byUserId, path: visit.path, client: visit.client });
    }
    return redirect(to, successFlash(text));
  },
});

/** Who of the staff asks, for what records its fact itself. */
export const staffActorOf = ({ session, requestId }: SignedInRequest) => ({ userId: session.user.id, requestId });

import { type Html, html } from '../../layout/html.ts';
import { tabs } from '../../layout/tabs.ts';
import { hiddenField, refusalBox, selectField, textField } from '../form-fields.ts';
import { fieldText, parseWholeNumber } from '../form-values.ts';
import { notFound } from '../page-errors.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { Flash, PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts, StaffActOnUser } from './admin-parts.ts';

/** What all staff pages share. */

export const SECTIONS = [
  ['/admin/users', 'Users'],
  ['/admin/customers', 'Customers'],
  ['/admin/coupons', 'Coupons'],
  ['/admin/plans', 'Plans'],
  ['/admin/settings', 'Settings'],
  ['/admin/data', 'Data'],
  ['/admin/security', 'Security log'],
] as const;

/**
 * A page below the links to all staff pages.
 * @param refusal of the form that was posted to this page
 */
export function staffPage(visit: SignedInRequest, title: string, content: Html, refusal?: Refusal): PageResponse {
  const links = [['/admin', 'Health'] as const, ...SECTIONS].map(([to, name]) => {
    const isShown = visit.path === to || (to !== '/admin' && visit.path.startsWith(`${to}/`));
    return { to, name, isShown };
  });
  return pageResponse(
    title,
    html`${tabs('Staff', links)}
${refusalBox(refusal)}
${content}`,
    refusal && { status: refusal.status },
  );
}

/** A page that all staff may read. */
export const staffGet = (path: string, run: (visit: SignedInRequest) => Promise<PageResponse>): PageRoute => ({
  method: 'GET',
  path,
  access: 'staff',
  run,
});

export const mayChange = ({ session: { user } }: SignedInRequest): boolean => user.isStaff && user.role === 'admin';

/**
 * Reads an id from the path.
 * @throws ApiError not_found if the text is no id
 */
export function idFromPath({ params }: SignedInRequest, name: string): number {
  const text = params[name] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound();
  return Number(text);
}

/** The `page` of a query, from 1; undefined if it is wrong. */
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

/** A list of names and values. */
export const definitionList = (entries: readonly (readonly [string, Html | string])[]): Html =>
  html`<dl>${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;

/** One figure at a glance. */
export const card = (title: string, stat: string, more: Html | string, kind: 'plain' | 'bad' = 'plain'): Html =>
  html`<section class="card"><h3>${title}</h3><p class="stat${kind === 'bad' && ' bad'}">${stat}</p><p class="facts">${more}</p></section>`;

export const badge = (text: string, kind: '' | 'good' | 'warn' | 'bad' = ''): Html =>
  html`<span class="badge ${kind}">${text}</span>`;

/**
 * Asks for a second click before an action that cannot be undone: the button is inside a closed `details` element,
 * which works without scripts.
 */
export const confirmation = (summary: Html | string, content: Html, isOpen = false): Html =>
  html`<details${isOpen && html` open`}><summary>${summary}</summary>
${content}</details>`;

/**
 * A hidden field. If the sent value was wrong, it becomes a visible select, so that the error message has a field to
 * belong to.
 */
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
        name,
        label,
        value,
        error,
        id,
        options: [
          ['true', 'true'],
          ['false', 'false'],
        ],
      });

/** The value of a field: the typed text if the form was refused, otherwise the present value. */
export const typedValueOr = (
  visit: SignedInRequest,
  refusal: Refusal | undefined,
  name: string,
  present: string,
): string => (refusal !== undefined && visit.form.has(name) ? fieldText(visit.form, name) : present);

/** The search form of a list. */
export const searchForm = (action: string, label: string, q: string): Html =>
  html`<form method="get" action="${action}" role="search" class="filters">${textField({ name: 'q', label, type: 'search', value: q })}<button type="submit">Search</button></form>`;

/** The result of a staff action. */
interface StaffActionResult {
  readonly to: string;
  /** A sentence for the page that follows. */
  readonly text: string;
  /** Where its result is to be seen. */
  readonly link?: Flash['link'];
  /** The user that the action concerns, if any. */
  readonly userId?: number | undefined;
  /** For the log; absent if the called service records its own event. */
  readonly fact?: Pick<StaffActOnUser, 'act' | 'subject' | 'details'>;
}

interface StaffAction {
  readonly path: string;
  readonly access: 'staff' | 'admin';
  /** The called service notes the action in the security log; absent: `admin_action` is noted here. */
  readonly notesItself?: true;
  run(visit: SignedInRequest): Promise<StaffActionResult>;
  refused(visit: SignedInRequest, refusal: Refusal): Promise<PageResponse>;
}

/**
 * A POST route for staff. It notes a successful action together with the member of staff. It notes nothing if the
 * action is refused.
 */
export const staffPost = (
  { securityLog, recordStaffAct }: Pick<AdminParts, 'securityLog' | 'recordStaffAct'>,
  { path, access, notesItself, run, refused }: StaffAction,
): PageRoute => ({
  method: 'POST',
  path,
  access,
  refused,
  async run(visit) {
    const { to, text, link, userId, fact } = await run(visit);
    const byUserId = visit.session.user.id;
    if (fact) await recordStaffAct({ ...fact, ...staffActorOf(visit) });
    if (!notesItself) {
      await securityLog.note({ type: 'admin_action', userId, byUserId, path: visit.path, client: visit.client });
    }
    return redirect(to, { ...successFlash(text), ...(link && { link }) });
  },
});

/** The acting member of staff, for services that record their own event. */
export const staffActorOf = ({ session, requestId }: SignedInRequest) => ({ userId: session.user.id, requestId });

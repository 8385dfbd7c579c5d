import type { SecurityEvent } from '../../../accounts/users/security-log.ts';
import type { Session, User } from '../../../accounts/users/user-service.ts';
import { type Html, html } from '../../layout/html.ts';
import { tableOrEmpty } from '../../layout/states.ts';
import { browserName } from '../browser-name.ts';
import { postButton, postForm, selectField, submitButton, textField } from '../form-fields.ts';
import { fieldText, paginationNav, readBefore, rowCountText } from '../form-values.ts';
import { creditsText, timeTag } from '../formats.ts';
import { notFound } from '../page-errors.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { eventsTable } from './security-page.ts';
import {
  badge,
  confirmation,
  definitionList,
  hiddenOrSelectField,
  idFromPath,
  mayChange,
  readPageNumber,
  searchForm,
  staffGet,
  staffPage,
  typedValueOr,
  WRONG_PAGE,
} from './staff-page-frame.ts';

type UserPageParts = Pick<AdminParts, 'users' | 'securityLog' | 'balanceOf'>;

/** Everything that staff see of a user, and the forms to change it. */
export async function userPage(
  { users, securityLog, balanceOf }: UserPageParts,
  visit: SignedInRequest,
  refusal?: Refusal,
): Promise<PageResponse> {
  const id = idFromPath(visit, 'id');
  const user = await users.staff.find(id);
  if (!user) throw notFound();
  const [sessions, { events }, balance, rateLimit] = await Promise.all([
    users.staff.sessionsOf(id),
    securityLog.list({ userId: id }),
    user.accountId === null ? undefined : balanceOf(user.accountId),
    users.staff.rateLimitOf(id),
  ]);
  const { timezone } = visit.session.user;
  const of = { visit, user, refusal, path: `/admin/users/${id}` };
  const left = balance && (balance.total_remaining === null ? 'no limit' : creditsText(balance.total_remaining));
  return staffPage(
    visit,
    `User ${user.email}`,
    html`<section aria-labelledby="about"><h2 id="about">About</h2>
${definitionList([
  ['Id', String(id)],
  ['Name', user.name ?? '–'],
  ['State', html`${userStateBadges(user)} ${user.isActive && 'active'}`],
  ['Since', timeTag(user.createdAt, timezone)],
  ['Time zone', user.timezone],
  ['Signs in by', signInMethods(user)],
  [
    'Account',
    user.accountId === null
      ? 'none before the address is verified'
      : html`<a href="/admin/customers/${user.accountId}">${user.accountId}</a>`,
  ],
  ...(balance
    ? ([
        ['Plan', balance.tier],
        ['Credits left', left!],
      ] as const)
    : []),
  ['Requests a minute', rateLimit === null ? 'the plan’s' : creditsText(rateLimit)],
])}</section>
<section aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>
${sessionsTable(sessions, timezone)}
${postButton(visit, `${of.path}/revoke-sessions`, 'End all sessions', 'quiet')}</section>
<section aria-labelledby="mails"><h2 id="mails">Mails</h2>
${postButton(visit, `${of.path}/password-reset`, 'Mail a link to reset the password', 'quiet')}
${postButton(visit, `${of.path}/resend-verification`, 'Mail the link to verify the address again', 'quiet')}</section>
${mayChange(visit) && adminSections({ ...of, rateLimit })}
<section aria-labelledby="events"><h2 id="events">Security events</h2>
${securityEvents(events, timezone)}</section>`,
    refusal,
  );
}

interface UserPageView {
  readonly visit: SignedInRequest;
  readonly user: User;
  readonly refusal: Refusal | undefined;
  readonly path: string;
}

/** What staff with the role `admin` can do. */
function adminSections({
  visit,
  user,
  refusal,
  path,
  rateLimit,
}: UserPageView & { readonly rateLimit: number | null }): Html {
  const error = (name: string) => refusal?.fields[name];
  return html`<section aria-labelledby="limit"><h2 id="limit">Rate limit</h2>
${postForm(
  visit,
  `${path}/rate-limit`,
  html`${textField({
    name: 'requests_per_minute',
    label: 'Requests a minute',
    inputmode: 'numeric',
    hint: '1 to 100,000; empty: what the plan gives.',
    value: typedValueOr(visit, refusal, 'requests_per_minute', rateLimit === null ? '' : String(rateLimit)),
    error: error('requests_per_minute'),
  })}${submitButton('Set the limit')}`,
)}</section>
<section aria-labelledby="staff"><h2 id="staff">Staff</h2>
${postForm(
  visit,
  `${path}/staff`,
  html`${selectField({
    name: 'staff',
    label: 'Belongs to the staff',
    error: error('staff'),
    value: typedValueOr(visit, refusal, 'staff', String(user.isStaff)),
    options: [
      ['false', 'No'],
      ['true', 'Yes'],
    ],
  })}${submitButton('Save')}`,
)}
${postForm(
  visit,
  `${path}/role`,
  html`${selectField({
    name: 'role',
    label: 'Role',
    error: error('role'),
    hint: 'Counts for staff alone.',
    value: typedValueOr(visit, refusal, 'role', user.role),
    options: [
      ['support', 'support: reads, ends sessions, mails links'],
      ['admin', 'admin: does all'],
    ],
  })}${submitButton('Save the role')}`,
)}</section>
<section aria-labelledby="access"><h2 id="access">Access</h2>
${user.id === visit.session.user.id ? html`<p>Nobody suspends or deletes himself here.</p>` : accessForms({ visit, user, refusal, path })}</section>`;
}

/** Suspending and deleting need a second click. */
function accessForms({ visit, user, refusal, path }: UserPageView): Html {
  const wrong = refusal?.fields['active'];
  const active = (value: 'true' | 'false') => hiddenOrSelectField('active', value, 'Active', 'field-active', wrong);
  return html`${
    user.isActive
      ? confirmation(
          'Suspend this user…',
          html`<p>Sessions end and keys stop working within a second; no sign-in, webhooks or automatic purchases.</p>
${postForm(visit, `${path}/toggle`, html`${active('false')}${submitButton('Suspend', 'danger')}`)}`,
          wrong !== undefined,
        )
      : html`<p>Suspended. Made active again, the keys work again; the sessions do not.</p>
${postForm(visit, `${path}/toggle`, html`${active('true')}${submitButton('Make active again')}`)}`
  }
${confirmation(
  'Delete this user…',
  html`<p>Sessions, keys, webhooks and subscription end at once, and personal data is erased. It cannot be taken back.</p>
${postForm(visit, `${path}/delete`, submitButton('Delete for good', 'danger'))}`,
)}`;
}

function signInMethods({ hasPassword, githubId }: User): string {
  const ways = [...(hasPassword ? ['password'] : []), ...(githubId === null ? [] : [`GitHub (${githubId})`])];
  return ways.length === 0 ? '–' : ways.join(', ');
}

const sessionsTable = (sessions: readonly Session[], timezone: string): Html =>
  tableOrEmpty(
    'Sessions',
    ['Began', 'Last used', 'IP', 'Browser'],
    sessions.map(
      ({ createdAt, lastUsedAt, ip, userAgent }) =>
        html`<tr><td>${timeTag(createdAt, timezone)}</td><td>${timeTag(lastUsedAt, timezone)}</td><td>${ip}</td><td title="${userAgent}">${browserName(userAgent)}</td></tr>`,
    ),
    'There are none.',
  );

const securityEvents = (events: readonly SecurityEvent[], timezone: string): Html =>
  html`${events.length > 0 && html`<p class="facts">The newest ${events.length}, newest first.</p>`}${eventsTable(events, timezone)}`;

export const userListRoute = ({ users: people }: Pick<AdminParts, 'users'>): PageRoute =>
  staffGet('/admin/users', async (visit) => {
    const { query, session } = visit;
    const q = fieldText(query, 'q');
    const number = readPageNumber(query);
    const search = searchForm('/admin/users', 'E-mail or name', q);
    if (number === undefined) return staffPage(visit, 'Users', search, WRONG_PAGE);
    const { users, hasMore } = await people.staff.list(number, q, readBefore(query));
    const part = { page: number, lowestId: users.at(-1)?.id, hasMore };
    return staffPage(
      visit,
      'Users',
      html`${search}
<p class="facts">${rowCountText(users.length, part, ['user', 'users'])}</p>
${tableOrEmpty(
  'Users',
  ['E-mail', 'Name', 'State', 'Since'],
  users.map((user) => userRow(user, session.user.timezone)),
  'There are none.',
)}
${paginationNav('/admin/users', query, part)}`,
    );
  });

const userRow = (user: User, timezone: string): Html =>
  html`<tr><td><a href="/admin/users/${user.id}">${user.email}</a></td><td>${user.name}</td><td>${userStateBadges(user)}</td><td>${timeTag(user.createdAt, timezone)}</td></tr>`;

/** Only states that differ from those of most users. */
const userStateBadges = ({ isVerified, isActive, isStaff, role }: User): Html =>
  html`${!isVerified && badge('not verified')} ${!isActive && badge('suspended')} ${isStaff && badge(role)}`;

import type { SecurityEvent } from '../../../accounts/users/security-log.ts';
import type { Session, User } from '../../../accounts/users/user.ts';
import { type Html, html } from '../../layout/html.ts';
import { form, postButton, selectField, submit, textField } from '../fields.ts';
import { creditsText, timeTag } from '../formats.ts';
import { notFound } from '../not-found.ts';
import type { Refusal, SignedInVisit, SiteAnswer } from '../visit.ts';
import type { AdminParts } from './admin-parts.ts';
import { eventsTable } from './security-page.ts';
import { confirmed, facts, idOf, mayChange, sentValue, staffPage, table, typedOr } from './staff-pages.ts';
import { stateOf } from './user-list.ts';

export type UserPageParts = Pick<AdminParts, 'people' | 'securityLog' | 'balanceOf'>;

/** All that staff see of a user, and do with him. */
export async function userPage(
  { people, securityLog, balanceOf }: UserPageParts,
  visit: SignedInVisit,
  refusal?: Refusal,
): Promise<SiteAnswer> {
  const id = idOf(visit, 'id');
  const user = await people.staff.find(id);
  if (!user) throw notFound();
  const [sessions, { events }, balance, rateLimit] = await Promise.all([
    people.staff.sessionsOf(id),
    securityLog.list({ page: 1, userId: id }),
    user.accountId === null ? undefined : balanceOf(user.accountId),
    people.staff.rateLimitOf(id),
  ]);
  const { timezone } = visit.session.user;
  const of = { visit, user, refusal, path: `/admin/users/${id}` };
  const left = balance && (balance.total_remaining === null ? 'no limit' : creditsText(balance.total_remaining));
  return staffPage(
    visit,
    `User ${user.email}`,
    html`<section aria-labelledby="about"><h2 id="about">About</h2>
${facts([
  ['Id', String(id)],
  ['Name', user.name ?? '–'],
  ['State', html`${stateOf(user)} ${user.isActive && 'active'}`],
  ['Since', timeTag(user.createdAt, timezone)],
  ['Time zone', user.timezone],
  ['Signs in by', waysIn(user)],
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
${postButton(visit, `${of.path}/revoke-sessions`, 'End all sessions')}</section>
<section aria-labelledby="mails"><h2 id="mails">Mails</h2>
${postButton(visit, `${of.path}/password-reset`, 'Mail a link to reset the password')}
${postButton(visit, `${of.path}/resend-verification`, 'Mail the link to verify the address again')}</section>
${mayChange(visit) && changes({ ...of, rateLimit })}
<section aria-labelledby="events"><h2 id="events">Security events</h2>
${securityEvents(events, timezone)}</section>`,
    refusal,
  );
}

interface Drawn {
  readonly visit: SignedInVisit;
  readonly user: User;
  readonly refusal: Refusal | undefined;
  readonly path: string;
}

/** What those of the staff who may change things do. */
function changes({ visit, user, refusal, path, rateLimit }: Drawn & { readonly rateLimit: number | null }): Html {
  const error = (name: string) => refusal?.fields[name];
  return html`<section aria-labelledby="limit"><h2 id="limit">Rate limit</h2>
${form(
  visit,
  `${path}/rate-limit`,
  html`${textField({
    ...{ name: 'requests_per_minute', label: 'Requests a minute', inputmode: 'numeric' },
    hint: '1 to 100,000; empty: what the plan gives.',
    value: typedOr(visit, refusal, 'requests_per_minute', rateLimit === null ? '' : String(rateLimit)),
    error: error('requests_per_minute'),
  })}${submit('Set the limit')}`,
)}</section>
<section aria-labelledby="staff"><h2 id="staff">Staff</h2>
${form(
  visit,
  `${path}/staff`,
  html`${selectField({
    ...{ name: 'staff', label: 'Belongs to the staff', error: error('staff') },
    value: typedOr(visit, refusal, 'staff', String(user.isStaff)),
    options: [
      ['false', 'No'],
      ['true', 'Yes'],
    ],
  })}${submit('Save')}`,
)}
${form(
  visit,
  `${path}/role`,
  html`${selectField({
    ...{ name: 'role', label: 'Role', error: error('role') },
    hint: 'Counts for staff alone.',
    value: typedOr(visit, refusal, 'role', user.role),
    options: [
      ['support', 'support: reads, ends sessions, mails links'],
      ['admin', 'admin: does all'],
    ],
  })}${submit('Save the role')}`,
)}</section>
<section aria-labelledby="access"><h2 id="access">Access</h2>
${user.id === visit.session.user.id ? html`<p>Nobody suspends or deletes himself here.</p>` : access({ visit, user, refusal, path })}</section>`;
}

/** Suspending and deleting are asked for twice. */
function access({ visit, user, refusal, path }: Drawn): Html {
  const wrong = refusal?.fields['active'];
  const active = (value: 'true' | 'false') => sentValue('active', value, 'Active', 'field-active', wrong);
  return html`${
    user.isActive
      ? confirmed(
          'Suspend this user…',
          html`<p>Sessions end and keys stop working within a second; no sign-in, webhooks or automatic purchases.</p>
${form(visit, `${path}/toggle`, html`${active('false')}${submit('Suspend', 'danger')}`)}`,
          wrong !== undefined,
        )
      : html`<p>Suspended. Made active again, the keys work again; the sessions do not.</p>
${form(visit, `${path}/toggle`, html`${active('true')}${submit('Make active again')}`)}`
  }
${confirmed(
  'Delete this user…',
  html`<p>Sessions, keys, webhooks and subscription end at once, and personal data is erased. It cannot be taken back.</p>
${form(visit, `${path}/delete`, submit('Delete for good', 'danger'))}`,
)}`;
}

function waysIn({ hasPassword, githubId }: User): string {
  const ways = [...(hasPassword ? ['password'] : []), ...(githubId === null ? [] : [`GitHub (${githubId})`])];
  return ways.length === 0 ? '–' : ways.join(', ');
}

const sessionsTable = (sessions: readonly Session[], timezone: string): Html =>
  table(
    'Sessions',
    ['Began', 'Last used', 'IP', 'User agent'],
    sessions.map(
      ({ createdAt, lastUsedAt, ip, userAgent }) =>
        html`<tr><td>${timeTag(createdAt, timezone)}</td><td>${timeTag(lastUsedAt, timezone)}</td><td>${ip}</td><td>${userAgent}</td></tr>`,
    ),
    'There are none.',
  );

const securityEvents = (events: readonly SecurityEvent[], timezone: string): Html =>
  html`${events.length > 0 && html`<p class="facts">The newest ${events.length}, newest first.</p>`}${eventsTable(events, timezone)}`;

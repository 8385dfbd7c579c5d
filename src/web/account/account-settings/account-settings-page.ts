import type { Session } from '../../../accounts/users/user-service.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { browserName } from '../browser-name.ts';
import {
  currentPasswordField,
  postButton,
  postForm,
  refusalBox,
  selectField,
  submitButton,
  textField,
} from '../form-fields.ts';
import { fieldText, olderLink } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import { pageResponse } from '../page-responses.ts';
import type { PageResponse, Refusal, SignedInRequest } from '../page-route.ts';

/** Tells which form was refused, since several forms have fields of the same name. */
export type AccountSettingsForm = 'profile' | 'password' | 'github' | 'sessions' | 'delete';

interface AccountSettingsView {
  readonly visit: SignedInRequest;
  readonly sessions: readonly Session[];
  /** Older sessions follow. */
  readonly hasMore: boolean;
  readonly hasGithub: boolean;
  readonly refused?: { readonly form: AccountSettingsForm; readonly refusal: Refusal };
}

export function accountSettingsPage(shown: AccountSettingsView): PageResponse {
  const { hasGithub, visit, refused } = shown;
  const isLinked = visit.session.user.githubId !== null;
  return pageResponse(
    'Account',
    html`${refusalBox(refused?.refusal)}
<div class="halves">${profile(shown)}
${password(shown)}</div>
${(hasGithub || isLinked) && github(shown)}
${sessionsSection(shown)}
<div class="halves"><section><h2>My books</h2><p>Where you can bet, for the scans, the summary of odds and your alerts.</p>
<p><a class="button quiet" href="/account/books">My books</a></p></section>
<section><h2>Your data</h2>
<p>All that is kept of you and your account, as JSON: profile, books, keys without their secrets, sessions, invoices, the
ledger of credits, and what was noted for your safety.</p>
<p><a class="button quiet" href="/account/export" download>Download</a></p></section></div>
${deletion(shown)}`,
  );
}

const refusalOf = ({ refused }: AccountSettingsView, name: AccountSettingsForm): Refusal | undefined =>
  refused?.form === name ? refused.refusal : undefined;

function profile(shown: AccountSettingsView): Html {
  const { visit } = shown;
  const { user } = visit.session;
  const refusal = refusalOf(shown, 'profile');
  const typed = (name: string, present: string) => (refusal ? fieldText(visit.form, name) : present);
  const timezone = typed('timezone', user.timezone);
  const zones = TIMEZONES.includes(timezone) ? TIMEZONES : [timezone, ...TIMEZONES];
  return html`<section><h2>Profile</h2>
${postForm(
  visit,
  '/account/profile',
  html`${textField({
    name: 'name',
    label: 'Name',
    autocomplete: 'name',
    required: true,
    maxlength: 100,
    value: typed('name', user.name ?? ''),
    error: refusal?.fields['name'],
  })}
${selectField({
  name: 'timezone',
  label: 'Time zone',
  options: zones.map((zone) => [zone, zone.replaceAll('_', ' ')] as const),
  value: timezone,
  error: refusal?.fields['timezone'],
})}
${textField({
  name: 'email',
  label: 'E-mail',
  type: 'email',
  autocomplete: 'email',
  required: true,
  maxlength: 254,
  value: typed('email', user.email),
  error: refusal?.fields['email'],
  hint: 'Another address counts once the link that is sent there was opened.',
})}
${
  user.hasPassword &&
  currentPasswordField(
    {
      id: 'profile-current',
      name: 'current_password',
      label: 'Current password',
      hint: 'Needed only for another e-mail address.',
    },
    refusal,
  )
}
${submitButton('Save')}`,
)}</section>`;
}

function password(shown: AccountSettingsView): Html {
  const { visit } = shown;
  const { hasPassword } = visit.session.user;
  const refusal = refusalOf(shown, 'password');
  return html`<section><h2>Password</h2>
<p>All other sessions end. API keys stay as they are.</p>
${postForm(
  visit,
  '/account/password',
  html`${
    hasPassword &&
    currentPasswordField(
      { id: 'password-current', name: 'current_password', label: 'Current password', required: true },
      refusal,
    )
  }
${textField({
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  required: true,
  error: refusal?.fields['password'],
  hint: '10 to 128 characters, any of them. A sentence is good.',
})}
${submitButton(hasPassword ? 'Change the password' : 'Set a password')}`,
)}</section>`;
}

function github({ visit, hasGithub }: AccountSettingsView): Html {
  const { githubId, hasPassword } = visit.session.user;
  const link = html`<p><a class="button" href="/oauth/github/start">Link GitHub</a></p>`;
  const unlink = html`<p>GitHub is linked: you can sign in with it.${
    !hasPassword && html` Set a password before you unlink it.`
  }</p>${postButton(visit, '/account/github/unlink', 'Unlink GitHub')}`;
  return html`<section><h2>GitHub</h2>${githubId === null ? hasGithub && link : unlink}</section>`;
}

function sessionsSection({ visit, sessions, hasMore }: AccountSettingsView): Html {
  const { id: own, user } = visit.session;
  const row = ({ id, createdAt, lastUsedAt, ip, userAgent }: Session) => html`<tr>
<td>${
    id === own
      ? html`<span class="badge">This one</span>`
      : postButton(visit, `/account/sessions/${id}/revoke`, 'End it', 'danger')
  }</td>
<td>${timeTag(lastUsedAt, user.timezone)}</td><td>${timeTag(createdAt, user.timezone)}</td><td title="${userAgent}">${browserName(userAgent)}</td><td>${ip}</td></tr>`;
  return html`<section><h2>Sessions</h2>
${dataTable('Sessions', ['Session', 'Last used', 'Signed in', 'Browser', 'IP'], sessions.map(row))}
${hasMore && olderLink('/account', sessions.at(-1)!.id, 'Older sessions')}
${postButton(visit, '/account/sessions/revoke-others', 'End all others', 'quiet')}</section>`;
}

function deletion(shown: AccountSettingsView): Html {
  const { visit } = shown;
  const refusal = refusalOf(shown, 'delete');
  const proof = visit.session.user.hasPassword
    ? currentPasswordField(
        { id: 'delete-current', name: 'current_password', label: 'Current password', required: true },
        refusal,
      )
    : textField({
        name: 'confirm',
        label: 'Your e-mail address, to confirm',
        type: 'email',
        autocomplete: 'off',
        required: true,
        value: refusal && fieldText(visit.form, 'confirm'),
        error: refusal?.fields['confirm'],
      });
  return html`<section><h2>Delete the account</h2>
<p>Sessions, API keys, webhooks and the subscription end at once, what is left of the credits is lost, and your personal data
is erased. This cannot be taken back.</p>
${postForm(visit, '/account/delete', html`${proof}${submitButton('Delete my account', 'danger')}`)}</section>`;
}

/** IANA names, `UTC` first. */
const TIMEZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

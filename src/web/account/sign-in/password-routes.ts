import type { RemainingAccess } from '../../../accounts/users/user-service.ts';
import { html } from '../../layout/html.ts';
import { emailField, hiddenField, postForm, refusalBox, submitButton } from '../form-fields.ts';
import { fieldText, untrimmedFieldText } from '../form-values.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageRequest, PageResponse, PageRoute, Refusal } from '../page-route.ts';
import { newPasswordField } from './register-routes.ts';
import { REMOVE_ACCESS, readAccess, remainingAccess } from './remaining-access-list.ts';
import type { SignInParts } from './sign-in-parts.ts';

const FORGOT = '/forgot-password';
const RESET = '/reset-password';
/** The same text whether the user exists or not. */
const RESET_MAIL_FLASH = successFlash(
  'If there is an account of this address, a link to set a new password is on its way.',
);

/** `/forgot-password` and `/reset-password`. */
export function passwordRoutes({ users, cookies }: SignInParts): readonly PageRoute[] {
  async function shownReset(visit: PageRequest, token: string, refusal?: Refusal): Promise<PageResponse> {
    if (!(await users.isResetValid(token))) return expiredResetPage();
    return resetPage(visit, token, await users.accessAfterReset(token), refusal);
  }

  return [
    { method: 'GET', path: FORGOT, access: 'open', run: async (visit) => forgotPage(visit) },
    {
      method: 'POST',
      path: FORGOT,
      access: 'open',
      async run({ form: typed, client }) {
        await users.forgotPassword(fieldText(typed, 'email'), client);
        return redirect(FORGOT, RESET_MAIL_FLASH);
      },
      refused: async (visit, refusal) => forgotPage(visit, refusal),
    },
    {
      method: 'GET',
      path: RESET,
      access: 'open',
      async run(visit) {
        const [token, ...more] = visit.query.getAll('token');
        if (token === undefined) return redirect(FORGOT);
        return more.length === 0 ? shownReset(visit, token) : expiredResetPage();
      },
    },
    {
      method: 'POST',
      path: RESET,
      access: 'open',
      async run({ form: typed, client }) {
        const isSet = await users.resetPassword(
          untrimmedFieldText(typed, 'token'),
          untrimmedFieldText(typed, 'password'),
          client,
        );
        if (!isSet) return expiredResetPage();
        // A reset ends all sessions, also that of this browser.
        return redirect('/login', successFlash('Your password is set. Sign in with it.'), [cookies.endedSession()]);
      },
      refused: (visit, refusal) => shownReset(visit, untrimmedFieldText(visit.form, 'token'), refusal),
    },
    {
      method: 'POST',
      path: REMOVE_ACCESS,
      access: 'open',
      async run(visit) {
        const { form: typed, client } = visit;
        const token = untrimmedFieldText(typed, 'token');
        const access = readAccess(typed);
        // What is gone already, by a second click, is shown no more.
        if (!access || !(await users.removeAccess(token, access, client))) return shownReset(visit, token);
        return redirect(`${RESET}?${new URLSearchParams({ token })}`, successFlash('It is removed.'));
      },
      refused: (visit, refusal) => shownReset(visit, untrimmedFieldText(visit.form, 'token'), refusal),
    },
  ];
}

const forgotPage = (visit: PageRequest, refusal?: Refusal): PageResponse =>
  pageResponse(
    'Forgot your password?',
    html`${refusalBox(refusal)}<p>We mail you a link to set a new one. It is good for an hour, once.</p>
${postForm(
  visit,
  FORGOT,
  html`${emailField(fieldText(visit.form, 'email'), refusal)}
${submitButton('Send the link')}`,
)}
<p><a href="/login">Sign in</a></p>`,
  );

/** The token stays in the form, so it can be used again after a refused password. */
const resetPage = (
  visit: PageRequest,
  token: string,
  access: RemainingAccess | undefined,
  refusal?: Refusal,
): PageResponse =>
  pageResponse(
    'Set a new password',
    html`${refusalBox(refusal)}<p>You will be signed out everywhere. API keys stay as they are.</p>
${postForm(
  visit,
  RESET,
  html`${hiddenField('token', token)}${newPasswordField(refusal, 'New password')}${submitButton('Set the password')}`,
)}
${access && remainingAccess(visit, token, access)}`,
  );

const expiredResetPage = (): PageResponse =>
  pageResponse(
    'This link is not good any more',
    html`<p>It is more than an hour old, was used, or a newer one has replaced it.</p>
<p><a href="${FORGOT}">Get a new link</a></p>`,
    { status: 410 },
  );

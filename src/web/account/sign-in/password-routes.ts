import { html } from '../../layout/html.ts';
import { done, page, redirect } from '../answers.ts';
import { form, hiddenField, refusalBox, submit, textField } from '../fields.ts';
import { rawOf, textOf } from '../values.ts';
import type { Refusal, SiteAnswer, SiteRoute, Visit } from '../visit.ts';
import { newPasswordField } from './register-routes.ts';
import type { SignInParts } from './sign-in-parts.ts';

const FORGOT = '/forgot-password';
const RESET = '/reset-password';
/** Whether there is such a user or not. */
const ASKED = done('If there is an account of this address, a link to set a new password is on its way.');

/** `/forgot-password` and `/reset-password`. */
export function passwordRoutes({ people, cookies }: SignInParts): readonly SiteRoute[] {
  return [
    { method: 'GET', path: FORGOT, access: 'open', run: async (visit) => forgotPage(visit) },
    {
      method: 'POST',
      path: FORGOT,
      access: 'open',
      async run({ form: typed, client }) {
        await people.forgotPassword(textOf(typed, 'email'), client);
        return redirect(FORGOT, ASKED);
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
        return more.length === 0 && (await people.isResetValid(token)) ? resetPage(visit, token) : deadLinkPage();
      },
    },
    {
      method: 'POST',
      path: RESET,
      access: 'open',
      async run({ form: typed, client }) {
        const isSet = await people.resetPassword(rawOf(typed, 'token'), rawOf(typed, 'password'), client);
        if (!isSet) return deadLinkPage();
        // The session that this browser may have had has ended with all others.
        return redirect('/login', done('Your password is set. Sign in with it.'), [cookies.endedSession()]);
      },
      refused: async (visit, refusal) => resetPage(visit, rawOf(visit.form, 'token'), refusal),
    },
  ];
}

const forgotPage = (visit: Visit, refusal?: Refusal): SiteAnswer =>
  page(
    'Forgot your password?',
    html`${refusalBox(refusal)}<p>We mail you a link to set a new one. It is good for an hour, once.</p>
${form(
  visit,
  FORGOT,
  html`${textField({
    ...{ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', required: true },
    ...{ value: textOf(visit.form, 'email'), error: refusal?.fields['email'] },
  })}
${submit('Send the link')}`,
)}
<p><a href="/login">Sign in</a></p>`,
  );

/** The token stays in the form: a password that is refused does not use it up. */
const resetPage = (visit: Visit, token: string, refusal?: Refusal): SiteAnswer =>
  page(
    'Set a new password',
    html`${refusalBox(refusal)}<p>You will be signed out everywhere. API keys stay as they are.</p>
${form(
  visit,
  RESET,
  html`${hiddenField('token', token)}${newPasswordField(refusal, 'New password')}${submit('Set the password')}`,
)}`,
  );

const deadLinkPage = (): SiteAnswer =>
  page(
    'This link is not good any more',
    html`<p>It is more than an hour old, was used, or a newer one has replaced it.</p>
<p><a href="${FORGOT}">Get a new link</a></p>`,
    { status: 410 },
  );

import type { Verification } from '../../../accounts/users/user-service.ts';
import { type Html, html } from '../../layout/html.ts';
import { currentPasswordField, emailField, hiddenField, postForm, refusalBox, submitButton } from '../form-fields.ts';
import { fieldText, untrimmedFieldText } from '../form-values.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageRequest, PageResponse, PageRoute, Refusal } from '../page-route.ts';
import type { SignInParts } from './sign-in-parts.ts';

export const VERIFY = '/verify-email';
const RESEND = '/resend-verification';
const VERIFIED_FLASH = successFlash('Your e-mail address is verified.');
const RESENT_FLASH = successFlash(
  'If this address waits to be verified, a new link is on its way. Older ones count no more.',
);

/** From the mail to the sign-in. Programs that look at mails open links, so opening one changes nothing. */
export function verifyRoutes({ users }: Pick<SignInParts, 'users'>): readonly PageRoute[] {
  /** The page of a link. */
  async function linkPage(visit: PageRequest, tokens: readonly string[], refusal?: Refusal): Promise<PageResponse> {
    const [token = ''] = tokens;
    const kind = tokens.length === 1 ? await users.findVerification(token) : undefined;
    if (kind === undefined) return expiredPage(visit);
    if (kind === 'verified') return redirect('/login', VERIFIED_FLASH);
    return verifyPage(visit, kind, token, refusal);
  }

  return [
    {
      method: 'GET',
      path: VERIFY,
      access: 'open',
      async run(visit) {
        const tokens = visit.query.getAll('token');
        return tokens.length === 0 ? sentPage(visit) : linkPage(visit, tokens);
      },
    },
    {
      method: 'POST',
      path: VERIFY,
      access: 'open',
      async run(visit) {
        const { form: typed, client } = visit;
        const [token, password] = [untrimmedFieldText(typed, 'token'), untrimmedFieldText(typed, 'password')];
        return (await users.verifyEmail(token, password, client))
          ? redirect('/login', VERIFIED_FLASH)
          : expiredPage(visit);
      },
      refused: (visit, refusal) => linkPage(visit, visit.form.getAll('token').slice(0, 1), refusal),
    },
    {
      method: 'POST',
      path: RESEND,
      access: 'open',
      async run({ form: typed, client }) {
        await users.resendVerification(fieldText(typed, 'email'), client);
        return redirect(VERIFY, RESENT_FLASH);
      },
      refused: async (visit, refusal) => sentPage(visit, refusal),
    },
  ];
}

const verifyPage = (
  visit: PageRequest,
  kind: Exclude<Verification, 'verified'>,
  token: string,
  refusal?: Refusal,
): PageResponse =>
  kind === 'registration'
    ? pageResponse(
        'Verify your e-mail address',
        html`${refusalBox(refusal)}<p>Give the password that you have chosen when you registered. Somebody else who has registered with
your address does not know it, and you do not know theirs.</p>
${postForm(
  visit,
  VERIFY,
  html`${hiddenField('token', token)}${currentPasswordField({ name: 'password', label: 'Password', required: true }, refusal)}
${submitButton('Verify')}`,
)}
<p>If you have not registered, do nothing: there is no account then. If you have, and have forgotten the password,
<a href="/forgot-password">set a new one</a>.</p>`,
      )
    : pageResponse(
        'Verify your new e-mail address',
        html`${refusalBox(refusal)}<p>This address becomes that of your account. If you have not asked for it, do nothing.</p>
${postForm(visit, VERIFY, html`${hiddenField('token', token)}${submitButton('Use this address')}`)}`,
      );

const sentPage = (visit: PageRequest, refusal?: Refusal): PageResponse =>
  pageResponse(
    'Look for our mail',
    html`${refusalBox(refusal)}<p>We send a link to your e-mail address. Open it within 24 hours, then sign in.</p>
${resendForm(visit, refusal)}`,
  );

const expiredPage = (visit: PageRequest): PageResponse =>
  pageResponse(
    'This link is not good any more',
    html`<p>It is more than 24 hours old, a newer one has replaced it, or it was not copied whole.</p>
${resendForm(visit)}`,
    { status: 410 },
  );

const resendForm = (visit: PageRequest, refusal?: Refusal): Html => html`<section><h2>No mail?</h2>
${postForm(
  visit,
  RESEND,
  html`${emailField(fieldText(visit.form, 'email'), refusal)}
${submitButton('Send a new link')}`,
)}</section>
<p><a href="/login">Sign in</a></p>`;

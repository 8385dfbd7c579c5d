import { type Html, html } from '../../layout/html.ts';
import { done, page, redirect } from '../answers.ts';
import { form, refusalBox, selectField, submit, textField } from '../fields.ts';
import { notFound } from '../not-found.ts';
import { rawOf, textOf } from '../values.ts';
import type { Refusal, SiteAnswer, SiteRoute, Visit } from '../visit.ts';
import { githubLink } from './login-routes.ts';
import type { SignInParts } from './sign-in-parts.ts';

const REGISTER = '/register';
const VERIFY = '/verify-email';
const PLANS: readonly (readonly [string, string])[] = [
  ['free', 'Free'],
  ['payg', 'Pay as you go'],
  ['growth', 'Growth: begins free, and is paid for after the first sign-in'],
];
/** Whether there is such a user or not. */
const REGISTERED = done('We have sent you a mail. Open its link to go on.');
const RESENT = done('If this address waits to be verified, a new link is on its way. Older ones count no more.');

/** `/register`, and what leads from the mail to the sign-in. */
export function registerRoutes({ people, isOpen, hasGithub }: SignInParts): readonly SiteRoute[] {
  function registerPage(visit: Visit, refusal?: Refusal): SiteAnswer {
    const { form: typed, method, query } = visit;
    const plan = textOf(method === 'POST' ? typed : query, 'plan');
    const fields = html`${textField({
      ...{ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', required: true, maxlength: 254 },
      ...{ value: textOf(typed, 'email'), error: refusal?.fields['email'] },
    })}
${textField({
  ...{ name: 'name', label: 'Name (optional)', autocomplete: 'name', maxlength: 100 },
  ...{ value: textOf(typed, 'name'), error: refusal?.fields['name'] },
})}
${newPasswordField(refusal)}
${selectField({
  ...{ name: 'plan', label: 'Plan', options: PLANS, error: refusal?.fields['plan'] },
  value: PLANS.some(([slug]) => slug === plan) ? plan : 'free',
})}
${submit('Register')}`;
    return page(
      'Register',
      html`${refusalBox(refusal)}${form(visit, REGISTER, fields)}
${hasGithub && githubLink()}
<p>Registered already? <a href="/login">Sign in</a></p>`,
    );
  }

  const open = (): void => {
    if (!isOpen) throw notFound();
  };

  return [
    {
      method: 'GET',
      path: REGISTER,
      access: 'open',
      async run(visit) {
        open();
        return registerPage(visit);
      },
    },
    {
      method: 'POST',
      path: REGISTER,
      access: 'open',
      async run({ form: typed, client }) {
        open();
        await people.register(
          {
            ...{ email: textOf(typed, 'email'), password: rawOf(typed, 'password') },
            ...{ name: textOf(typed, 'name'), plan: textOf(typed, 'plan') },
          },
          client,
        );
        return redirect(VERIFY, REGISTERED);
      },
      refused: async (visit, refusal) => registerPage(visit, refusal),
    },
    {
      method: 'GET',
      path: VERIFY,
      access: 'open',
      async run(visit) {
        const tokens = visit.query.getAll('token');
        if (tokens.length === 0 || visit.isHead) return lookPage(visit);
        const isRight = tokens.length === 1 && (await people.verifyEmail(tokens[0]!, visit.client));
        if (!isRight) return deadLinkPage(visit);
        return redirect('/login', done('Your e-mail address is verified.'));
      },
    },
    {
      method: 'POST',
      path: '/resend-verification',
      access: 'open',
      async run({ form: typed, client }) {
        await people.resendVerification(textOf(typed, 'email'), client);
        return redirect(VERIFY, RESENT);
      },
      refused: async (visit, refusal) => lookPage(visit, refusal),
    },
  ];
}

export const newPasswordField = (refusal: Refusal | undefined, label = 'Password'): Html =>
  textField({
    ...{ name: 'password', label, type: 'password', autocomplete: 'new-password', required: true },
    ...{ error: refusal?.fields['password'], hint: '10 to 128 characters, any of them. A sentence is good.' },
  });

const lookPage = (visit: Visit, refusal?: Refusal): SiteAnswer =>
  page(
    'Look for our mail',
    html`${refusalBox(refusal)}<p>We send a link to your e-mail address. Open it within 24 hours, then sign in.</p>
${resendForm(visit, refusal)}`,
  );

const deadLinkPage = (visit: Visit): SiteAnswer =>
  page(
    'This link is not good any more',
    html`<p>It is more than 24 hours old, a newer one has replaced it, or it was not copied whole.</p>
${resendForm(visit)}`,
    { status: 410 },
  );

const resendForm = (visit: Visit, refusal?: Refusal): Html => html`<section><h2>No mail?</h2>
${form(
  visit,
  '/resend-verification',
  html`${textField({
    ...{ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', required: true },
    ...{ value: textOf(visit.form, 'email'), error: refusal?.fields['email'] },
  })}
${submit('Send a new link')}`,
)}</section>
<p><a href="/login">Sign in</a></p>`;

import { type Html, html } from '../../layout/html.ts';
import { readNextPath } from '../after-sign-in.ts';
import { hiddenField, postForm, refusalBox, selectField, submitButton, textField } from '../form-fields.ts';
import { fieldText, untrimmedFieldText } from '../form-values.ts';
import { notFound } from '../page-errors.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageRequest, PageResponse, PageRoute, Refusal } from '../page-route.ts';
import { githubLink, withNext } from './login-routes.ts';
import type { SignInParts } from './sign-in-parts.ts';
import { VERIFY } from './verify-routes.ts';

const REGISTER = '/register';
const PLANS: readonly (readonly [string, string])[] = [
  ['free', 'Free'],
  ['payg', 'Pay as you go'],
  ['growth', 'Growth: begins free, and is paid for after the first sign-in'],
];
/** The same text whether the user exists or not. */
const REGISTERED_FLASH = successFlash('We have sent you a mail. Open its link to go on.');

/** `/register`. */
export function registerRoutes(parts: SignInParts): readonly PageRoute[] {
  const { users, rememberedNext, isRegistrationOpen, hasGithub } = parts;

  function registerPage(visit: PageRequest, refusal?: Refusal): PageResponse {
    const { form: typed, method, query } = visit;
    const given = method === 'POST' ? typed : query;
    const plan = fieldText(given, 'plan');
    const next = readNextPath(given.getAll('next'));
    const fields = html`${textField({
      name: 'email',
      label: 'E-mail',
      type: 'email',
      autocomplete: 'username',
      required: true,
      maxlength: 254,
      value: fieldText(typed, 'email'),
      error: refusal?.fields['email'],
    })}
${textField({
  name: 'name',
  label: 'Name (optional)',
  autocomplete: 'name',
  maxlength: 100,
  value: fieldText(typed, 'name'),
  error: refusal?.fields['name'],
})}
${newPasswordField(refusal)}
${selectField({
  name: 'plan',
  label: 'Plan',
  options: PLANS,
  hint: 'It can be changed at any time under Billing. Nothing is charged when you register.',
  error: refusal?.fields['plan'],
  value: PLANS.some(([slug]) => slug === plan) ? plan : 'free',
})}
${next !== undefined && hiddenField('next', next)}${submitButton('Register')}`;
    return pageResponse(
      'Register',
      html`${refusalBox(refusal)}${postForm(visit, REGISTER, fields)}
${hasGithub && githubLink(next)}
<p>Registered already? <a href="${withNext('/login', next)}">Sign in</a></p>`,
    );
  }

  const open = (): void => {
    if (!isRegistrationOpen()) throw notFound();
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
        await users.register(
          {
            email: fieldText(typed, 'email'),
            password: untrimmedFieldText(typed, 'password'),
            name: fieldText(typed, 'name'),
            plan: fieldText(typed, 'plan'),
          },
          client,
        );
        const next = readNextPath(typed.getAll('next'));
        return redirect(VERIFY, REGISTERED_FLASH, next === undefined ? [] : [rememberedNext.remember(next)]);
      },
      refused: async (visit, refusal) => registerPage(visit, refusal),
    },
  ];
}

export const newPasswordField = (refusal: Refusal | undefined, label = 'Password'): Html =>
  textField({
    name: 'password',
    label,
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    error: refusal?.fields['password'],
    hint: '10 to 128 characters, any of them. A sentence is good.',
  });

import { wrongField } from '../../../domain/refused-act.ts';
import { type Html, html } from '../../layout/html.ts';
import { done, page, redirect } from '../answers.ts';
import { checkField, form, hiddenField, postButton, refusalBox, submit, textField } from '../fields.ts';
import { nextPath } from '../next-path.ts';
import { rawOf, textOf } from '../values.ts';
import type { Refusal, SiteAnswer, SiteRoute, Visit } from '../visit.ts';
import { afterSignIn, FIRST_PAGE } from './after-sign-in.ts';
import type { SignInParts } from './sign-in-parts.ts';
import { suspendedPage } from './suspended-page.ts';

const LOGIN = '/login';
/** The same whether there is such a user or not. */
const WRONG = 'The e-mail address or the password is wrong.';

/** `/login` and `/logout`. */
export function loginRoutes(parts: SignInParts): readonly SiteRoute[] {
  const { people, cookies, isOpen, hasGithub } = parts;

  function loginPage(visit: Visit, refusal?: Refusal): SiteAnswer {
    const { form: typed } = visit;
    const next = nextPath((visit.method === 'POST' ? typed : visit.query).getAll('next'));
    const fields = html`${textField({
      ...{ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', required: true },
      ...{ value: textOf(typed, 'email'), error: refusal?.fields['email'] },
    })}
${textField({
  ...{ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', required: true },
  error: refusal?.fields['password'],
})}
${checkField({ name: 'remember', label: 'Stay signed in for 30 days', isChecked: typed.get('remember') === 'on' })}
${next !== undefined && hiddenField('next', next)}${submit('Sign in')}`;
    return page(
      'Sign in',
      html`${refusalBox(refusal)}${form(visit, LOGIN, fields)}
<p><a href="/forgot-password">Forgot your password?</a></p>
${hasGithub && githubLink(next)}
${isOpen && html`<p>No account yet? <a href="/register">Register</a></p>`}`,
    );
  }

  async function signOut(visit: Visit): Promise<SiteAnswer> {
    if (visit.session) await people.endSession(visit.session, visit.client);
    return redirect(LOGIN, done('You are signed out.'), [cookies.endedSession()]);
  }

  return [
    {
      method: 'GET',
      path: LOGIN,
      access: 'open',
      run: async (visit) => (visit.session ? redirect(FIRST_PAGE) : loginPage(visit)),
    },
    {
      method: 'POST',
      path: LOGIN,
      access: 'open',
      async run({ form: typed, client }) {
        const signedIn = await people.signIn(
          {
            email: textOf(typed, 'email'),
            password: rawOf(typed, 'password'),
            remember: typed.get('remember') === 'on',
          },
          client,
        );
        switch (signedIn.outcome) {
          case 'wrong':
            throw wrongField('password', WRONG);
          case 'suspended':
            return suspendedPage();
          case 'unverified':
            return redirect('/verify-email', done('Open the link that we have mailed to you, then sign in.'));
          case 'signed_in': {
            const { token, maxAgeSeconds, leadsTo = afterSignIn(typed.getAll('next')) } = signedIn;
            return redirect(leadsTo, undefined, [cookies.session(token, maxAgeSeconds)]);
          }
        }
      },
      refused: async (visit, refusal) => loginPage(visit, refusal),
    },
    {
      method: 'GET',
      path: '/logout',
      access: 'open',
      async run(visit) {
        if (visit.isHead) return redirect(LOGIN);
        if (visit.fetchSite !== 'cross-site') return signOut(visit);
        return signOutPage(visit);
      },
    },
    {
      method: 'POST',
      path: '/logout',
      access: 'open',
      run: signOut,
      refused: async (visit, refusal) => signOutPage(visit, refusal),
    },
  ];
}

/** Another site's link signs nobody out. */
const signOutPage = (visit: Visit, refusal?: Refusal): SiteAnswer =>
  page(
    'Sign out',
    html`${refusalBox(refusal)}<p>Another site has led here.</p>${postButton(visit, '/logout', 'Sign out')}`,
  );

/** As a form's button, whose address goes with it. */
export function githubLink(next?: string): Html {
  const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
  return html`<p><a class="button" href="/oauth/github/start${query}">Sign in with GitHub</a></p>`;
}

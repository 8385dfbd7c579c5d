import { REMEMBERED_SESSION_MS } from '../../../accounts/users/user-sessions.ts';
import { invalidField } from '../../../domain/primitives/domain-errors.ts';
import { DAY } from '../../../domain/primitives/time.ts';
import { type Html, html } from '../../layout/html.ts';
import { FIRST_PAGE, pathAfterSignIn, readNextPath, suspendedPage } from '../after-sign-in.ts';
import {
  checkboxField,
  currentPasswordField,
  emailField,
  hiddenField,
  postButton,
  postForm,
  refusalBox,
  submitButton,
} from '../form-fields.ts';
import { fieldText, untrimmedFieldText } from '../form-values.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageRequest, PageResponse, PageRoute, Refusal } from '../page-route.ts';
import type { SignInParts } from './sign-in-parts.ts';

const LOGIN = '/login';
const REMEMBERED_LABEL = `Stay signed in for ${REMEMBERED_SESSION_MS / DAY} days`;
/** The same text whether the user exists or not. */
const WRONG_CREDENTIALS = 'The e-mail address or the password is wrong.';

/** `/login` and `/logout`. */
export function loginRoutes(parts: SignInParts): readonly PageRoute[] {
  const { users, cookies, browsers, rememberedNext, isRegistrationOpen, hasGithub } = parts;

  function loginPage(visit: PageRequest, refusal?: Refusal): PageResponse {
    const { form: typed } = visit;
    const next = readNextPath((visit.method === 'POST' ? typed : visit.query).getAll('next'));
    const fields = html`${emailField(fieldText(typed, 'email'), refusal)}
${currentPasswordField({ name: 'password', label: 'Password', required: true }, refusal)}
${checkboxField({ name: 'remember', label: REMEMBERED_LABEL, isChecked: typed.get('remember') === 'on' })}
${next !== undefined && hiddenField('next', next)}${submitButton('Sign in')}`;
    return pageResponse(
      'Sign in',
      html`${refusalBox(refusal)}${postForm(visit, LOGIN, fields)}
<p><a href="/forgot-password">Forgot your password?</a></p>
${hasGithub && githubLink(next)}
${isRegistrationOpen() && html`<p>No account yet? <a href="${withNext('/register', next)}">Register</a></p>`}`,
    );
  }

  async function signOut(visit: PageRequest): Promise<PageResponse> {
    if (visit.session) await users.endSession(visit.session, visit.client);
    return redirect(LOGIN, successFlash('You are signed out.'), [cookies.endedSession()]);
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
      async run(visit) {
        const { form: typed, client } = visit;
        const signedIn = await users.signIn(
          {
            email: fieldText(typed, 'email'),
            password: untrimmedFieldText(typed, 'password'),
            remember: typed.get('remember') === 'on',
          },
          client,
          browsers.stateOf(visit),
        );
        switch (signedIn.outcome) {
          case 'wrong':
            throw invalidField('password', WRONG_CREDENTIALS);
          case 'suspended':
            return suspendedPage();
          case 'unverified':
            return redirect('/verify-email', successFlash('Open the link that we have mailed to you, then sign in.'));
          case 'signed_in': {
            const { token, session, maxAgeSeconds } = signedIn;
            const remembered = rememberedNext.read(visit);
            const next = typed.has('next') ? typed.getAll('next') : remembered;
            const { leadsTo = pathAfterSignIn(next) } = signedIn;
            const known = browsers.remember(visit, session.user.id);
            const ended = remembered.length > 0 ? [rememberedNext.end()] : [];
            return redirect(leadsTo, undefined, [cookies.session(token, maxAgeSeconds), known, ...ended]);
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

/** Asks before signing out, so that a link on another site signs nobody out. */
const signOutPage = (visit: PageRequest, refusal?: Refusal): PageResponse =>
  pageResponse(
    'Sign out',
    html`${refusalBox(refusal)}<p>Another site has led here.</p>${postButton(visit, '/logout', 'Sign out')}`,
  );

/** A link that looks like a button. */
export function githubLink(next?: string): Html {
  return html`<p><a class="button" href="${withNext('/oauth/github/start', next)}">Sign in with GitHub</a></p>`;
}

/** A path that leads to `next` after the sign-in. */
export const withNext = (path: string, next: string | undefined): string =>
  next === undefined ? path : `${path}?${new URLSearchParams({ next })}`;

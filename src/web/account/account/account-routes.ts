import { done, redirect } from '../answers.ts';
import { notFound } from '../not-found.ts';
import { rawOf, textOf, wholeNumber } from '../values.ts';
import type { Refusal, SignedInVisit, SiteAnswer, SiteRoute } from '../visit.ts';
import { accountExport } from './account-export.ts';
import { type AccountForm, accountPage } from './account-page.ts';
import type { AccountParts } from './account-parts.ts';

const ACCOUNT = '/account';

/** What somebody sees and changes of himself. */
export function accountRoutes(parts: AccountParts): readonly SiteRoute[] {
  const { people, cookies, hasGithub } = parts;

  async function show(visit: SignedInVisit, form?: AccountForm, refusal?: Refusal): Promise<SiteAnswer> {
    const sessions = await people.sessionsOf(visit.session.user);
    const refused = form && refusal && { form, refusal };
    return accountPage({ visit, sessions, hasGithub, ...(refused && { refused }) });
  }

  const post = (path: string, form: AccountForm, run: (visit: SignedInVisit) => Promise<SiteAnswer>): SiteRoute => ({
    method: 'POST',
    path: `${ACCOUNT}${path}`,
    access: 'signed-in',
    run,
    refused: (visit: SignedInVisit, refusal: Refusal) => show(visit, form, refusal),
  });

  return [
    { method: 'GET', path: ACCOUNT, access: 'signed-in', run: (visit) => show(visit) },
    post('/profile', 'profile', async ({ session, form: typed, client }) => {
      const email = typed.has('email') ? textOf(typed, 'email') : session.user.email;
      await people.changeProfile(
        session,
        {
          ...{ name: textOf(typed, 'name'), timezone: textOf(typed, 'timezone') || 'UTC' },
          ...{ email, currentPassword: rawOf(typed, 'current_password') },
        },
        client,
      );
      const isOther = email.toLowerCase() !== session.user.email.toLowerCase();
      return redirect(ACCOUNT, done(isOther ? `Saved. Open the link that we have sent to ${email}.` : 'Saved.'));
    }),
    post('/password', 'password', async ({ session, form: typed, client }) => {
      const given = { currentPassword: rawOf(typed, 'current_password'), password: rawOf(typed, 'password') };
      const { token, maxAgeSeconds } = await people.changePassword(session, given, client);
      const flash = done('Your password is changed. All other sessions have ended.');
      return redirect(ACCOUNT, flash, [cookies.session(token, maxAgeSeconds)]);
    }),
    post('/sessions/{id}/revoke', 'sessions', async ({ session, params, client }) => {
      const id = wholeNumber(params['id'] ?? '');
      const isEnded = id !== undefined && (await people.revokeSession(session.user, id, client));
      if (!isEnded) throw notFound();
      return redirect(ACCOUNT, done('The session has ended.'));
    }),
    post('/sessions/revoke-others', 'sessions', async ({ session, client }) => {
      await people.revokeOthers(session, client);
      return redirect(ACCOUNT, done('All other sessions have ended.'));
    }),
    post('/github/unlink', 'github', async ({ session, client }) => {
      await people.unlinkGithub(session, client);
      return redirect(ACCOUNT, done('GitHub is not linked any more.'));
    }),
    post('/delete', 'delete', async ({ session, form: typed, client }) => {
      const given = { currentPassword: rawOf(typed, 'current_password'), confirm: textOf(typed, 'confirm') };
      await people.deleteUser(session, given, client);
      return redirect('/', done('Your account is deleted.'), [cookies.endedSession()]);
    }),
    {
      method: 'GET',
      path: `${ACCOUNT}/export`,
      access: 'signed-in',
      run: async ({ session }) => ({
        kind: 'file',
        type: 'application/json',
        name: 'ledgerline-account.json',
        body: await accountExport(parts, session),
      }),
    },
  ];
}

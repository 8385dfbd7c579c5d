import { fieldText, parseWholeNumber, readBefore, untrimmedFieldText } from '../form-values.ts';
import { notFound } from '../page-errors.ts';
import { redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import { exportAccount } from './account-export.ts';
import { type AccountSettingsForm, accountSettingsPage } from './account-settings-page.ts';
import type { AccountSettingsParts } from './account-settings-parts.ts';

const ACCOUNT = '/account';

/** The pages on which users see and change their own account. */
export function accountSettingsRoutes(parts: AccountSettingsParts): readonly PageRoute[] {
  const { users, cookies, hasGithub } = parts;

  async function show(visit: SignedInRequest, form?: AccountSettingsForm, refusal?: Refusal): Promise<PageResponse> {
    const before = readBefore(visit.query);
    const { sessions, hasMore } = await users.sessionsOf(visit.session.user, before);
    const refused = form && refusal && { form, refusal };
    return accountSettingsPage({ visit, sessions, hasMore, hasGithub, ...(refused && { refused }) });
  }

  const post = (
    path: string,
    form: AccountSettingsForm,
    run: (visit: SignedInRequest) => Promise<PageResponse>,
  ): PageRoute => ({
    method: 'POST',
    path: `${ACCOUNT}${path}`,
    access: 'signed-in',
    run,
    refused: (visit: SignedInRequest, refusal: Refusal) => show(visit, form, refusal),
  });

  return [
    { method: 'GET', path: ACCOUNT, access: 'signed-in', run: (visit) => show(visit) },
    post('/profile', 'profile', async ({ session, form: typed, client }) => {
      const email = typed.has('email') ? fieldText(typed, 'email') : session.user.email;
      await users.changeProfile(
        session,
        {
          name: fieldText(typed, 'name'),
          timezone: fieldText(typed, 'timezone') || 'UTC',
          email,
          currentPassword: untrimmedFieldText(typed, 'current_password'),
        },
        client,
      );
      const isOther = email.toLowerCase() !== session.user.email.toLowerCase();
      return redirect(
        ACCOUNT,
        successFlash(isOther ? `Saved. Open the link that we have sent to ${email}.` : 'Saved.'),
      );
    }),
    post('/password', 'password', async ({ session, form: typed, client }) => {
      const given = {
        currentPassword: untrimmedFieldText(typed, 'current_password'),
        password: untrimmedFieldText(typed, 'password'),
      };
      const { token, maxAgeSeconds } = await users.changePassword(session, given, client);
      const flash = successFlash('Your password is changed. All other sessions have ended.');
      return redirect(ACCOUNT, flash, [cookies.session(token, maxAgeSeconds)]);
    }),
    post('/sessions/{id}/revoke', 'sessions', async ({ session, params, client }) => {
      const id = parseWholeNumber(params['id'] ?? '');
      const isEnded = id !== undefined && (await users.revokeSession(session.user, id, client));
      if (!isEnded) throw notFound();
      return redirect(ACCOUNT, successFlash('The session has ended.'));
    }),
    post('/sessions/revoke-others', 'sessions', async ({ session, client }) => {
      await users.revokeOthers(session, client);
      return redirect(ACCOUNT, successFlash('All other sessions have ended.'));
    }),
    post('/github/unlink', 'github', async ({ session, client }) => {
      await users.unlinkGithub(session, client);
      return redirect(ACCOUNT, successFlash('GitHub is not linked any more.'));
    }),
    post('/delete', 'delete', async ({ session, form: typed, client }) => {
      const given = {
        currentPassword: untrimmedFieldText(typed, 'current_password'),
        confirm: fieldText(typed, 'confirm'),
      };
      await users.deleteUser(session, given, client);
      return redirect('/', successFlash('Your account is deleted.'), [cookies.endedSession()]);
    }),
    {
      method: 'GET',
      path: `${ACCOUNT}/export`,
      access: 'signed-in',
      async run({ session, isHead }) {
        const file = { kind: 'file', type: 'application/json', name: 'ledgerline-account.json' } as const;
        if (isHead) return { ...file, body: '' };
        const { sessions, end } = await users.beginExport(session.user);
        return { ...file, body: exportAccount(parts, session, sessions), end };
      },
    },
  ];
}

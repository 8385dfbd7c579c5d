import type { EmailUndo } from '../../../accounts/users/user-service.ts';
import { html } from '../../layout/html.ts';
import { hiddenField, postForm, refusalBox, submitButton } from '../form-fields.ts';
import { untrimmedFieldText } from '../form-values.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageRequest, PageResponse, PageRoute, Refusal } from '../page-route.ts';
import type { SignInParts } from './sign-in-parts.ts';

const UNDO = '/undo-email-change';
const FORGOT = '/forgot-password';
const CANCELLED_FLASH = successFlash(
  'The address stays as it is. If you have not asked for another one, somebody knows your password: set a new one.',
);
const TAKEN_BACK_FLASH = successFlash('The address is yours again, and all sessions have ended.');

/** The link that is mailed to an old address: it stops a change of address, or takes it back. */
export function undoEmailRoutes({ users, cookies }: Pick<SignInParts, 'users' | 'cookies'>): readonly PageRoute[] {
  async function linkPage(visit: PageRequest, tokens: readonly string[], refusal?: Refusal): Promise<PageResponse> {
    const [token = ''] = tokens;
    const undo = tokens.length === 1 ? await users.findEmailUndo(token) : undefined;
    return undo ? undoPage(visit, undo, token, refusal) : expiredPage();
  }

  return [
    {
      method: 'GET',
      path: UNDO,
      access: 'open',
      run: (visit) => linkPage(visit, visit.query.getAll('token')),
    },
    {
      method: 'POST',
      path: UNDO,
      access: 'open',
      async run({ form: typed, client }) {
        const undone = await users.undoEmailChange(untrimmedFieldText(typed, 'token'), client);
        switch (undone.outcome) {
          case 'cancelled':
            return redirect(FORGOT, CANCELLED_FLASH);
          case 'taken_back': {
            const next = new URLSearchParams({ token: undone.resetToken });
            return redirect(`/reset-password?${next}`, TAKEN_BACK_FLASH, [cookies.endedSession()]);
          }
          case 'taken':
            return takenPage();
          case 'gone':
            return expiredPage();
        }
      },
      refused: (visit, refusal) => linkPage(visit, visit.form.getAll('token').slice(0, 1), refusal),
    },
  ];
}

const undoPage = (visit: PageRequest, undo: EmailUndo, token: string, refusal?: Refusal): PageResponse =>
  undo.kind === 'pending'
    ? pageResponse(
        'Keep your e-mail address',
        html`${refusalBox(refusal)}<p>Somebody has asked to change the address of your account to ${undo.newEmail}.</p>
${postForm(visit, UNDO, html`${hiddenField('token', token)}${submitButton('Keep the address')}`)}`,
      )
    : pageResponse(
        'Take your e-mail address back',
        html`${refusalBox(refusal)}<p>The address of your account is ${undo.newEmail} now. With this button it is ${undo.oldEmail} again, all
sessions end, and you set a new password.</p>
${postForm(visit, UNDO, html`${hiddenField('token', token)}${submitButton('Take it back')}`)}`,
      );

const takenPage = (): PageResponse =>
  pageResponse(
    'The address has another account',
    html`<p>There is an account of this address by now. Delete that one, and open the link again.</p>
<p><a href="/login">Sign in</a></p>`,
    { status: 409 },
  );

const expiredPage = (): PageResponse =>
  pageResponse(
    'This link is not good any more',
    html`<p>The change was stopped, or has been taken back, or it happened more than 7 days ago. Ask whoever runs this server
if the account is not yours any more.</p>
<p><a href="${FORGOT}">Set a new password</a></p>`,
    { status: 410 },
  );

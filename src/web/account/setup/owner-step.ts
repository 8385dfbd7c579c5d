import { invalidField } from '../../../domain/primitives/domain-errors.ts';
import { html } from '../../layout/html.ts';
import { emailField, postButton, postForm, submitButton, textField } from '../form-fields.ts';
import { fieldText, untrimmedFieldText } from '../form-values.ts';
import { notFound } from '../page-errors.ts';
import { redirect } from '../page-responses.ts';
import type { PageRequest, PageResponse, PageRoute, Refusal } from '../page-route.ts';
import { newPasswordField } from '../sign-in/register-routes.ts';
import { isEqualInConstantTime } from '../text-signer.ts';
import { nextStep, SETUP, setupPage } from './setup-frame.ts';
import type { SetupParts } from './setup-parts.ts';
import { createSetupTries } from './setup-tries.ts';

/** How long a browser is not led here again that has left the setup for later. */
const LATER_SECONDS = 365 * 24 * 60 * 60;
export const LATER_COOKIE = 'setup';
export const LATER = 'later';

/** `/setup`: somebody becomes the owner. It does not exist once there is one. */
export function ownerRoutes(parts: SetupParts): readonly PageRoute[] {
  const { desk, users, cookies, browsers, hasOwner, now } = parts;
  const tries = createSetupTries(now);
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: of two who come at once, one becomes the owner. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  }

  const assertOpen = async (): Promise<void> => {
    if (await hasOwner()) throw notFound();
  };

  /** @throws RefusedError for a wrong code */
  function checkCode({ isDirect, form, client: { ip } }: PageRequest): void {
    if (isDirect) return;
    tries.assertMore(ip);
    const typed = fieldText(form, 'code')
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, '');
    if (isEqualInConstantTime(typed, desk.code.replaceAll('-', ''))) return;
    tries.countWrong(ip);
    throw invalidField('code', 'This is not the code of the last start.');
  }

  function ownerPage(visit: PageRequest, refusal?: Refusal): PageResponse {
    const code = textField({
      name: 'code',
      label: 'Setup code',
      autocomplete: 'off',
      required: true,
      maxlength: 40,
      error: refusal?.fields['code'],
      hint: 'The server printed it when it started, on the line that begins with “setup”.',
    });
    const fields = html`${!visit.isDirect && code}${emailField(fieldText(visit.form, 'email'), refusal)}
${textField({
  name: 'name',
  label: 'Name (optional)',
  autocomplete: 'name',
  maxlength: 100,
  value: fieldText(visit.form, 'name'),
  error: refusal?.fields['name'],
})}
${newPasswordField(refusal)}
${submitButton('Become the owner')}`;
    return setupPage(
      SETUP,
      'Set up this server',
      html`<p class="lead">Nobody owns this server yet. The owner manages its users and plans, and sees how it does, at <code>/admin</code>.
Then you choose which sport it shows, what it keeps, and where mail and backups go. It takes two minutes, and you may
leave each step as it is.</p>
${postForm(visit, SETUP, fields)}
<h2>Only looking around?</h2>
<p>The server runs as it is. You can come back to this page at any time.</p>
${postButton(visit, LATER_PATH, 'Not now: go to the live page', 'quiet')}`,
      refusal,
    );
  }

  return [
    {
      method: 'GET',
      path: SETUP,
      access: 'open',
      async run(visit) {
        if (visit.session && desk.isChosenBy(visit.session.user.email)) return redirect(nextStep(SETUP));
        await assertOpen();
        return ownerPage(visit);
      },
    },
    {
      method: 'POST',
      path: SETUP,
      access: 'open',
      run: async (visit) => {
        await assertOpen();
        checkCode(visit);
        const { form, client } = visit;
        const [email, password] = [fieldText(form, 'email'), untrimmedFieldText(form, 'password')];
        return inTurn(async () => {
          await assertOpen();
          const { user } = await users.operators.create({
            email,
            name: fieldText(form, 'name'),
            staff: true,
            password,
          });
          desk.begin(user.email);
          const given = { email: user.email, password, remember: true };
          const signedIn = await users.signIn(given, client, browsers.stateOf(visit));
          if (signedIn.outcome !== 'signed_in') return redirect('/login');
          const { token, maxAgeSeconds, session } = signedIn;
          const known = browsers.remember(visit, session.user.id);
          return redirect(nextStep(SETUP), undefined, [cookies.session(token, maxAgeSeconds), known]);
        });
      },
      refused: async (visit, refusal) => ownerPage(visit, refusal),
    },
    {
      method: 'POST',
      path: LATER_PATH,
      access: 'open',
      async run() {
        await assertOpen();
        return redirect('/', undefined, [cookies.write(LATER_COOKIE, LATER, LATER_SECONDS)]);
      },
      refused: async (visit, refusal) => ownerPage(visit, refusal),
    },
  ];
}

const LATER_PATH = '/setup/later';

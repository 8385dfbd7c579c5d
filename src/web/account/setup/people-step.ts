import { invalidField } from '../../../domain/primitives/domain-errors.ts';
import { commandText } from '../../../platform/command-text.ts';
import type { SettingEdits } from '../../../platform/settings/stored-settings.ts';
import { type Html, html } from '../../layout/html.ts';
import { postForm, radioFields, selectField, textField } from '../form-fields.ts';
import { fieldText, untrimmedFieldText } from '../form-values.ts';
import { redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import {
  chosenGet,
  chosenPost,
  environmentNote,
  nextStep,
  readChoice,
  setupPage,
  shownText,
  stepButtons,
} from './setup-frame.ts';
import type { SetupParts } from './setup-parts.ts';

const PATH = '/setup/people';

const ENCRYPTIONS: readonly (readonly [string, string])[] = [
  ['smtp', 'If the server offers it (STARTTLS)'],
  ['smtps', 'From the first byte (TLS)'],
];

/** `/setup/people`: how mail is sent, and who may register. */
export function peopleRoutes({ desk }: SetupParts): readonly PageRoute[] {
  async function show(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    const registration = shownText(visit, 'REGISTRATION', desk.setting('REGISTRATION').text ?? 'open');
    const fields = html`${mailFields(visit, refusal)}
<h2>People</h2>
${environmentNote(desk, 'REGISTRATION')}
${radioFields(
  'REGISTRATION',
  'Who may register?',
  [
    {
      value: 'closed',
      label: 'Nobody by themselves',
      hint: `You make the users: ${commandText('users create --email ADDRESS')}`,
    },
    {
      value: 'open',
      label: 'Everybody who reaches this server',
      hint: 'They verify their address by a mail, which needs a mail server.',
    },
  ],
  registration,
)}
${stepButtons(PATH, 'Try it, save and go on')}`;
    return setupPage(PATH, 'Mail and people', postForm(visit, PATH, fields), refusal);
  }

  function mailFields(visit: SignedInRequest, refusal: Refusal | undefined): Html {
    const { isSet } = desk.setting('SMTP_URL');
    const mail = shownText(visit, 'mail', isSet ? 'kept' : 'files');
    const field = (name: string, label: string, more: Partial<Parameters<typeof textField>[0]> = {}) =>
      textField({ name, label, value: fieldText(visit.form, name), error: refusal?.fields[name], ...more });
    return html`<h2>Mail</h2>
${environmentNote(desk, 'SMTP_URL', 'MAIL_FROM')}
<p>Mail goes to people who register or forget their password, and brings invoices and alerts. If you choose a mail server,
a mail is sent to ${visit.session.user.email} before you go on, to try it.</p>
${refusal?.fields['mail'] !== undefined && html`<p class="wrong" id="mail-error">${refusal.fields['mail']}</p>`}
${radioFields(
  'mail',
  'How is mail sent?',
  [
    ...(isSet ? [{ value: 'kept', label: 'As it is now', hint: 'By the mail server that is set.' }] : []),
    { value: 'files', label: 'Not at all', hint: 'Each mail is a file in the data folder.' },
    { value: 'smtp', label: 'By a mail server' },
  ],
  mail,
)}
<fieldset class="for-smtp"><legend>The mail server</legend>
${field('host', 'Host', { hint: 'Such as mail.example.' })}
${field('port', 'Port (optional)', { inputmode: 'numeric', maxlength: 5 })}
${selectField({ name: 'encryption', label: 'Encryption', options: ENCRYPTIONS, value: fieldText(visit.form, 'encryption') || 'smtp', error: refusal?.fields['encryption'] })}
${field('user', 'User (optional)', { autocomplete: 'off' })}
${field('mail_password', 'Password (optional)', { type: 'password', autocomplete: 'off' })}
${textField({ name: 'MAIL_FROM', label: 'Sender (optional)', value: shownText(visit, 'MAIL_FROM', desk.setting('MAIL_FROM').text), error: refusal?.fields['MAIL_FROM'], hint: 'Such as Ledgerline <no-reply@sports.example>.' })}</fieldset>`;
  }

  function readMail(form: URLSearchParams): SettingEdits {
    const kind = readChoice(form, 'mail', ['kept', 'files', 'smtp']);
    if (kind === 'files') return { SMTP_URL: null };
    const MAIL_FROM = fieldText(form, 'MAIL_FROM') || null;
    if (kind === 'kept') return { MAIL_FROM };
    const [host, port, user] = [fieldText(form, 'host'), fieldText(form, 'port'), fieldText(form, 'user')];
    if (!/^(?:[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i.test(host))
      throw invalidField('host', 'Write the name or the address of the mail server.');
    if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
      throw invalidField('port', 'A port is a whole number from 1 to 65535.');
    const scheme = readChoice(form, 'encryption', ['smtp', 'smtps']);
    const password = encodeURIComponent(untrimmedFieldText(form, 'mail_password'));
    const login = user === '' ? '' : `${encodeURIComponent(user)}:${password}@`;
    return { SMTP_URL: `${scheme}://${login}${host}${port === '' ? '' : `:${port}`}`, MAIL_FROM };
  }

  return [
    chosenGet(desk, PATH, show),
    chosenPost(desk, PATH, show, async (visit) => {
      const { email } = visit.session.user;
      const registration = readChoice(visit.form, 'REGISTRATION', ['open', 'closed']);
      const changes = { REGISTRATION: registration, ...readMail(visit.form) };
      const sends = changes.SMTP_URL !== null;
      if (sends) await desk.testMail(changes, email);
      desk.change(changes);
      const text = `The mail server has taken the mail to ${email}. Look whether it has arrived; it may be among the junk.`;
      return redirect(nextStep(PATH), sends ? successFlash(text) : undefined);
    }),
  ];
}

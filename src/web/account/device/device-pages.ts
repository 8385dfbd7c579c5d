import type { PendingTrial } from '../../../accounts/trial/create-trial-approvals.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { type Html, html } from '../../layout/html.ts';
import { hiddenField, postForm, refusalBox, textField } from '../form-fields.ts';
import { timeTag } from '../formats.ts';
import { grantFields } from '../keys/key-pages.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';

export const DEVICE = '/device';

/** The decisions that the forms send. `look` shows who asks, and changes nothing. */
export const DECISIONS = ['look', 'approve', 'refuse'] as const;
export type Decision = (typeof DECISIONS)[number];

const decisionButton = (decision: Decision, text: string): Html =>
  html`<button type="submit" name="decision" value="${decision}"${decision === 'refuse' && html` class="danger"`}>${text}</button>`;

/** The form for a code. @param typed what was typed, or what a link holds */
export const codePage = (visit: SignedInRequest, typed: string, refusal?: Refusal): Html => html`
${refusalBox(refusal)}
<p>A program that wants to use this server in your name shows a code. Type it here only if you have started that program
yourself.</p>
${postForm(
  visit,
  DEVICE,
  html`${textField({
    name: 'user_code',
    label: 'Code',
    value: typed,
    error: refusal?.fields['user_code'],
    required: true,
    maxlength: 40,
    hint: 'Eight letters, such as BCDF-GHJK. With the hyphen or without.',
    autocomplete: 'off',
  })}
${decisionButton('look', 'Continue')}`,
)}`;

/** Who asks for what, and the forms that decide. A refused form keeps what was typed. */
export function decisionPage(visit: SignedInRequest, trial: PendingTrial, refusal?: Refusal): Html {
  const { userCode, clientName, askedFrom, madeAt, expiresAt } = trial;
  const { timezone } = visit.session.user;
  return html`${refusalBox(refusal)}
${refusal?.status === 403 && html`<p>Revoke a key at <a href="/api-keys">your keys</a>, or see <a href="/billing">what other plans allow</a>.</p>`}
<p><strong><bdi>${clientName}</bdi></strong> asks for an API key of your account. The name is its own: this server knows
nothing else of it.</p>
<dl>
<dt>Code</dt><dd><code>${userCode}</code></dd>
<dt>Asked from</dt><dd>${askedFrom}</dd>
<dt>Asked at</dt><dd>${timeTag(formatTime(madeAt), timezone)}</dd>
<dt>Waits until</dt><dd>${timeTag(formatTime(expiresAt), timezone)}</dd>
</dl>
<p>Whoever has the key spends your credits. Approve only if the program shows this very code, and you have started it
yourself: somebody who has sent you here may want the key for himself.</p>
${postForm(
  visit,
  DEVICE,
  html`${hiddenField('user_code', userCode)}
${grantFields(visit.form, refusal)}
<div class="buttons">${decisionButton('approve', 'Approve')} ${decisionButton('refuse', 'Refuse')}</div>`,
)}
<p><a href="${DEVICE}">Another code</a></p>`;
}

import { ALL_SPORTS } from '../../../api/calls/scopes.ts';
import type { KeyListing } from '../../../api/calls/services/account-services.ts';
import { createKey } from '../../../api/operations/account/create-key.ts';
import { SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { codeBlock, dataTable, type Html, html } from '../../layout/html.ts';
import { checkboxField, postButton, postForm, refusalBox, submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';
import { keyPath } from './key-security-log.ts';

/** The account's keys, and the form for a new key. A refused form keeps the typed values. */
export const keysPage = (visit: SignedInRequest, keys: readonly KeyListing[], refusal?: Refusal): Html => html`
${refusalBox(refusal)}
${refusal?.status === 403 && html`<p>Revoke a key, or see <a href="/billing">what other plans allow</a>.</p>`}
<p>A key stands for your account: whoever has it spends your credits. <a href="/docs">The documentation</a> tells how calls carry it.</p>
<section><h2>Your keys</h2>${keys.length === 0 ? html`<p class="empty">There is no key yet.</p>` : keysTable(visit, keys)}</section>
<section><h2>Make a key</h2>${postForm(visit, '/api-keys', keyFields(visit.form, refusal))}</section>`;

const keysTable = (visit: SignedInRequest, keys: readonly KeyListing[]): Html => html`
${dataTable(
  'Your keys',
  ['Name', 'State', 'Scopes', 'Made', 'Last used'],
  [...keys].reverse().map((key) => keyRow(visit, key)),
)}
<p class="facts">Revoked keys stay here for 24 hours.</p>`;

function keyRow(visit: SignedInRequest, key: KeyListing): Html {
  const { timezone } = visit.session.user;
  const { id, name, prefix, scopes, created_at: made, last_used_at: used, is_active: isActive } = key;
  return html`<tr><th scope="row" class="wide">${name}<br><code>${prefix}</code></th>
<td>${isActive ? postButton(visit, `${keyPath(id)}/revoke`, 'Revoke', 'danger') : html`<span class="badge bad">ended</span>`}</td>
<td class="wide">${scopes.join(', ')}</td><td>${timeTag(made, timezone)}</td><td>${used === null ? 'never' : timeTag(used, timezone)}</td></tr>
`;
}

function keyFields(typed: URLSearchParams, refusal: Refusal | undefined): Html {
  const { name: wrongName, scopes: wrongScopes } = refusal?.fields ?? {};
  const ticked = typed.getAll('scopes');
  const isWrong = wrongScopes !== undefined;
  const scopeField = (value: string) =>
    checkboxField({
      name: 'scopes',
      value,
      isChecked: ticked.includes(value),
      label: value === ALL_SPORTS ? 'all: every sport, and buying credits' : value,
    });
  return html`${textField({
    name: 'name',
    label: 'Name',
    value: fieldText(typed, 'name'),
    error: wrongName,
    required: true,
    maxlength: 100,
    hint: 'For you, such as what uses it.',
    autocomplete: 'off',
  })}
<fieldset${isWrong && html` aria-invalid="true"`} aria-describedby="scopes-hint${isWrong && ' scopes-error'}"><legend>Scopes</legend>
<p class="facts" id="scopes-hint">What the key opens. With none ticked it opens all.</p>
${isWrong && html`<p class="wrong" id="scopes-error">${wrongScopes}</p>`}${SCOPES.map(scopeField)}</fieldset>
${submitButton('Make the key')}`;
}

/** @param secret undefined for a HEAD request */
export const revealPage = (secret: string | undefined): Html => html`
<p class="notice">Copy the key now. This page shows it once, and the server keeps no copy.</p>
${secret !== undefined && html`<div class="secret">${codeBlock(secret, 'The new API key')}</div>`}
<p>Calls carry it in a header:</p>
${codeBlock('Authorization: Bearer YOUR_API_KEY', 'The header of a call')}
<p><a href="/api-keys">Your keys</a></p>`;

export const gonePage = (): Html => html`
<p>A key is shown once, within 10 minutes, to the session that made it. Nobody can show this one again: the server has no copy.</p>
<p>If it is lost, revoke it and make another: <a href="/api-keys">your keys</a>.</p>`;

const SCOPES: readonly string[] = [ALL_SPORTS, ...SPORT_SLUGS];

interface KeyFormInput {
  readonly name: string;
  readonly scopes: readonly string[];
}

/**
 * Reads the form for a new key by the rules of the API. No ticked scope means all scopes.
 * @throws RefusedError 422
 */
export function readKeyForm(form: URLSearchParams): KeyFormInput {
  const ticked = form.getAll('scopes').map((scope) => scope.trim());
  const given = { name: fieldText(form, 'name'), scopes: ticked.length === 0 ? [ALL_SPORTS] : ticked };
  const { data, error } = createKey.input.body!.safeParse(given);
  if (data) return { name: data.name, scopes: data.scopes!.includes(ALL_SPORTS) ? [ALL_SPORTS] : data.scopes! };
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) fields[String(path[0])] ??= toSentence(message);
  throw new RefusedError(422, 'The key was not made. See below.', { fields });
}

/** `must not be empty` becomes "It must not be empty." */
const toSentence = (message: string): string => `It ${message}.`;

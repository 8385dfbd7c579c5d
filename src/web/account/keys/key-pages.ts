import { ALL_SPORTS } from '../../../api/calls/scopes.ts';
import type { KeyListing } from '../../../api/calls/services/account-services.ts';
import { createKey } from '../../../api/operations/account/create-key.ts';
import { creditAmount } from '../../../domain/accounts/format-credits.ts';
import { findSport, SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { codeBlock, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { checkboxField, postButton, postForm, refusalBox, submitButton, textField } from '../form-fields.ts';
import { fieldText, parseWholeNumber } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';
import { type ListRow, rowList } from '../row-list.ts';
import { keyPath } from './key-security-log.ts';

/** The account's keys, and the form for a new key. A refused form keeps the typed values. */
export const keysPage = (visit: SignedInRequest, keys: readonly KeyListing[], refusal?: Refusal): Html => html`
${refusalBox(refusal)}
${refusal?.status === 403 && html`<p>Revoke a key, or see <a href="/billing">what other plans allow</a>.</p>`}
<p>A key stands for your account: whoever has it spends your credits. <a href="/docs">The documentation</a> tells how calls carry it. Does a program show you a code? <a href="/device">Type it here</a>.</p>
<section><h2>Your keys</h2>${keys.length === 0 ? emptyState('There is no key yet. Programs need one to call the API; these pages do not.') : keysTable(visit, keys)}</section>
<section><h2>Make a key</h2>${postForm(visit, '/api-keys', keyFields(visit.form, refusal))}</section>`;

const keysTable = (visit: SignedInRequest, keys: readonly KeyListing[]): Html => html`
${rowList(
  'Your keys',
  [...keys].reverse().map((key) => keyRow(visit, key)),
  '',
)}
<p class="facts">Revoked keys stay here for 24 hours.</p>`;

function keyRow(visit: SignedInRequest, key: KeyListing): ListRow {
  const { timezone } = visit.session.user;
  const { id, name, prefix, scopes, created_at: made, last_used_at: used, is_active: isActive } = key;
  const cap = key.max_credits_a_day;
  const opens = scopes.includes(ALL_SPORTS) ? 'everything' : scopes.map(scopeName).join(', ');
  return {
    cells: [
      html`<b>${name}</b><br><code>${prefix}</code>`,
      html`Opens ${opens}<br><span class="facts">${cap === null ? 'No cap on its credits' : `At most ${creditAmount(cap)} a day`}</span>`,
      html`<span class="facts">Made ${timeTag(made, timezone)}<br>${used === null ? 'Never used' : html`Last used ${timeTag(used, timezone)}`}</span>`,
      isActive
        ? postButton(visit, `${keyPath(id)}/revoke`, 'Revoke', 'danger')
        : html`<span class="badge bad">ended</span>`,
    ],
  };
}

function keyFields(typed: URLSearchParams, refusal: Refusal | undefined): Html {
  const { name: wrongName } = refusal?.fields ?? {};
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
${grantFields(typed, refusal)}
${submitButton('Make the key')}`;
}

/** What a key may do: its scopes and its daily cap. */
export function grantFields(typed: URLSearchParams, refusal: Refusal | undefined): Html {
  const { scopes: wrongScopes, max_credits_a_day: wrongCap } = refusal?.fields ?? {};
  const ticked = typed.getAll('scopes');
  const isWrong = wrongScopes !== undefined;
  const scopeField = (value: string) =>
    checkboxField({
      name: 'scopes',
      value,
      isChecked: ticked.includes(value),
      label: value === ALL_SPORTS ? 'Every sport, and buying credits' : scopeName(value),
    });
  return html`<fieldset${isWrong && html` aria-invalid="true"`} aria-describedby="scopes-hint${isWrong && ' scopes-error'}"><legend>What it opens</legend>
<p class="facts" id="scopes-hint">With none ticked the key opens all.</p>
${isWrong && html`<p class="wrong" id="scopes-error">${wrongScopes}</p>`}<div class="options">${SCOPES.map(scopeField)}</div></fieldset>
${textField({
  name: 'max_credits_a_day',
  label: 'Credits a day (optional)',
  value: fieldText(typed, 'max_credits_a_day'),
  error: wrongCap,
  inputmode: 'numeric',
  autocomplete: 'off',
  hint: 'At most so many credits in any 24 hours. It never changes. Such a key makes no keys and no links.',
})}`;
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

/** As people call it. */
const scopeName = (scope: string): string => (scope === ALL_SPORTS ? 'Everything' : (findSport(scope)?.name ?? scope));

const SCOPES: readonly string[] = [ALL_SPORTS, ...SPORT_SLUGS];

interface KeyFormInput {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly maxCreditsADay: number | undefined;
}

/**
 * Reads the form for a new key by the rules of the API. No ticked scope means all scopes.
 * @throws RefusedError 422
 */
export const readKeyForm = (form: URLSearchParams): KeyFormInput =>
  readGrant(form, fieldText(form, 'name'), 'The key was not made. See below.');

/**
 * Reads the fields of `grantFields`.
 * @param name of the key
 * @throws RefusedError 422
 */
export function readGrant(form: URLSearchParams, name: string, refusal: string): KeyFormInput {
  const ticked = form.getAll('scopes').map((scope) => scope.trim());
  const cap = fieldText(form, 'max_credits_a_day');
  const { data, error } = createKey.input.body!.safeParse({
    name,
    scopes: ticked.length === 0 ? [ALL_SPORTS] : ticked,
    ...(cap !== '' && { max_credits_a_day: parseWholeNumber(cap) ?? cap }),
  });
  if (data) {
    const scopes = data.scopes!.includes(ALL_SPORTS) ? [ALL_SPORTS] : data.scopes!;
    return { name: data.name, scopes, maxCreditsADay: data.max_credits_a_day };
  }
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) fields[String(path[0])] ??= toSentence(message);
  throw new RefusedError(422, refusal, { fields });
}

/** `must not be empty` becomes "It must not be empty." */
const toSentence = (message: string): string => `It ${message}.`;

import { describeOperation as proseOf } from '../../../api/calls/operation/operation.ts';
import { redactApiKeys } from '../../../api/calls/redact-keys.ts';
import { codeBlock, type Html, html, prose } from '../../layout/html.ts';
import {
  hiddenField,
  postForm,
  refusalBox,
  selectField,
  submitButton,
  textAreaField,
  textField,
} from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';
import type { PlaygroundInput, ReadableOperation } from './readable-operations.ts';
import type { PlaygroundAnswer } from './run-in-playground.ts';

export interface PlaygroundView {
  readonly operations: ReadonlyMap<string, ReadableOperation>;
  /** The chosen operation; undefined if none. */
  readonly chosen: ReadableOperation | undefined;
  /** Values of the inputs by name. */
  readonly typed: URLSearchParams;
  readonly answer?: PlaygroundAnswer | undefined;
  readonly refusal?: Refusal | undefined;
}

/** Never shows an API key: keys that were typed into a wrong field are redacted. */
export function playgroundPage(visit: SignedInRequest, view: PlaygroundView): Html {
  const { operations, chosen, typed, answer, refusal } = view;
  return html`
${refusalBox(refusal)}
<p>Runs a call for your account at its price, without a key: what reads, and up to 20 calls in 60 seconds.</p>
<form method="get" action="/playground">${selectField({
    name: 'operation',
    label: 'Call',
    value: chosen?.operation.name,
    id: 'choose',
    options: [...operations.values()].map(({ operation: { name, method, path } }) => [
      name,
      `${name}: ${method} ${path}`,
    ]),
    error: refusal?.fields['operation'],
  })}${submitButton('Choose')}</form>
${
  chosen &&
  html`<section><h2>${chosen.operation.name}</h2><p>${prose(proseOf(chosen.operation))}</p>
${postForm(visit, '/playground', inputForm(chosen, typed, refusal))}</section>`
}
${answer && answerSection(answer)}`;
}

function inputForm(
  { operation, path, query, body }: ReadableOperation,
  typed: URLSearchParams,
  refusal?: Refusal,
): Html {
  const field = (input: PlaygroundInput) =>
    inputField(input, redactApiKeys(fieldText(typed, input.name)), refusal?.fields[input.name]);
  return html`${hiddenField('operation', operation.name)}
<div class="field-grid inputs">${[...path, ...query].map(field)}</div>
${body && textAreaField({ name: 'body', label: 'Body, as JSON', value: redactApiKeys(fieldText(typed, 'body')), rows: 8, hint: bodyHint(body) })}
${submitButton('Run')}`;
}

function inputField(input: PlaygroundInput, value: string, error: string | undefined): Html {
  const { name, type, description, isRequired } = input;
  const values = input.values ?? (type === 'boolean' ? ['true', 'false'] : undefined);
  const field = {
    name,
    label: isRequired ? `${name} (required)` : name,
    value,
    error,
    hint: description === undefined ? undefined : prose(description),
    id: `in-${name}`,
  };
  // A value that is no option selects none.
  if (values)
    return selectField({ ...field, options: [['', 'not given'], ...values.map((one) => [one, one] as const)] });
  return textField({ ...field, autocomplete: 'off', ...(type === 'integer' && { inputmode: 'numeric' as const }) });
}

const bodyHint = (body: readonly PlaygroundInput[]): string =>
  `Members: ${body.map(({ name, isRequired }) => (isRequired ? `${name} (required)` : name)).join(', ')}.`;

function answerSection({ status, headers, body }: PlaygroundAnswer): Html {
  const head = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return html`<section class="answer"><h2>Answer</h2><p class="stat" id="answer-status">Status ${status}</p>
<h3>Headers</h3>${codeBlock(redactApiKeys(head), 'Headers of the answer')}
<h3>Body</h3>${codeBlock(redactApiKeys(JSON.stringify(JSON.parse(body), null, 2)), 'Body of the answer')}</section>`;
}

import { withoutKeys } from '../../../api/calls/keys-in-text.ts';
import { textOf as proseOf } from '../../../api/calls/operation.ts';
import { codeBlock, type Html, html, prose } from '../../layout/html.ts';
import { areaField, form, hiddenField, refusalBox, selectField, submit, textField } from '../fields.ts';
import { textOf } from '../values.ts';
import type { Refusal, SignedInVisit } from '../visit.ts';
import type { PlaygroundInput, ReadableOperation } from './readable-operations.ts';
import type { PlaygroundAnswer } from './run-in-playground.ts';

export interface PlaygroundView {
  readonly operations: ReadonlyMap<string, ReadableOperation>;
  /** What was chosen; undefined: nothing yet. */
  readonly chosen: ReadableOperation | undefined;
  /** Values of the inputs, by their names. */
  readonly typed: URLSearchParams;
  readonly answer?: PlaygroundAnswer | undefined;
  readonly refusal?: Refusal | undefined;
}

/** No key ever stands in it: what was typed into a wrong field is hidden. */
export function playgroundPage(visit: SignedInVisit, view: PlaygroundView): Html {
  const { operations, chosen, typed, answer, refusal } = view;
  return html`
${refusalBox(refusal)}
<p>Runs a call for your account at its price, without a key: what reads, and up to 20 calls in 60 seconds.</p>
<form method="get" action="/playground">${selectField({
    ...{ name: 'operation', label: 'Call', value: chosen?.operation.name, id: 'choose' },
    options: [...operations.values()].map(({ operation: { name, method, path } }) => [
      name,
      `${name}: ${method} ${path}`,
    ]),
    error: refusal?.fields['operation'],
  })}${submit('Choose')}</form>
${
  chosen &&
  html`<section><h2>${chosen.operation.name}</h2><p>${prose(proseOf(chosen.operation))}</p>
${form(visit, '/playground', inputs(chosen, typed, refusal))}</section>`
}
${answer && answered(answer)}`;
}

function inputs({ operation, path, query, body }: ReadableOperation, typed: URLSearchParams, refusal?: Refusal): Html {
  const field = (input: PlaygroundInput) =>
    inputField(input, withoutKeys(textOf(typed, input.name)), refusal?.fields[input.name]);
  return html`${hiddenField('operation', operation.name)}
${[...path, ...query].map(field)}
${body && areaField({ name: 'body', label: 'Body, as JSON', value: withoutKeys(textOf(typed, 'body')), rows: 8, hint: members(body) })}
${submit('Run')}`;
}

function inputField(input: PlaygroundInput, value: string, error: string | undefined): Html {
  const { name, type, description, isRequired } = input;
  const values = input.values ?? (type === 'boolean' ? ['true', 'false'] : undefined);
  const field = {
    ...{ name, label: isRequired ? `${name} (required)` : name, value, error, hint: description },
    id: `in-${name}`,
  };
  // A value that is none of them is shown as none.
  if (values)
    return selectField({ ...field, options: [['', 'not given'], ...values.map((one) => [one, one] as const)] });
  return textField({ ...field, autocomplete: 'off', ...(type === 'integer' && { inputmode: 'numeric' as const }) });
}

const members = (body: readonly PlaygroundInput[]): string =>
  `Members: ${body.map(({ name, isRequired }) => (isRequired ? `${name} (required)` : name)).join(', ')}.`;

function answered({ status, headers, body }: PlaygroundAnswer): Html {
  const head = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return html`<section class="answer"><h2>Answer</h2><p class="stat" id="answer-status">Status ${status}</p>
<h3>Headers</h3>${codeBlock(withoutKeys(head), 'Headers of the answer')}
<h3>Body</h3>${codeBlock(withoutKeys(JSON.stringify(JSON.parse(body), null, 2)), 'Body of the answer')}</section>`;
}

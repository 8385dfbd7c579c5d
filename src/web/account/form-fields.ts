import { type Html, html } from '../layout/html.ts';
import type { PageRequest, Refusal } from './page-route.ts';

/** Form fields. A wrong field has `aria-invalid`, and `aria-describedby` points to its message. */

const csrfField = ({ csrf }: Pick<PageRequest, 'csrf'>): Html => hiddenField('_csrf', csrf);

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

interface TextField {
  readonly name: string;
  readonly label: string;
  /** Default: `text`. */
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'search' | 'date';
  readonly value?: string | undefined;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly maxlength?: number;
  readonly inputmode?: 'numeric' | 'decimal' | 'email';
  /** Needed if several forms of a page have a field of this name. */
  readonly id?: string;
}

/** Never writes a password back into the page. */
export function textField(field: TextField): Html {
  const { name, label, type = 'text', value, error, hint, autocomplete, required, maxlength, inputmode } = field;
  const id = field.id ?? `field-${name}`;
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}"${type !== 'password' && value !== undefined && html` value="${value}"`}${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}${required && html` required`}${maxlength !== undefined && html` maxlength="${maxlength}"`}${inputmode !== undefined && html` inputmode="${inputmode}"`}${describedBy(id, error, hint)}>
${messages(id, error, hint)}</div>`;
}

/** The address of an account. It keeps what was typed. */
export const emailField = (value: string, refusal: Refusal | undefined): Html =>
  textField({
    name: 'email',
    label: 'E-mail',
    type: 'email',
    autocomplete: 'username',
    required: true,
    value,
    error: refusal?.fields['email'],
  });

/** The password that an account has. @param field with its label, and an id if several forms of the page have one */
export const currentPasswordField = (
  field: Pick<TextField, 'name' | 'label' | 'id' | 'hint' | 'required'>,
  refusal: Refusal | undefined,
): Html =>
  textField({
    ...field,
    type: 'password',
    autocomplete: 'current-password',
    error: refusal?.fields[field.name],
  });

interface SelectField {
  readonly name: string;
  readonly label: string;
  /** Value and text. */
  readonly options: readonly (readonly [string, string])[];
  readonly value?: string | undefined;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly id?: string;
}

export function selectField({ name, label, options, value, error, hint, id = `field-${name}` }: SelectField): Html {
  return html`<div class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}"${describedBy(id, error, hint)}>${options.map(
    ([one, text]) => html`<option value="${one}"${one === value && html` selected`}>${text}</option>`,
  )}</select>
${messages(id, error, hint)}</div>`;
}

interface TextAreaField {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly rows?: number;
  readonly id?: string;
}

export function textAreaField({
  name,
  label,
  value = '',
  error,
  hint,
  rows = 4,
  id = `field-${name}`,
}: TextAreaField): Html {
  // HTML drops the first line break in a textarea, so one is added before the text.
  return html`<div class="field"><label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="${rows}" spellcheck="false"${describedBy(id, error, hint)}>
${value}</textarea>
${messages(id, error, hint)}</div>`;
}

interface CheckboxField {
  readonly name: string;
  readonly label: string;
  readonly isChecked?: boolean;
  /** Default: `on`. */
  readonly value?: string;
  readonly id?: string;
}

export function checkboxField({ name, label, isChecked, value = 'on', id }: CheckboxField): Html {
  const own = id ?? `field-${name}-${value}`;
  return html`<div class="check"><input id="${own}" type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}> <label for="${own}">${label}</label></div>`;
}

export const submitButton = (text: string, kind: 'plain' | 'danger' = 'plain'): Html =>
  html`<button type="submit"${kind === 'danger' && html` class="danger"`}>${text}</button>`;

/** A form that posts to this path, with a CSRF token. */
export const postForm = (visit: Pick<PageRequest, 'csrf'>, action: string, content: Html): Html =>
  html`<form method="post" action="${action}">${csrfField(visit)}${content}</form>`;

/**
 * A form that consists of one button.
 * @param fields hidden fields by name
 */
export const postButton = (
  visit: Pick<PageRequest, 'csrf'>,
  action: string,
  text: string,
  kind: 'plain' | 'danger' = 'plain',
  fields: Readonly<Record<string, string>> = {},
): Html =>
  html`<form method="post" action="${action}" class="inline">${csrfField(visit)}${Object.entries(fields).map(
    ([name, value]) => hiddenField(name, value),
  )}${submitButton(text, kind)}</form>`;

/** The reason of a refusal, shown above the form. */
export const refusalBox = (refusal: Refusal | undefined): Html =>
  refusal === undefined ? html`` : html`<p class="refusal" role="alert">${refusal.message}</p>`;

function describedBy(id: string, error: string | undefined, hint: string | undefined): Html {
  const by = [...(error === undefined ? [] : [`${id}-error`]), ...(hint === undefined ? [] : [`${id}-hint`])];
  return html`${by.length > 0 && html` aria-describedby="${by.join(' ')}"`}${error !== undefined && html` aria-invalid="true"`}`;
}

const messages = (id: string, error: string | undefined, hint: string | undefined): Html =>
  html`${error !== undefined && html`<p class="wrong" id="${id}-error">${error}</p>`}${hint !== undefined && html`<p class="facts" id="${id}-hint">${hint}</p>`}`;

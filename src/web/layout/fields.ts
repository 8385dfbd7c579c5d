import { type Html, html } from './html.ts';

/** Form fields. A wrong field has `aria-invalid`, and `aria-describedby` points to its message. */

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

interface FieldFrame {
  /** Of the field itself. */
  readonly id: string;
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: Html | string | undefined;
}

/** What every field stands in: its label above it, what is wrong with it and a hint below it. */
const fieldFrame = ({ id, label, error, hint }: FieldFrame, field: Html): Html =>
  html`<div class="field"><label for="${id}">${label}</label>
${field}
${error !== undefined && html`<p class="wrong" id="${id}-error">${error}</p>`}${hint !== undefined && html`<p class="facts" id="${id}-hint">${hint}</p>`}</div>`;

function describedBy(id: string, error: string | undefined, hint: Html | string | undefined): Html {
  const by = [...(error === undefined ? [] : [`${id}-error`]), ...(hint === undefined ? [] : [`${id}-hint`])];
  return html`${by.length > 0 && html` aria-describedby="${by.join(' ')}"`}${error !== undefined && html` aria-invalid="true"`}`;
}

export interface TextField {
  readonly name: string;
  readonly label: string;
  /** Default: `text`. */
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'search' | 'date';
  readonly value?: string | undefined;
  readonly error?: string | undefined;
  readonly hint?: Html | string | undefined;
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
  return fieldFrame(
    { id, label, error, hint },
    html`<input id="${id}" name="${name}" type="${type}"${type !== 'password' && value !== undefined && html` value="${value}"`}${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}${required && html` required`}${maxlength !== undefined && html` maxlength="${maxlength}"`}${inputmode !== undefined && html` inputmode="${inputmode}"`}${describedBy(id, error, hint)}>`,
  );
}

type Option = readonly [value: string, text: string];

interface SelectField {
  readonly name: string;
  readonly label: string;
  /** Those before the groups, or all. */
  readonly options: readonly Option[];
  readonly groups?: readonly { readonly label: string; readonly options: readonly Option[] }[];
  readonly value?: string | undefined;
  readonly error?: string | undefined;
  readonly hint?: Html | string | undefined;
  readonly id?: string;
}

export function selectField(field: SelectField): Html {
  const { name, label, options, groups = [], value, error, hint, id = `field-${name}` } = field;
  const optionsHtml = (listed: readonly Option[]) =>
    listed.map(([one, text]) => html`<option value="${one}"${one === value && html` selected`}>${text}</option>`);
  return fieldFrame(
    { id, label, error, hint },
    html`<select id="${id}" name="${name}"${describedBy(id, error, hint)}>${optionsHtml(options)}${groups.map(
      (group) => html`<optgroup label="${group.label}">${optionsHtml(group.options)}</optgroup>`,
    )}</select>`,
  );
}

interface TextAreaField {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly error?: string | undefined;
  readonly hint?: Html | string | undefined;
  readonly rows?: number;
  readonly required?: boolean;
  readonly maxlength?: number;
  readonly id?: string;
}

export function textAreaField({
  name,
  label,
  value = '',
  error,
  hint,
  rows = 4,
  required,
  maxlength,
  id = `field-${name}`,
}: TextAreaField): Html {
  // HTML drops the first line break in a textarea, so one is added before the text.
  return fieldFrame(
    { id, label, error, hint },
    html`<textarea id="${id}" name="${name}" rows="${rows}"${maxlength !== undefined && html` maxlength="${maxlength}"`}${required && html` required`} spellcheck="false" autocapitalize="off" autocomplete="off"${describedBy(id, error, hint)}>
${value}</textarea>`,
  );
}

interface ChoiceFrame {
  readonly type: 'checkbox' | 'radio';
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly isChecked: boolean | undefined;
  readonly hint?: Html | string | undefined;
}

/** What every box and button that is ticked stands in: its label beside it, and what it means below. */
const choiceFrame = ({ type, id, name, value, label, isChecked, hint }: ChoiceFrame): Html =>
  html`<div class="check${hint !== undefined && ' choice-field'}"><input id="${id}" type="${type}" name="${name}" value="${value}"${isChecked && html` checked`}${hint !== undefined && describedBy(id, undefined, hint)}> ${
    hint === undefined
      ? html`<label for="${id}">${label}</label>`
      : html`<div><label for="${id}">${label}</label><p class="facts" id="${id}-hint">${hint}</p></div>`
  }</div>`;

interface Radio {
  readonly value: string;
  readonly label: string;
  readonly hint?: Html | string;
}

/** One of several, each with what it means. */
export const radioFields = (name: string, legend: string, radios: readonly Radio[], chosen: string): Html =>
  html`<fieldset><legend>${legend}</legend>${radios.map(({ value, ...radio }) =>
    choiceFrame({ ...radio, type: 'radio', id: `field-${name}-${value}`, name, value, isChecked: value === chosen }),
  )}</fieldset>`;

interface CheckboxField {
  readonly name: string;
  readonly label: string;
  readonly isChecked?: boolean;
  /** Default: `on`. */
  readonly value?: string;
  readonly id?: string;
}

export const checkboxField = ({ name, label, isChecked, value = 'on', id }: CheckboxField): Html =>
  choiceFrame({ type: 'checkbox', id: id ?? `field-${name}-${value}`, name, value, label, isChecked });

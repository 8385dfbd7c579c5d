import { hiddenField, type TextField, textField } from '../layout/fields.ts';
import { type Html, html } from '../layout/html.ts';
import type { PageRequest, Refusal } from './page-route.ts';

export { checkboxField, hiddenField, radioFields, selectField, textAreaField, textField } from '../layout/fields.ts';

/** Forms of accounts: their fields are those of all pages, and a form that posts has a token. */

const csrfField = ({ csrf }: Pick<PageRequest, 'csrf'>): Html => hiddenField('_csrf', csrf);

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

/** `quiet` is beside the main thing of a page; `danger` cannot be taken back. */
type ButtonKind = 'plain' | 'quiet' | 'danger';

export const submitButton = (text: string, kind: ButtonKind = 'plain'): Html =>
  html`<button type="submit"${kind !== 'plain' && html` class="${kind}"`}>${text}</button>`;

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
  kind: ButtonKind = 'plain',
  fields: Readonly<Record<string, string>> = {},
): Html =>
  html`<form method="post" action="${action}" class="inline">${csrfField(visit)}${Object.entries(fields).map(
    ([name, value]) => hiddenField(name, value),
  )}${submitButton(text, kind)}</form>`;

/** The reason of a refusal, shown above the form. */
export const refusalBox = (refusal: Refusal | undefined): Html =>
  refusal === undefined ? html`` : html`<p class="refusal" role="alert">${refusal.message}</p>`;

import { IDENTITY_SUBJECTS, type IdentityAction } from '../../../domain/feed/identity-message.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { type Html, html } from '../../layout/html.ts';
import { hiddenField, postForm, refusalBox, selectField, submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';
import { actionOf, FIELDS_OF, MAX_NOTE, pageRefusal, readAct } from './data-act-fields.ts';
import { DATA_PATH, placeOf, placePath } from './data-place.ts';
import { changeText, wouldDo } from './data-texts.ts';
import type { DoneRow, IdentityDesk } from './identity-desk.ts';

// Acts for which ids or refs are typed take two steps. The first form is sent by GET: it changes nothing, and shows
// what the act would do. The second form does it. The fields of the first one stand in the address of the page, so that
// a link can fill the form too.

/** The field of an address that names the act to be tried; `form` only fills its form in. */
const TRY = 'try';
const FORM = 'form';

const TITLES: Readonly<Record<IdentityAction, string>> = {
  bind: 'Bind a ref',
  split: 'Split a ref off',
  merge: 'Merge by ids',
  alias: 'Add a name',
  dismiss: 'Dismiss',
  undo: 'Undo',
};
const FACTS: Readonly<Partial<Record<IdentityAction, string>>> = {
  split: 'What a source calls so is another one: one of its own, or one that is known here. Its facts go with it.',
  merge: 'The two are one, also where no pair of them is listed.',
};
const BUTTONS: Readonly<Record<IdentityAction, string>> = {
  bind: 'Bind',
  split: 'Split',
  merge: 'Merge',
  alias: 'Add',
  dismiss: 'Dismiss',
  undo: 'Undo',
};
const IS_DANGER: ReadonlySet<IdentityAction> = new Set(['split', 'merge', 'dismiss', 'undo']);

const LABELS: Readonly<Record<string, string>> = {
  source: 'Source',
  ref: 'Ref',
  from: 'Id that is merged',
  into: 'Id that it is',
  id: 'Id',
  name: 'Name',
  sport: 'Sport',
  waiting: 'Group',
  side: 'Side, of a contract of a prediction market',
  point: 'Line, of a spread or a total',
  act: 'Act',
  note: 'Why',
};
const NUMERIC: ReadonlySet<string> = new Set(['from', 'into', 'id', 'act']);

/** The fields of an address that fill in the form of an act. */
export const formFields = (action: IdentityAction, fields: Readonly<Record<string, string>>) => ({
  [FORM]: action,
  ...fields,
});

/** The hidden field of a form by GET that asks what an act would do. */
export const tryField = (action: IdentityAction): Html => hiddenField(TRY, action);

/** The place where the visitor is, as hidden fields. */
export const placeFields = (visit: SignedInRequest): Html =>
  html`${Object.entries(placeOf(visit)).map(([name, value]) => hiddenField(name, value))}`;

/** The act for which the page shows a form or a trial. */
export const askedAction = ({ method, form, query }: SignedInRequest): IdentityAction | undefined =>
  method === 'POST' ? actionOf(fieldText(form, 'action')) : actionOf(fieldText(query, TRY) || fieldText(query, FORM));

/**
 * What the address asks for: what an act would do, or its form, filled in. After a refusal it is the form that was sent.
 * Empty if it asks for nothing.
 */
export async function trialSection(
  desk: IdentityDesk,
  visit: SignedInRequest,
  refusal: Refusal | undefined,
): Promise<Html> {
  const action = askedAction(visit);
  if (!action || !desk.act) return html``;
  if (refusal) return section(action, wishForm(visit, action, visit.form, refusal));
  if (!visit.query.has(TRY)) return section(action, wishForm(visit, action, visit.query));
  const tried = await tryAct(desk, visit, action);
  return section(
    action,
    'refusal' in tried
      ? html`${refusalBox(tried.refusal)}${wishForm(visit, action, visit.query, tried.refusal)}`
      : confirmForm(visit, tried.done),
  );
}

/** The empty form of an act, if the page does not show it above already. */
export const emptySection = (visit: SignedInRequest, action: IdentityAction): Html =>
  askedAction(visit) === action ? html`` : section(action, wishForm(visit, action, new URLSearchParams()));

const section = (action: IdentityAction, content: Html): Html =>
  html`<section aria-labelledby="${action}"><h2 id="${action}">${TITLES[action]}</h2>
${FACTS[action] !== undefined && html`<p class="facts">${FACTS[action]}</p>`}
${content}</section>`;

async function tryAct(
  desk: IdentityDesk,
  { query, session }: SignedInRequest,
  action: IdentityAction,
): Promise<{ readonly done: DoneRow } | { readonly refusal: Refusal }> {
  try {
    return { done: await desk.act!(readAct(action, query, `staff ${session.user.id}`), true) };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const { status, message, fields } = pageRefusal(error);
    return { refusal: { status, message, fields } };
  }
}

function wishForm(visit: SignedInRequest, action: IdentityAction, given: URLSearchParams, refusal?: Refusal): Html {
  const isNoted = fieldText(given, 'note') !== '';
  const names = [...FIELDS_OF[action], ...(isNoted ? ['note'] : [])];
  return html`<form method="get" action="${DATA_PATH}" class="filters">${placeFields(visit)}${tryField(action)}
${names.map((name) => wishField(action, name, given, refusal))}
<button type="submit">Show what it would do</button></form>`;
}

function wishField(action: IdentityAction, name: string, given: URLSearchParams, refusal: Refusal | undefined): Html {
  const [value, error, id] = [fieldText(given, name), refusal?.fields[name], `${action}-${name}`];
  if (name === 'what') {
    const options = IDENTITY_SUBJECTS.filter((one) => action !== 'alias' || one !== 'event');
    return selectField({ name, label: 'What', id, value, error, options: options.map((one) => [one, one]) });
  }
  const hint =
    action !== 'split'
      ? undefined
      : name === 'into'
        ? 'Empty: one of its own.'
        : name === 'sport'
          ? 'Only where the source has the same ref in two.'
          : undefined;
  const kind = NUMERIC.has(name) ? ({ inputmode: 'numeric' } as const) : {};
  return textField({ name, label: LABELS[name]!, hint, value, error, id, ...kind });
}

function confirmForm(visit: SignedInRequest, row: DoneRow): Html {
  const { action } = row;
  const { query } = visit;
  const fields = FIELDS_OF[action].map((name) => hiddenField(name, fieldText(query, name)));
  return postForm(
    visit,
    `${DATA_PATH}/act`,
    html`<p>${wouldDo(visit, row, query)}</p>
${changeText(visit, row)}
${placeFields(visit)}${hiddenField('action', action)}${fields}
${noteField(action, fieldText(query, 'note'))}
${submitButton(BUTTONS[action], IS_DANGER.has(action) ? 'danger' : 'plain')} <a href="${placePath(placeOf(visit))}">Not now</a>`,
  );
}

export const noteField = (id: string, value = ''): Html =>
  textField({
    name: 'note',
    label: 'Why',
    maxlength: MAX_NOTE,
    id: `note-${id}`,
    value,
    hint: 'It stands in the log for good.',
  });

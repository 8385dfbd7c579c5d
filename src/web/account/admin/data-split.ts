import { IDENTITY_SUBJECTS } from '../../../domain/feed/identity-message.ts';
import { SLUG } from '../../../domain/feed/message-fields.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { type Html, html } from '../../layout/html.ts';
import { postForm, refusalBox, selectField, submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';
import { changeText, hidden, messagesText, noteField } from './data-forms.ts';
import { DATA_PATH } from './data-tabs.ts';
import { readFormFields } from './form-field-reader.ts';
import type { DoneRow, IdentityDesk, WantedAct } from './identity-desk.ts';

// Splitting a ref off on `/admin/data`. Nothing in a list leads to it: a person types the ref, sees what would move, and
// only then does it.

const MAX_ID = 999_999_999_999_999;
const MAX_REF = 300;
const MAX_SPORT = 60;
/** Only they change when the act is tried; `ref` tells that somebody asks. */
const FIELDS = ['what', 'source', 'ref', 'into', 'sport'] as const;

/** The members of a split from the fields of a form, or of the address of the page. */
export function readSplit(given: URLSearchParams, check: ReturnType<typeof readFormFields>): Partial<WantedAct> {
  const what = IDENTITY_SUBJECTS.find((one) => one === fieldText(given, 'what'));
  if (!what) check.addError('what', 'This is an event, a team or a player.');
  const [source, ref] = [fieldText(given, 'source'), check.text('ref', MAX_REF)];
  if (!SLUG.test(source)) check.addError('source', 'There is no such source.');
  const into = check.numberOrNull('into', 1, MAX_ID);
  const sport = fieldText(given, 'sport') === '' ? undefined : check.text('sport', MAX_SPORT);
  return {
    ...(what && { what }),
    source_ref: { source, ref: ref ?? '' },
    ...(into ? { into } : {}),
    ...(sport === undefined ? {} : { sport }),
  };
}

/** The form, and what the split would do that its fields name. */
export async function splitSection(desk: IdentityDesk, visit: SignedInRequest): Promise<Html> {
  const isAsked = visit.query.has('ref');
  const { done, refusal } = isAsked ? await trySplit(desk, visit) : {};
  return html`<section aria-labelledby="split"><h2 id="split">Split a ref off</h2>
<p class="facts">What a source calls so is another one: one of its own, or one that is known here. Its facts go with it.</p>
${refusalBox(refusal)}
${done ? confirmSplit(visit, done) : wishForm(visit, refusal)}</section>`;
}

async function trySplit(
  desk: IdentityDesk,
  { query }: SignedInRequest,
): Promise<{ readonly done?: DoneRow; readonly refusal?: Refusal }> {
  try {
    const check = readFormFields(query);
    const wanted = readSplit(query, check);
    check.throwIfInvalid();
    return { done: await desk.act!({ action: 'split', ...wanted }, true) };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { refusal: { status: error.status, message: error.message, fields: error.fields } };
  }
}

const wishForm = ({ query }: SignedInRequest, refusal: Refusal | undefined): Html => {
  const field = (name: (typeof FIELDS)[number], label: string, hint?: string) =>
    textField({ name, label, hint, value: fieldText(query, name), error: refusal?.fields[name], id: `split-${name}` });
  return html`<form method="get" action="${DATA_PATH}" class="filters"><input type="hidden" name="tab" value="acts">
${selectField({
  name: 'what',
  label: 'What',
  id: 'split-what',
  value: fieldText(query, 'what'),
  error: refusal?.fields['what'],
  options: IDENTITY_SUBJECTS.map((one) => [one, one] as const),
})}
${field('source', 'Source')}
${field('ref', 'Ref')}
${field('into', 'Id that it is', 'Empty: one of its own.')}
${field('sport', 'Sport', 'Only where the source has the same ref in two.')}
<button type="submit">Show what it would do</button></form>`;
};

function confirmSplit(visit: SignedInRequest, row: DoneRow): Html {
  const { what, from, into, moved } = row;
  const given = Object.fromEntries(FIELDS.map((name) => [name, fieldText(visit.query, name)]));
  const target = given['into'] === '' ? `a new ${what}` : `${what} ${into}`;
  return postForm(
    visit,
    `${DATA_PATH}/act`,
    html`<p>${messagesText(moved.records)} under ${from}, and all later ones, go to ${target}, until this is undone.</p>
${changeText(visit, row)}
${hidden({ ...given, tab: 'acts', action: 'split' })}
${noteField('split')}
${submitButton('Split', 'danger')} <a href="${DATA_PATH}?tab=acts">Not now</a>`,
  );
}

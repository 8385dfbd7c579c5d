import { type Html, html } from '../../layout/html.ts';
import { hiddenField, postForm, submitButton, textField } from '../form-fields.ts';
import { timeTag } from '../formats.ts';
import type { SignedInRequest } from '../page-route.ts';
import { DATA_PATH } from './data-place.ts';
import { changeText, dismissText, messagesText, movedText } from './data-texts.ts';
import { noteField, placeFields, tryField } from './data-trial.ts';
import type { CandidateRow, ShownAct, ShownDuplicate, ShownWaiting, ThingRow } from './identity-desk.ts';
import { confirmation } from './staff-page-frame.ts';

// The forms in the rows of `/admin/data`. Each is closed, and says what will move before its button. Where an id is
// typed, the form first shows what the act would do (`data-trial.ts`).

type Fields = Readonly<Record<string, string>>;

/** Does an act whose members are known. */
const actForm = (visit: SignedInRequest, fields: Fields, id: string, text: Html, button: Html): Html =>
  postForm(
    visit,
    `${DATA_PATH}/act`,
    html`<div>${text}</div>
${placeFields(visit)}${hiddenFields(fields)}
${noteField(id)}
${button}`,
  );

export const hiddenFields = (fields: Fields): Html =>
  html`${Object.entries(fields).map(([name, value]) => hiddenField(name, value))}`;

/** Asks what an act would do for which something is typed. */
const tryForm = (visit: SignedInRequest, action: 'bind' | 'alias', fields: Fields, typed: Html): Html =>
  html`<form method="get" action="${DATA_PATH}">${placeFields(visit)}${tryField(action)}${hiddenFields(fields)}
${typed}
<button type="submit">Show what it would do</button></form>`;

const idField = (name: string, label: string, id: string): Html =>
  textField({ name, label, inputmode: 'numeric', id: `field-${name}-${id}` });

/** @param thing absent: the id is typed */
export function bindForm(visit: SignedInRequest, row: ShownWaiting, index: number, thing?: ThingRow): Html {
  const { source, ref, what, reason, count } = row;
  // What was refused is bound already.
  if (ref === null || what === null || reason === 'refused') return html``;
  const id = `bind-${index}-${thing?.id ?? 'other'}`;
  const members = { what, source, ref };
  if (reason === 'contract_unclear' || reason === 'side_unproved')
    return thing ? html`` : contractForm(visit, members, id);
  if (!thing) {
    return confirmation(`Bind to another ${what}…`, tryForm(visit, 'bind', members, idField('into', 'Id', id)));
  }
  const { name, starts_at } = thing;
  const start = starts_at !== null && html`, ${timeTag(starts_at, visit.session.user.timezone)}`;
  return confirmation(
    html`Bind to ${name}${start} (${thing.id})…`,
    actForm(
      visit,
      { action: 'bind', ...members, into: String(thing.id) },
      id,
      html`${messagesText(count)} under ${source}:${ref}, and all later ones, go to ${name}${start} (${thing.id}).`,
      submitButton('Bind'),
    ),
  );
}

/** For a contract of a prediction market: on which event it is, and which bet its Yes is. */
const contractForm = (visit: SignedInRequest, members: Fields, id: string): Html =>
  confirmation(
    'Say what its Yes is a bet on…',
    tryForm(
      visit,
      'bind',
      members,
      html`${idField('into', 'Id of the event', id)}
${textField({ name: 'side', label: 'Side: home, away, draw, over or under', maxlength: 10, id: `field-side-${id}` })}
${textField({ name: 'point', label: 'Line of a spread or a total', inputmode: 'decimal', required: false, id: `field-point-${id}` })}`,
    ),
  );

/** For names that nobody has: the ones that may be meant, and another one by its id. */
export function nameForms(visit: SignedInRequest, { reason, names, near }: ShownWaiting, index: number): Html {
  if (reason !== 'unknown_team' && reason !== 'unknown_player') return html``;
  const what = reason === 'unknown_team' ? 'team' : 'player';
  // Without a spelling in the messages it is typed.
  const spellings = names.length > 0 ? names : [''];
  return html`${spellings.map(
    (
      name,
      place,
    ) => html`${near.filter(({ named }) => named === name).map((entry) => knownName(visit, what, name, entry, `${index}-${place}`))}
${otherName(visit, what, name, `${index}-${place}`)}`,
  )}`;
}

const knownName = (
  visit: SignedInRequest,
  what: 'team' | 'player',
  name: string,
  { entry_id, name: called }: CandidateRow,
  place: string,
): Html =>
  confirmation(
    `“${name}” is ${called} (${entry_id})…`,
    actForm(
      visit,
      { action: 'alias', what, id: String(entry_id), name },
      `name-${place}-${entry_id}`,
      html`${called} (${entry_id}) is known as “${name}” too. The messages that wait for the name are tried again.`,
      submitButton('Add'),
    ),
  );

const otherName = (visit: SignedInRequest, what: 'team' | 'player', name: string, place: string): Html =>
  confirmation(
    name === '' ? 'Add the name…' : `Add “${name}” to another ${what}…`,
    html`<p>The ${what} is known under one more name. The messages that wait for it are tried again.</p>
${tryForm(
  visit,
  'alias',
  { what },
  html`${idField('id', `Id of the ${what}`, `name-${place}`)}
${textField({ name: 'name', label: 'Name', maxlength: 300, id: `field-name-${place}`, value: name })}`,
)}`,
  );

export const dismissForm = (visit: SignedInRequest, { id: group, count }: ShownWaiting, index: number): Html =>
  confirmation(
    'Dismiss…',
    actForm(
      visit,
      { action: 'dismiss', waiting: group },
      `dismiss-${index}`,
      dismissText(count),
      submitButton('Dismiss', 'danger'),
    ),
  );

/** Merges one of a pair into the other. */
export function mergeForm(
  visit: SignedInRequest,
  { what, merged }: ShownDuplicate,
  from: ThingRow,
  into: ThingRow,
): Html {
  const isOther = merged !== undefined && (merged.starts_at !== into.starts_at || merged.name !== into.name);
  const sources = from.sources.length > 0 ? ` by ${from.sources.join(', ')}` : '';
  return confirmation(
    `Merge ${from.id} into ${into.id}…`,
    actForm(
      visit,
      { action: 'merge', what, from: String(from.id), into: String(into.id) },
      `merge-${what}-${from.id}-${into.id}`,
      html`All that was told of ${from.name} (${from.id})${sources}, and all its refs, go to ${into.name} (${into.id}). The id ${from.id} then means ${into.id}, until this is undone.
${isOther && changeText(visit, { becomes: { ...merged, id: into.id } })}`,
      submitButton('Merge', 'danger'),
    ),
  );
}

/** @param root what the act comes to in the end: an undo is about another act */
export const undoForm = (visit: SignedInRequest, { act, action, root, moved, undoing }: ShownAct): Html =>
  confirmation(
    `Undo ${act}…`,
    actForm(
      visit,
      { action: 'undo', act: String(act) },
      `undo-${act}`,
      html`The ${action} never was, from now on. It moved ${movedText(root ?? action, moved.records)}. An undo may be undone.
${undoing && changeText(visit, undoing)}`,
      submitButton('Undo', 'danger'),
    ),
  );

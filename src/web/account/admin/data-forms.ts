import { type Html, html } from '../../layout/html.ts';
import { hiddenField, postForm, submitButton, textField } from '../form-fields.ts';
import { timeTag } from '../formats.ts';
import type { SignedInRequest } from '../page-route.ts';
import { DATA_PATH } from './data-tabs.ts';
import type { ChangedEvents, EventView, ShownAct, ShownDuplicate, ShownWaiting, ThingRow } from './identity-desk.ts';
import { confirmation } from './staff-page-frame.ts';

// The forms of `/admin/data`. Each is closed, and says what will move before its button.

export const noteField = (id: string): Html =>
  textField({
    name: 'note',
    label: 'Why',
    maxlength: 500,
    id: `field-note-${id}`,
    hint: 'It stands in the log for good.',
  });

export const hidden = (fields: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(fields).map(([name, value]) => hiddenField(name, value))}`;

export const messagesText = (count: number): string => (count === 1 ? '1 message' : `${count} messages`);

/** An event as it will be: the schedule that was observed last decides, of whichever source. */
const eventText = (visit: SignedInRequest, { id, name, starts_at, status }: EventView): Html =>
  html`Event ${id} will be ${name}, ${starts_at === null ? 'without a start' : timeTag(starts_at, visit.session.user.timezone)}, ${status}.`;

/** What an act would change. */
export function changeText(visit: SignedInRequest, { becomes, from_becomes }: ChangedEvents): Html {
  const events = [becomes, from_becomes].flatMap((event) => event ?? []);
  if (events.length === 0) return html``;
  return html`<p><strong>${events.map((event) => html`${eventText(visit, event)} `)}</strong>The schedule that was observed last decides, of whichever source.</p>`;
}

/** @param thing absent: the id is typed */
export function bindForm(visit: SignedInRequest, row: ShownWaiting, index: number, thing?: ThingRow): Html {
  const { source, ref, what, reason, count } = row;
  // What was refused is bound already.
  if (ref === null || what === null || reason === 'refused') return html``;
  const id = `bind-${index}-${thing?.id ?? 'other'}`;
  const target = thing ? `${thing.name} (${thing.id})` : `another ${what}`;
  return confirmation(
    `Bind to ${target}…`,
    postForm(
      visit,
      `${DATA_PATH}/act`,
      html`<p>${messagesText(count)} under ${source}:${ref}, and all later ones, go to ${target}.</p>
${hidden({ tab: 'waiting', action: 'bind', what, source, ref })}
${thing ? hiddenField('into', String(thing.id)) : textField({ name: 'into', label: 'Id', inputmode: 'numeric', id: `field-into-${id}` })}
${noteField(id)}
${submitButton('Bind')}`,
    ),
  );
}

/** For a name that nobody has. */
export function nameForm(visit: SignedInRequest, { reason, count }: ShownWaiting, index: number): Html {
  if (reason !== 'unknown_team' && reason !== 'unknown_player') return html``;
  const what = reason === 'unknown_team' ? 'team' : 'player';
  const id = `name-${index}`;
  return confirmation(
    'Add the name…',
    postForm(
      visit,
      `${DATA_PATH}/act`,
      html`<p>The ${what} is known under one more name. ${messagesText(count)} that wait for it are tried again.</p>
${hidden({ tab: 'waiting', action: 'alias', what })}
${textField({ name: 'id', label: `Id of the ${what}`, inputmode: 'numeric', id: `field-id-${id}` })}
${textField({ name: 'name', label: 'Name', maxlength: 300, id: `field-name-${id}` })}
${noteField(id)}
${submitButton('Add')}`,
    ),
  );
}

export function dismissForm(visit: SignedInRequest, { id: group, count }: ShownWaiting, index: number): Html {
  const id = `dismiss-${index}`;
  return confirmation(
    'Dismiss…',
    postForm(
      visit,
      `${DATA_PATH}/act`,
      html`<p>${messagesText(count)} are given up. They are listed and tried no more, until this is undone.</p>
${hidden({ tab: 'waiting', action: 'dismiss', waiting: group })}
${noteField(id)}
${submitButton('Dismiss', 'danger')}`,
    ),
  );
}

const MAX_SHOWN = 2000;

/** The oldest messages themselves. @param count of all of them */
export function messagesList(
  visit: SignedInRequest,
  messages: ShownWaiting['messages'],
  count: number,
  command: string,
): Html {
  if (messages === undefined || messages.length === 0) return html``;
  const more =
    count > messages.length && html`<p>The oldest ${messages.length} of ${count}. All: <code>${command}</code></p>`;
  return html`<details><summary>Show ${messagesText(count)}</summary>
<ol>${messages.map(({ received_at, message }) => {
    const text = JSON.stringify(message);
    const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
    return html`<li>${timeTag(received_at, visit.session.user.timezone)} <code class="wide">${shown}</code></li>`;
  })}</ol>${more}</details>`;
}

/** Merges one of a pair into the other. */
export function mergeForm(
  visit: SignedInRequest,
  { what, merged }: ShownDuplicate,
  from: ThingRow,
  into: ThingRow,
): Html {
  const id = `merge-${what}-${from.id}-${into.id}`;
  const isOther = merged !== undefined && (merged.starts_at !== into.starts_at || merged.name !== into.name);
  const sources = from.sources.length > 0 ? ` by ${from.sources.join(', ')}` : '';
  return confirmation(
    `Merge ${from.id} into ${into.id}…`,
    postForm(
      visit,
      `${DATA_PATH}/act`,
      html`<p>All that was told of ${from.name} (${from.id})${sources}, and all its refs, go to ${into.name} (${into.id}). The id ${from.id} then means ${into.id}, until this is undone.</p>
${isOther && changeText(visit, { becomes: { ...merged, id: into.id } })}
${hidden({ tab: 'duplicates', action: 'merge', what, from: String(from.id), into: String(into.id) })}
${noteField(id)}
${submitButton('Merge', 'danger')}`,
    ),
  );
}

export function undoForm(visit: SignedInRequest, { act, action, moved, undoing }: ShownAct): Html {
  const id = `undo-${act}`;
  return confirmation(
    `Undo ${act}…`,
    postForm(
      visit,
      `${DATA_PATH}/act`,
      html`<p>The ${action} never was, from now on. It moved ${messagesText(moved.records)}. An undo may be undone.</p>
${undoing && changeText(visit, undoing)}
${hidden({ tab: 'acts', action: 'undo', act: String(act) })}
${noteField(id)}
${submitButton('Undo', 'danger')}`,
    ),
  );
}

import {
  type BoundSide,
  IDENTITY_ACTIONS,
  IDENTITY_SUBJECTS,
  type IdentityAction,
} from '../../../domain/feed/identity-message.ts';
import { SLUG } from '../../../domain/feed/message-fields.ts';
import { OUTCOMES } from '../../../domain/feed/message-schemas.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { fieldText } from '../form-values.ts';
import { readFormFields } from './form-field-reader.ts';
import type { WantedAct } from './identity-desk.ts';

const MAX_ID = 999_999_999_999_999;
const MAX_TEXT = 300;
export const MAX_NOTE = 500;
const MAX_SPORT = 60;
const MAX_GROUP = 1000;

/** The fields that each act is asked for with, beside the note. */
export const FIELDS_OF: Readonly<Record<IdentityAction, readonly string[]>> = {
  merge: ['what', 'from', 'into'],
  split: ['what', 'source', 'ref', 'into', 'sport'],
  bind: ['what', 'source', 'ref', 'into', 'side', 'point'],
  alias: ['what', 'id', 'name'],
  dismiss: ['waiting'],
  undo: ['act'],
};

export const actionOf = (text: string): IdentityAction | undefined => IDENTITY_ACTIONS.find((one) => one === text);

/**
 * The act that the fields of a form, or of the address of the page, ask for.
 * @param by who asks
 * @throws RefusedError with the error of each field
 */
export function readAct(action: IdentityAction | undefined, given: URLSearchParams, by: string): WantedAct {
  const check = readFormFields(given);
  if (!action) check.addError('action', 'There is no such action.');
  const note = fieldText(given, 'note') === '' ? undefined : check.text('note', MAX_NOTE);
  const members = action ? membersOf(action, given, check) : {};
  check.throwIfInvalid();
  return { action: action!, ...members, ...(note === undefined ? {} : { note }), by };
}

function membersOf(
  action: IdentityAction,
  given: URLSearchParams,
  check: ReturnType<typeof readFormFields>,
): Partial<WantedAct> {
  const id = (field: string) => check.number(field, 1, MAX_ID);
  switch (action) {
    case 'merge':
      return { ...whatOf(given, check), from: id('from'), into: id('into') };
    case 'bind': {
      const side = sideOf(given, check);
      return { ...whatOf(given, check), source_ref: refOf(given, check), into: id('into'), ...(side ? { side } : {}) };
    }
    case 'alias':
      return { ...whatOf(given, check), id: id('id'), name: check.text('name', MAX_TEXT) };
    case 'dismiss':
      return { waiting: check.text('waiting', MAX_GROUP) };
    case 'split': {
      const into = check.numberOrNull('into', 1, MAX_ID);
      const sport = fieldText(given, 'sport') === '' ? undefined : check.text('sport', MAX_SPORT);
      const target = { ...(into ? { into } : {}), ...(sport === undefined ? {} : { sport }) };
      return { ...whatOf(given, check), source_ref: refOf(given, check), ...target };
    }
    case 'undo':
      return { act: id('act') };
  }
}

function whatOf(given: URLSearchParams, check: ReturnType<typeof readFormFields>): Pick<WantedAct, 'what'> {
  const what = IDENTITY_SUBJECTS.find((one) => one === fieldText(given, 'what'));
  if (!what) check.addError('what', 'This is an event, a team or a player.');
  return what ? { what } : {};
}

/** Of a contract of a prediction market; undefined where none is given. */
function sideOf(given: URLSearchParams, check: ReturnType<typeof readFormFields>): BoundSide | undefined {
  const [side, point] = [fieldText(given, 'side'), fieldText(given, 'point')];
  if (side === '') return undefined;
  const outcome = OUTCOMES.find((one) => one === side);
  if (!outcome) check.addError('side', `This is one of ${OUTCOMES.join(', ')}.`);
  if (point !== '' && !Number.isFinite(Number(point))) check.addError('point', 'This is a number.');
  return outcome && { outcome, ...(point === '' ? {} : { point: Number(point) }) };
}

function refOf(given: URLSearchParams, check: ReturnType<typeof readFormFields>) {
  const [source, ref] = [fieldText(given, 'source'), check.text('ref', MAX_TEXT)];
  if (!SLUG.test(source)) check.addError('source', 'There is no such source.');
  return { source, ref: ref ?? '' };
}

/** The members of a message that a refusal names, as fields of the forms. */
const FIELD_OF_MEMBER: Readonly<Record<string, string>> = { source_ref: 'ref' };
/** Code, member and why, as the server refuses an act. */
const REFUSAL = /^([a-z_]+): ([a-z_]+): /;

/**
 * The refusal of an act as a page shows it: without the commands that a terminal is told, and beside the field that it
 * is about.
 */
export function pageRefusal(error: RefusedError): RefusedError {
  const message = error.message.replace(/\. `.*$/su, '.');
  const [, code, member = ''] = REFUSAL.exec(message) ?? [];
  const way = code === 'has_records' ? ' Split the ref off instead.' : '';
  const fields = code === undefined ? {} : { [FIELD_OF_MEMBER[member] ?? member]: message };
  return new RefusedError(error.status, `${message}${way}`, { fields: { ...fields, ...error.fields } });
}

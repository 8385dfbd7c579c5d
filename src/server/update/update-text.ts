import { commandText } from '../../platform/command-text.ts';
import type { UpdateDone } from './apply-update.ts';
import type { UpdateCheck } from './check-update.ts';
import type { SchemaChange } from './schema-changes.ts';
import type { SettingChange } from './setting-changes.ts';
import type { TakenBack } from './take-back.ts';
import { kindText, type UnreadKind } from './unread-kinds.ts';

/** What an update will do, for the operator. */
export function checkText(check: UpdateCheck): string {
  const { folder, from, to, changes, migrations, readModels, settings, back, seconds, measured, disk } = check;
  const before = from ? `version ${from.version} (${from.opened_at})` : 'a version that noted nothing';
  const lines = [
    `${folder}: opened last by ${before}; installed is version ${to}`,
    ...heading('what has changed', changes, ({ kind, text }) => `${kind}: ${text}`, 'see CHANGELOG.md'),
    ...heading('migrations', migrations, migrationText),
    ...heading(
      'read models to build anew',
      readModels,
      ({ name, from: old, to: next }) => `${name}: ${old ?? 'none'} -> ${next}`,
    ),
    ...heading('settings', settings, settingText, 'see CHANGELOG.md'),
    `takes: migrations ${secondsText(seconds.migrations)} (${measured.bytes} bytes, tried on a copy); read models ` +
      (measured.recordsPerSecond === null
        ? 'nothing'
        : `${secondsText(seconds.readModels)} beside the running server (${measured.records} records, ` +
          `${Math.round(measured.recordsPerSecond)} a second)`),
    `disk: needs up to ${disk.neededBytes} bytes for the trial; ${disk.freeBytes} are free`,
    back.isPossible
      ? `way back: there is one, tried on the copy: ${commandText('update --back')}`
      : `way back: none: ${back.reason}. Make a backup first`,
    ...(back.isPossible ? [endOfWayBack(back.endsWith)] : []),
  ];
  return lines.join('\n');
}

/** Every call with a key that costs something writes one, or joins one that is written within moments. */
const OF_EACH_CALL = 'CreditsCharged';
/** Kinds of records that the line names; `--json` has all. */
const KINDS_NAMED = 5;

/** Until when one can go back. The operator is to know it before the update. */
function endOfWayBack(kinds: readonly UnreadKind[]): string {
  if (kinds.length === 0)
    return 'way back ends: not by itself: the version before reads every kind of record that this one writes';
  const unasked = kinds.filter(({ isUnasked }) => isUnasked);
  const asked = kinds
    .filter(({ isUnasked }) => !isUnasked)
    .sort((one, other) => Number(other.type === OF_EACH_CALL) - Number(one.type === OF_EACH_CALL));
  const list = [...unasked, ...asked].slice(0, KINDS_NAMED).map(kindText);
  const more = kinds.length - list.length;
  const when =
    unasked.length > 0
      ? `maybe within a day of the next start, since this version writes ${unasked.map(({ type }) => type).join(', ')} by itself; `
      : asked[0]!.type === OF_EACH_CALL
        ? 'with the first call that is charged; '
        : '';
  return (
    `way back ends: ${when}the version before may not be able to read these kinds of records, and the log has none yet: ` +
    `${list.join(', ')}${more > 0 ? `, and ${more} more (--json has them)` : ''}. ` +
    'It stops at a record that it does not know. Make a backup first: after such a record it is the way back'
  );
}

function heading<T>(
  title: string,
  list: readonly T[] | null,
  text: (one: T) => string,
  unknown = '',
): readonly string[] {
  if (list === null) return [`${title}: not known, since the version before noted nothing; ${unknown}`];
  return [`${title}: ${list.length === 0 ? 'none' : list.length}`, ...list.map((one) => `  ${text(one)}`)];
}

export function migrationText({ table, change, names }: SchemaChange): string {
  switch (change) {
    case 'created':
      return `table ${table} is made`;
    case 'renamed':
      return `table ${names[0]} becomes ${table}`;
    case 'columns added':
      return `table ${table} gets ${names.join(', ')}`;
    case 'columns renamed':
      return `table ${table}: ${names.join(', ')} get new names`;
    case 'removed':
      return `table ${table} goes`;
  }
}

function settingText({ name, change, from, to }: SettingChange): string {
  if (change === 'new') return `${name} is new (${to ?? 'unset'})`;
  if (change === 'gone') return `${name} is gone: it is no longer read`;
  return `${name}: the default was ${from ?? 'unset'}, and is ${to ?? 'unset'}`;
}

const secondsText = (seconds: number): string => (seconds < 1 ? 'less than a second' : `some ${Math.ceil(seconds)} s`);

/** What an update has done. */
export function doneText({ check, isNeeded, seconds, tables, records }: UpdateDone): string {
  const whole = `${tables} tables are as they were written, the log has ${records} records`;
  if (!isNeeded) return `${check.folder} is of this version already: nothing was changed; ${whole}`;
  return [
    `${check.folder}: updated to version ${check.to} in ${seconds.toFixed(1)} s`,
    ...check.migrations.map((one) => `  ${migrationText(one)}`),
    `verified: ${whole}`,
    ...(check.readModels.length === 0
      ? []
      : [`the next start builds ${check.readModels.map(({ name }) => name).join(', ')} anew`]),
    ...(check.back.isPossible ? [`way back: ${commandText('update --back')}`] : []),
  ].join('\n');
}

/** What was taken back. */
export function backText({ folder, to, takenAt, keptRecords, setAside }: TakenBack): string {
  return [
    `${folder}: taken back to what ${to === null ? 'the version before' : `version ${to}`} can open (it was left ${takenAt})`,
    `the ${keptRecords} records that came since stay in the log`,
    ...setAside.map(({ table, rows }) => `  ${table}: ${rows} rows that it has no place for are in update-undone.db`),
    'install that version before you start the server: a start of this one updates the folder again',
  ].join('\n');
}

import { REFERENCE_WEIGHTS_VERSIONS } from '../../domain/odds/reference-weights.ts';
import { CLOSING_VERSIONS } from '../../domain/proof/closing-events.ts';
import { SEAL_VERSIONS } from '../../domain/proof/seal.ts';
import { UPCASTERS } from '../../domain/upcasters.ts';
import {
  dataVersionOf,
  formedVersionOf,
  formOfRow,
  isCompact,
  NEWEST_FORMS,
} from '../../event-log/encoding/record-encoding.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { readsRow, type VersionNote } from '../composition/version-note.ts';

/** A type of record, and the version of its data. */
export interface RecordKind {
  readonly type: string;
  readonly version: number;
  /** The compact form in which it is written, of a type that has some of its own. */
  readonly form?: number;
}

/** What a server writes within the first day that it runs, whether or not somebody calls it or sends it facts. */
const UNASKED: ReadonlySet<string> = new Set(
  Object.keys({ ...CLOSING_VERSIONS, ...SEAL_VERSIONS, ...REFERENCE_WEIGHTS_VERSIONS }),
);

/** @param row the version of a row of the log */
export function kindOfRow(type: string, row: number): RecordKind {
  const hasForms = Object.hasOwn(NEWEST_FORMS, type) && isCompact(row);
  return { type, version: dataVersionOf(row), ...(hasForms ? { form: formOfRow(row) } : {}) };
}

export const kindText = ({ type, version, form }: RecordKind): string =>
  `${type} of version ${version}${form === undefined ? '' : ` in form ${form}`}`;

/** A kind of record that ends the way back. */
export interface UnreadKind extends RecordKind {
  /** The server writes it by itself. */
  readonly isUnasked: boolean;
}

/**
 * What this version writes and the version before may not be able to read: the first such record ends the way back.
 * The version before reads what it has noted, and what the log holds.
 * @param note of the version before; null: it noted nothing, and only what the log holds is known
 * @returns by type
 */
export function unreadKinds(
  database: SqliteDatabase,
  note: Pick<VersionNote, 'records' | 'forms'> | null,
): readonly UnreadKind[] {
  const stored = database.prepare('SELECT DISTINCT type, version FROM records').raw().all() as [string, number][];
  const knowsCompact = stored.some(([, version]) => isCompact(version));
  const isHeld = (type: string, row: number): boolean =>
    stored.some(
      ([of, held]) => of === type && (isCompact(row) ? held === row : knowsCompact && dataVersionOf(held) === row),
    );
  return [...UPCASTERS]
    .map(([type, { current }]) => ({ type, row: formedVersionOf(type, current) ?? current }))
    .filter(({ type, row }) => !(note && readsRow(note, { type, version: row })) && !isHeld(type, row))
    .map(({ type, row }) => ({ ...kindOfRow(type, row), isUnasked: UNASKED.has(type) }))
    .sort((one, other) => (one.type < other.type ? -1 : 1));
}

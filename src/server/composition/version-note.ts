import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { projections } from '../../../projections/index.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { UPCASTERS } from '../../domain/upcasters.ts';
import { dataVersionOf, formOfRow, NEWEST_FORMS } from '../../event-log/encoding/record-encoding.ts';
import { readFolderFile, replaceFolderFile } from '../../platform/data-folder/folder-file.ts';
import { isHolderNoting } from '../../platform/data-folder/folder-lock.ts';
import { versionFile } from '../../platform/data-folder/folder-paths.ts';
import { defaultVariables } from '../../platform/settings/variables.ts';
import { entryTag, readChangelog } from './changelog.ts';

const form = z.object({
  version: z.string(),
  opened_at: z.string(),
  /** The versions of the read models, by name. */
  read_models: z.record(z.string(), z.number()),
  /** The newest version of each type of record that it reads. */
  records: z.record(z.string(), z.number()),
  /** The newest compact form that it reads of each type that has one. The first versions that noted themselves noted none. */
  forms: z.record(z.string(), z.number()).optional(),
  /** The default of each setting as text; null: unset. */
  settings: z.record(z.string(), z.string().nullable()),
  /** Its points of the changelog, by their tags. */
  changes: z.array(z.string()),
});

/** What the version that opened a folder last knew. An earlier version than the first that notes it leaves none. */
export type VersionNote = z.infer<typeof form>;

/** Of this program. @param now in milliseconds */
export const noteOfProgram = (now: number): VersionNote => ({
  version: packageJson.version,
  opened_at: formatTime(now),
  read_models: Object.fromEntries(projections.map(({ name, version }) => [name, version])),
  records: Object.fromEntries([...UPCASTERS].map(([type, { current }]) => [type, current])),
  forms: NEWEST_FORMS,
  settings: defaultVariables(),
  changes: readChangelog().map(entryTag),
});

/** What the versions read that noted no forms, but for those of the first day of notes, which read one less. */
const FIRST_FORMS: Readonly<Record<string, number>> = { PricesChanged: 4, PricesReconfirmed: 3 };
/** Of a type without a form of its own: without `meta`. */
const PLAIN_FORM = 1;

/** Whether the version that left the note reads rows of the log with this version. */
export function readsRow(
  { records, forms = FIRST_FORMS }: Pick<VersionNote, 'records' | 'forms'>,
  { type, version }: { readonly type: string; readonly version: number },
): boolean {
  return (records[type] ?? 0) >= dataVersionOf(version) && (forms[type] ?? PLAIN_FORM) >= formOfRow(version);
}

/** Null: it holds something else. Undefined: there is none. */
export function readStoredNote(folder: string): VersionNote | null | undefined {
  const bytes = readFolderFile(versionFile(folder));
  if (!bytes) return undefined;
  try {
    return form.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
}

/** Of the version that opened the folder last; null: not known, since that version noted nothing. */
export const readVersionNote = (folder: string): VersionNote | null =>
  isHolderNoting(folder) === false ? null : (readStoredNote(folder) ?? null);

/** Whether two notes are of the same version, whenever it opened the folder. */
export const isSameVersion = (a: VersionNote, b: VersionNote): boolean =>
  JSON.stringify({ ...a, opened_at: '' }) === JSON.stringify({ ...b, opened_at: '' });

/**
 * Writes which version opens the folder, if another one is noted there. A disk that is full stops no start: the next one
 * writes it.
 * @param now in milliseconds
 * @param onFailure told that it could not be written
 */
export function noteVersion(folder: string, now: number, onFailure: (error: unknown) => void): void {
  const note = noteOfProgram(now);
  try {
    const stored = readStoredNote(folder);
    if (!stored || !isSameVersion(stored, note)) writeVersionNote(folder, note);
  } catch (error) {
    onFailure(error);
  }
}

export const writeVersionNote = (folder: string, note: VersionNote): void =>
  replaceFolderFile(versionFile(folder), `${JSON.stringify(note)}\n`);

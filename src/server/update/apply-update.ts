import { formatTime } from '../../domain/primitives/time.ts';
import { findDataFolder } from '../../platform/data-folder/data-folder.ts';
import { lockFolder } from '../../platform/data-folder/folder-lock.ts';
import { databaseFile } from '../../platform/data-folder/folder-paths.ts';
import type { Config } from '../../platform/settings/config.ts';
import { hasChecksums } from '../../platform/sqlite/checksums.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { isSameVersion, noteOfProgram, readVersionNote } from '../composition/version-note.ts';
import { FOLDER_RENAMES } from '../embedded/folder-renames.ts';
import { checkUpdate, type UpdateCheck, UpdateError } from './check-update.ts';
import { readSchema } from './folder-schema.ts';
import { migrateFolder } from './migrate-folder.ts';
import { planUndo } from './undo-plan.ts';
import { readCheckpoint, type UpdateCheckpoint, writeCheckpoint } from './update-checkpoint.ts';
import { countTables, findTableLoss } from './verify-tables.ts';

export interface UpdateDone {
  readonly check: UpdateCheck;
  /** False: the folder is of this version already, and nothing was changed. */
  readonly isNeeded: boolean;
  /** Seconds that the migrations took. */
  readonly seconds: number;
  /** Tables whose rows were counted and compared with their checksums. */
  readonly tables: number;
  /** Records of the log, afterwards. */
  readonly records: number;
}

interface ApplyOptions {
  readonly config: Pick<Config, 'dataDir' | 'keyPepper' | 'sessionSecret' | 'acceptClock'>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Goes on where there is no way back. */
  readonly isOneWay: boolean;
  /** Told before each step. */
  readonly onStep?: (step: 'checkpoint' | 'migrate' | 'verify' | 'finish') => void | Promise<void>;
}

/**
 * Updates a folder. Each step is whole or is done again by the next call, whatever ends the process: the checkpoint is
 * one file that appears at once, and every migration finds what it has done already.
 * @throws FolderInUse, DataFolderError, EmptyFolder, UpdateError
 */
export async function applyUpdate({ config, now, isOneWay, onStep }: ApplyOptions): Promise<UpdateDone> {
  const folder = findDataFolder(config.dataDir);
  const lock = lockFolder(folder, 'update', { isTold: false });
  try {
    const check = await checkUpdate(config, now, lock);
    const earlier = readCheckpoint(folder);
    const file = databaseFile(folder);
    const present = reading(file, stateOf);
    // The migrations of an update that was cut off may be half done, and what they began with is in its checkpoint.
    const goesOn =
      earlier?.state === 'begun' && planUndo(present.schema, earlier.schema, FOLDER_RENAMES).statements.length > 0;
    const note = readVersionNote(folder);
    const isNeeded = goesOn || check.migrations.length > 0 || !note || !isSameVersion(note, noteOfProgram(now));
    if (!isNeeded) return { check, isNeeded, seconds: 0, ...reading(file, (database) => verify(database, present)) };
    if (!check.back.isPossible && !isOneWay)
      throw new UpdateError(
        `there would be no way back (${check.back.reason}): make a backup, and give --one-way to update all the same`,
      );
    await onStep?.('checkpoint');
    const checkpoint: Checkpoint = goesOn ? earlier : { ...present, state: 'begun', taken_at: formatTime(now), note };
    if (!goesOn) writeCheckpoint(folder, checkpoint);
    lock.tell();
    await onStep?.('migrate');
    const begun = performance.now();
    const problems = await migrateFolder(config);
    const seconds = (performance.now() - begun) / 1000;
    if (problems.length > 0) throw new UpdateError(`${folder} is updated, and damaged: ${problems.join('; ')}`);
    await onStep?.('verify');
    const counted = reading(file, (database) => verify(database, present));
    await onStep?.('finish');
    writeCheckpoint(folder, { ...checkpoint, state: 'done' });
    return { check, isNeeded, seconds, ...counted };
  } finally {
    lock.release();
  }
}

type Checkpoint = Omit<UpdateCheckpoint, 'form'>;

function stateOf(database: SqliteDatabase) {
  const schema = readSchema(database);
  const rows = countTables(database, schema);
  return { schema, rows, head: headOf(database), has_checksums: hasChecksums(database) };
}

export const headOf = (database: SqliteDatabase): number =>
  (database.prepare('SELECT coalesce(max(position), 0) FROM records').raw().get() as [number])[0];

/** @throws UpdateError if a row is missing, a table is not as it was written, or the log ends earlier */
function verify(database: SqliteDatabase, before: Pick<Checkpoint, 'rows' | 'head'>) {
  const loss = findTableLoss(database, before.rows);
  if (loss !== undefined) throw new UpdateError(loss);
  const records = headOf(database);
  if (records < before.head) throw new UpdateError(`the log ends at ${records}, and ended at ${before.head}`);
  return { tables: Object.keys(readSchema(database).tables).length, records };
}

function reading<T>(file: string, work: (database: SqliteDatabase) => T): T {
  const database = openSqliteDatabase({ file, readonly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

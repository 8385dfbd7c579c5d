import { existsSync, rmSync } from 'node:fs';
import { findDataFolder } from '../../platform/data-folder/data-folder.ts';
import { lockFolder } from '../../platform/data-folder/folder-lock.ts';
import { databaseFile, undoneFile, versionFile } from '../../platform/data-folder/folder-paths.ts';
import type { Config } from '../../platform/settings/config.ts';
import { databaseUri, openSqliteDatabase, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { quotedName } from '../../platform/sqlite/table-checksums.ts';
import { readsRow, writeVersionNote } from '../composition/version-note.ts';
import { FOLDER_RENAMES } from '../embedded/folder-renames.ts';
import { headOf } from './apply-update.ts';
import { UpdateError } from './check-update.ts';
import { readSchema } from './folder-schema.ts';
import { migrateFolder } from './migrate-folder.ts';
import { planUndo, type UndoPlan, undo } from './undo-plan.ts';
import { kindOfRow, kindText } from './unread-kinds.ts';
import { readCheckpoint, removeCheckpoint, type UpdateCheckpoint } from './update-checkpoint.ts';

export interface TakenBack {
  readonly folder: string;
  /** The version before; null: it noted nothing. */
  readonly to: string | null;
  /** When it was left. */
  readonly takenAt: string;
  /** Records that were appended since, and stay. */
  readonly keptRecords: number;
  /** Rows that the version before has no place for, by table. They are in `update-undone.db`. */
  readonly setAside: readonly { readonly table: string; readonly rows: number }[];
}

interface BackOptions {
  readonly config: Pick<Config, 'dataDir' | 'keyPepper' | 'sessionSecret' | 'acceptClock'>;
  /** Told before each step. */
  readonly onStep?: (step: 'recover' | 'set-aside' | 'tables' | 'files') => void | Promise<void>;
}

/**
 * Takes the last update of a folder back, so that the version before can open it. The log stays as it is, with what was
 * appended since, and so do rows that were written since. The tables change in one transaction; what a kill leaves, the
 * next call goes on with.
 * @throws FolderInUse, DataFolderError, UpdateError that says why it cannot be and what to do
 */
export async function takeBack({ config, onStep }: BackOptions): Promise<TakenBack> {
  const folder = findDataFolder(config.dataDir);
  const file = databaseFile(folder);
  const lock = lockFolder(folder, 'update', { isTold: false });
  try {
    const checkpoint = readCheckpoint(folder);
    if (!checkpoint)
      throw new UpdateError(
        `${folder} has no update to take back: update has not run on it, or it was taken back. ${RESTORE}`,
      );
    lock.tell();
    withDatabase(file, (database) => assertReadable(database, checkpoint));
    if (withDatabase(file, (database) => planOf(database, checkpoint).statements.length) > 0) {
      await onStep?.('recover');
      await migrateFolder(config);
      await onStep?.('set-aside');
      withDatabase(file, (database) => setAside(database, planOf(database, checkpoint), undoneFile(folder)));
      await onStep?.('tables');
      withDatabase(file, (database) => {
        try {
          undo(database, planOf(database, checkpoint), checkpoint.has_checksums);
        } catch (error) {
          throw new UpdateError(`the tables cannot be made what they were: ${(error as Error).message}. ${RESTORE}`);
        }
      });
    }
    const head = withDatabase(file, headOf);
    await onStep?.('files');
    if (checkpoint.note) writeVersionNote(folder, checkpoint.note);
    else rmSync(versionFile(folder), { force: true });
    removeCheckpoint(folder);
    return {
      folder,
      to: checkpoint.note?.version ?? null,
      takenAt: checkpoint.taken_at,
      keptRecords: head - checkpoint.head,
      setAside: asideOf(undoneFile(folder)),
    };
  } finally {
    lock.release();
  }
}

const RESTORE = 'Restore a backup of before the update instead (docs/backup.md)';

function planOf(database: SqliteDatabase, { schema }: UpdateCheckpoint): UndoPlan {
  const plan = planUndo(readSchema(database), schema, FOLDER_RENAMES);
  if (plan.problem !== undefined) throw new UpdateError(`there is no way back: ${plan.problem}. ${RESTORE}`);
  return plan;
}

/** @throws UpdateError if the log has got what the version before may not be able to read */
function assertReadable(database: SqliteDatabase, { head, note }: UpdateCheckpoint): void {
  const before = database.prepare('SELECT 1 FROM records WHERE type = ? AND version = ? AND position <= ? LIMIT 1');
  const kinds = database
    .prepare('SELECT type, version, count(*), min(position) FROM records WHERE position > ? GROUP BY type, version')
    .raw()
    .all([head]) as [type: string, version: number, records: number, first: number][];
  for (const [type, version, records, first] of kinds) {
    if (note && readsRow(note, { type, version })) continue;
    if (before.get([type, version, head]) !== undefined) continue;
    throw new UpdateError(
      `there is no way back: since the update the log has got ${records} records ` +
        `${kindText(kindOfRow(type, version))} (the first at ` +
        `${first}), and the version before had none: it may not be able to read them. ${RESTORE}`,
    );
  }
}

/** Copies what goes into a file of its own, before it goes. */
function setAside(database: SqliteDatabase, { withoutPlace }: UndoPlan, file: string): void {
  for (const one of [file, `${file}-wal`, `${file}-shm`]) rmSync(one, { force: true });
  database.prepare('ATTACH ? AS aside').run([databaseUri(file, 'rwc')]);
  for (const [table, columns] of withoutPlace) {
    const name = quotedName(table);
    const isUsed = columns === 'all' ? '1' : columns.map((column) => `${quotedName(column)} IS NOT NULL`).join(' OR ');
    if (database.prepare(`SELECT 1 FROM main.${name} WHERE ${isUsed} LIMIT 1`).get() === undefined) continue;
    database.exec(`CREATE TABLE aside.${name} AS SELECT * FROM main.${name} WHERE ${isUsed}`);
  }
  database.exec('DETACH aside');
}

function asideOf(file: string): TakenBack['setAside'] {
  if (!existsSync(file)) return [];
  return withDatabase(file, (database) => {
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .raw()
      .all()
      .flat() as string[];
    return tables.map((table) => {
      const [rows] = database
        .prepare(`SELECT count(*) FROM ${quotedName(table)}`)
        .raw()
        .get() as [number];
      return { table, rows };
    });
  });
}

function withDatabase<T>(file: string, work: (database: SqliteDatabase) => T): T {
  const database = openSqliteDatabase({ file });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

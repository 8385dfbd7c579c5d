import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projections } from '../../../projections/index.ts';
import { findDataFolder } from '../../platform/data-folder/data-folder.ts';
import { FolderInUse, type FolderLock, lockFolder } from '../../platform/data-folder/folder-lock.ts';
import { databaseFile, lockFile } from '../../platform/data-folder/folder-paths.ts';
import type { Config } from '../../platform/settings/config.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { isGenerationOf } from '../../read-models/projector/folding/generations.ts';
import { type ChangelogEntry, entryTag, readChangelog } from '../composition/changelog.ts';
import { noteOfProgram, readVersionNote, type VersionNote } from '../composition/version-note.ts';
import { assertDatabaseKept } from '../embedded/begun-database.ts';
import { EmptyFolder } from '../embedded/embedded-stores.ts';
import { linkDatabases } from '../embedded/folder-at-rest.ts';
import { FOLDER_RENAMES } from '../embedded/folder-renames.ts';
import { measureFolding } from '../embedded/folding-speed.ts';
import { bytesOfTrial, bytesToCopy, copyForTrial, freeBytes, makeTrialFolder } from './folder-copy.ts';
import { readSchema } from './folder-schema.ts';
import { type SchemaChange, schemaChanges } from './schema-changes.ts';
import { type SettingChange, settingChanges } from './setting-changes.ts';
import { tryMigrations } from './try-migrations.ts';
import { type UnreadKind, unreadKinds } from './unread-kinds.ts';

interface ReadModelChange {
  readonly name: string;
  /** The build that is read now; null: none. */
  readonly from: string | null;
  readonly to: string;
}

/** What an update will do to a folder. */
export interface UpdateCheck {
  readonly folder: string;
  /** The version that opened the folder last; null: it noted nothing. */
  readonly from: Pick<VersionNote, 'version' | 'opened_at'> | null;
  readonly to: string;
  /** Of the changelog, what that version did not have; null: not known. */
  readonly changes: readonly ChangelogEntry[] | null;
  readonly migrations: readonly SchemaChange[];
  /** The read models that are built anew from the log. */
  readonly readModels: readonly ReadModelChange[];
  /** Null: not known. */
  readonly settings: readonly SettingChange[] | null;
  readonly back: {
    readonly isPossible: boolean;
    readonly reason: string | null;
    /** The first record of one of these ends the way back, since the version before may not be able to read it. */
    readonly endsWith: readonly UnreadKind[];
  };
  /** Seconds that each part takes here, from the trial. */
  readonly seconds: { readonly migrations: number; readonly readModels: number };
  readonly measured: {
    /** Of the tables that were copied for the trial. */
    readonly bytes: number;
    readonly records: number;
    /** Records folded in a second, into all read models that are built anew; null: nothing was folded. */
    readonly recordsPerSecond: number | null;
  };
  readonly disk: { readonly neededBytes: number; readonly freeBytes: number };
}

/** The update cannot be tried, or must not be applied. */
export class UpdateError extends Error {
  readonly code = 'update';
}

/**
 * Tries the update of a folder on a copy of what it changes. The folder stays as it is; a server may run on it.
 * @param lock of the caller, who goes on to change the folder; absent: takes one that changes nothing, if nobody has it
 * @throws DataFolderError, EmptyFolder, UpdateError, or what the migrations throw
 */
export async function checkUpdate(
  config: Pick<Config, 'dataDir' | 'keyPepper' | 'sessionSecret' | 'acceptClock'>,
  now: number,
  lock?: FolderLock,
): Promise<UpdateCheck> {
  const folder = findDataFolder(config.dataDir);
  assertDatabaseKept(folder);
  if (!existsSync(databaseFile(folder))) throw new EmptyFolder(`there is nothing to update: ${folder} is empty`);
  const own = lock ?? lockIfFree(folder);
  const trial = makeTrialFolder(folder);
  try {
    const source = !lock && own ? viewOf(folder, trial.path) : folder;
    return await checkWith(config, { folder, source, trial: trial.path, now });
  } finally {
    trial.remove();
    if (!lock) own?.release();
  }
}

/**
 * The databases of the folder under other names, so that reading them leaves no file beside it. Whoever changes the
 * folder afterwards must not have read them so: SQLite knows a file by its inode, and would go on with the index of the WAL
 * that stands beside the other name, which no other process sees.
 */
function viewOf(folder: string, trial: string): string {
  const view = join(trial, 'view');
  mkdirSync(view, { mode: 0o700 });
  linkDatabases(folder, view);
  return view;
}

/** Undefined: somebody works on the folder, and its files are read as those of a running server. */
function lockIfFree(folder: string): FolderLock | undefined {
  // Taking the lock would make the file.
  if (!existsSync(lockFile(folder))) return { tell() {}, release() {} };
  try {
    return lockFolder(folder, 'update', { isTold: false });
  } catch (error) {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  }
}

interface Places {
  readonly folder: string;
  /** Holds the databases that are read. */
  readonly source: string;
  readonly trial: string;
  readonly now: number;
}

async function checkWith(
  config: Parameters<typeof checkUpdate>[0],
  { folder, source, trial, now }: Places,
): Promise<UpdateCheck> {
  const file = databaseFile(source);
  const database = openSqliteDatabase({ file, readonly: true });
  try {
    const bytes = bytesToCopy(database);
    const disk = { neededBytes: bytesOfTrial(bytes), freeBytes: await freeBytes(trial) };
    if (disk.freeBytes < disk.neededBytes)
      throw new UpdateError(
        `the trial needs ${disk.neededBytes} bytes, and ${disk.freeBytes} are free beside ${folder}: make room first`,
      );
    const before = readSchema(database);
    const copy = join(trial, 'copy');
    mkdirSync(copy, { mode: 0o700 });
    copyForTrial(folder, file, copy);
    const tried = await tryMigrations({ ...config, dataDir: copy });
    if (tried.loss !== undefined) throw new UpdateError(`the update would fail, and was not begun: ${tried.loss}`);
    const readModels = changedReadModels(database);
    const { records, recordsPerSecond } = await measureFolding(
      source,
      readModels.map(({ name }) => name),
      join(trial, 'scratch'),
    );
    const note = readVersionNote(folder);
    const program = noteOfProgram(now);
    return {
      folder,
      from: note && { version: note.version, opened_at: note.opened_at },
      to: program.version,
      changes: note && readChangelog().filter((entry) => !note.changes.includes(entryTag(entry))),
      migrations: schemaChanges(before, tried.schema, FOLDER_RENAMES),
      readModels,
      settings: note && settingChanges(note.settings, program.settings),
      back: {
        isPossible: tried.problem === undefined,
        reason: tried.problem ?? null,
        endsWith: unreadKinds(database, note),
      },
      seconds: {
        migrations: tried.seconds,
        readModels: recordsPerSecond === null ? 0 : records / recordsPerSecond,
      },
      measured: { bytes, records, recordsPerSecond },
      disk,
    };
  } finally {
    database.close();
  }
}

function changedReadModels(database: SqliteDatabase): readonly ReadModelChange[] {
  const active = new Map(
    hasBuilds(database)
      ? (database.prepare('SELECT projection, build FROM projection_builds WHERE active = 1').raw().all() as [
          string,
          string,
        ][])
      : [],
  );
  return projections
    .filter(({ name, version }) => !isGenerationOf(active.get(name), version))
    .map(({ name, version }) => ({ name, from: active.get(name) ?? null, to: `v${version}` }));
}

const hasBuilds = (database: SqliteDatabase): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'projection_builds'").get() !== undefined;

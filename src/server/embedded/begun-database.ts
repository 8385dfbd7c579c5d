import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { walPathOf } from '../../event-log/sqlite/wal-file.ts';
import {
  archiveFile,
  clockFile,
  DataFolderError,
  databaseFile,
  demoStateFile,
  journalFiles,
  secretFile,
  startedFile,
} from '../../platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';

/**
 * Makes the database of a new folder, before any other file: so whatever crashes, a folder with other files and without
 * a database has lost it.
 * @param folder must be locked by the caller
 * @throws DataFolderError if the database is missing or empty, and the folder was in use
 */
export function beginDatabase(folder: string): void {
  assertDatabaseKept(folder);
  // With its header, and on disk, when this returns.
  if (!hasDatabase(folder)) openSqliteDatabase({ file: databaseFile(folder), cacheMib: 1 }).close();
}

/** @throws DataFolderError if the database is missing or empty, and the folder was in use */
export function assertDatabaseKept(folder: string): void {
  // In this order: meanwhile another process may begin a new folder, with the database first.
  const others = filesOfUse(folder);
  if (others.length === 0 || hasDatabase(folder)) return;
  const file = databaseFile(folder);
  throw new DataFolderError(
    `${file} is ${existsSync(file) ? 'empty' : 'missing'}, and the folder was in use: put it back from a backup ` +
      `(docs/operate.md, "Backup and restore"), or remove what is left (${others.join(', ')}) to begin anew`,
  );
}

const hasDatabase = (folder: string): boolean =>
  (statSync(databaseFile(folder), { throwIfNoEntry: false })?.size ?? 0) > 0;

/** The names of files that are written after the database only. */
function filesOfUse(folder: string): readonly string[] {
  const later = [
    walPathOf(databaseFile(folder)),
    ...journalFiles(folder),
    ...[archiveFile, clockFile, demoStateFile].map((pathIn) => pathIn(folder)),
  ].filter((file) => existsSync(file));
  // A local cluster keeps its secrets in its folder, and has no database there.
  const secrets = existsSync(startedFile(folder)) ? [] : readdirSync(folder).filter(isSecret);
  return [...later.map((file) => basename(file)), ...secrets];
}

const isSecret = (name: string): boolean => name.endsWith(basename(secretFile('', '')));

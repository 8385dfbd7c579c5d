import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeDataFolder } from '../../platform/data-folder/data-folder.ts';
import { readFolderFile, syncFolder, writeFolderFile } from '../../platform/data-folder/folder-file.ts';
import { lockFolder } from '../../platform/data-folder/folder-lock.ts';
import { holderFile, lockFile, restoreFile } from '../../platform/data-folder/folder-paths.ts';

/** The folder cannot become what was asked for. */
export class RestoreError extends Error {
  readonly code = 'restore';
}

/** A folder within the data folder that is being restored, so both are on one disk whatever is mounted there. */
const draftFolder = (folder: string): string => join(folder, 'restore-draft');
/** What a folder may hold that counts as empty: files of its lock, and what a new file system has. */
const NOTHING: ReadonlySet<string> = new Set(
  [lockFile, holderFile].map((pathIn) => basename(pathIn(''))).concat('lost+found'),
);

const namesIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => !NOTHING.has(name));

/** Whether a restore may make this folder: it is missing, or empty, or an earlier restore of it was not finished. */
export function isRestorable(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return true;
  return stats.isDirectory() && (existsSync(restoreFile(folder)) || namesIn(folder).length === 0);
}

/** What is to become the content of a data folder. */
export interface RestoreDraft {
  /** An empty folder for its files. */
  readonly path: string;
  /** For what is fetched on the way; it does not exist. */
  readonly staging: string;
  /** Makes the files those of the data folder. */
  finish(): void;
  /** Leaves the folder as it was. After `finish` it does nothing. */
  discard(): void;
}

interface BeginOptions {
  /** Told after each step that a kill may follow. */
  readonly onStep?: (() => void) | undefined;
}

/**
 * Begins to restore a folder in itself. Until the last step `restore.json` lies there, and every start and command refuses
 * the folder. That file also names what was moved in, so the next restore begins anew, whatever ended this one.
 * @throws RestoreError if the folder holds something else; FolderInUse, DataFolderError
 */
export function beginRestore(folder: string, { onStep = () => {} }: BeginOptions = {}): RestoreDraft {
  if (!isRestorable(folder)) throw notEmpty(folder);
  const isMissing = !existsSync(folder);
  if (isMissing) makeDataFolder(folder);
  const hadLock = existsSync(lockFile(folder));
  const lock = lockFolder(folder, 'restore');
  const draft = draftFolder(folder);
  const path = join(draft, 'data');
  let isOpen = true;

  function discard(): void {
    if (!isOpen) return;
    isOpen = false;
    try {
      removeUnfinished(folder);
      // Last: who takes the lock then finds an empty folder.
      if (!hadLock) for (const file of [holderFile, lockFile]) rmSync(file(folder), { force: true });
      if (isMissing) rmdirSync(folder);
    } finally {
      lock.release();
    }
  }

  try {
    // Again: another restore may have ended meanwhile.
    if (isRestorable(folder)) removeUnfinished(folder);
    assertEmpty(folder);
  } catch (error) {
    lock.release();
    throw error;
  }
  try {
    writeFolderFile(restoreFile(folder), notedAs([]));
    syncFolder(folder);
    onStep();
    mkdirSync(path, { recursive: true, mode: 0o700 });
    onStep();
  } catch (error) {
    discard();
    throw error;
  }

  return {
    path,
    staging: join(draft, 'fetched'),
    finish() {
      const parts = readdirSync(path);
      const note = join(draft, basename(restoreFile('')));
      writeFolderFile(note, notedAs(parts));
      renameSync(note, restoreFile(folder));
      syncFolder(folder);
      for (const part of parts) {
        onStep();
        renameSync(join(path, part), join(folder, part));
      }
      syncFolder(folder);
      onStep();
      rmSync(draft, { recursive: true });
      onStep();
      rmSync(restoreFile(folder));
      syncFolder(folder);
      isOpen = false;
      onStep();
      lock.release();
    },
    discard,
  };
}

const notEmpty = (folder: string): RestoreError => new RestoreError(`${folder} is not empty: name a new folder`);

function assertEmpty(folder: string): void {
  if (namesIn(folder).length > 0) throw notEmpty(folder);
}

/** Removes what a restore has brought in, and the note of it last. Nothing else: somebody may have put other files there. */
function removeUnfinished(folder: string): void {
  for (const part of partsOf(folder)) rmSync(join(folder, basename(part)), { recursive: true, force: true });
  rmSync(draftFolder(folder), { recursive: true, force: true });
  rmSync(restoreFile(folder), { force: true });
  syncFolder(folder);
}

const notedAs = (parts: readonly string[]): string => `${JSON.stringify({ parts })}\n`;

/** None, if the file was cut off: it is written whole before the first part is moved. */
function partsOf(folder: string): readonly string[] {
  try {
    const noted = JSON.parse(readFolderFile(restoreFile(folder))?.toString('utf8') ?? '') as { parts: string[] };
    return noted.parts;
  } catch {
    return [];
  }
}

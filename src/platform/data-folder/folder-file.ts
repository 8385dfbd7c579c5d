import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  archiveFile,
  clockFile,
  DataFolderError,
  databaseFile,
  demoStateFile,
  holderFile,
  journalFiles,
  lockFile,
  mailFolder,
  probeFile,
  restoreFile,
  settingsFile,
  setupFile,
  undoneFile,
  updateFile,
  versionFile,
} from './folder-paths.ts';

/** A secret shorter than this can be guessed, and an empty file is what a copy onto a full disk leaves. */
export const SECRET_CHARACTERS = 32;
const SECRET_ENDING = '.secret';

/** Files that SQLite keeps beside a database. */
const withCompanions = (file: string): readonly string[] => [file, `${file}-wal`, `${file}-shm`];

/**
 * Checks every file of a data folder that a server or a command may open: opening a named pipe waits for ever, and
 * errors of a directory do not name it. Each secret must be whole, and no restore unfinished.
 * @throws DataFolderError that names the file
 */
export function assertFolderFiles(folder: string): void {
  if (findFile(restoreFile(folder)))
    throw new DataFolderError(
      `${folder} is being restored, or a restore of it was ended before it was finished: run restore again, with the ` +
        'same --data-dir (docs/backup.md)',
    );
  const named = [
    ...withCompanions(databaseFile(folder)),
    ...withCompanions(archiveFile(folder)),
    ...withCompanions(lockFile(folder)),
    ...withCompanions(undoneFile(folder)),
    ...journalFiles(folder),
    ...[holderFile, clockFile, demoStateFile, probeFile, settingsFile, setupFile, versionFile, updateFile].map(
      (pathIn) => pathIn(folder),
    ),
  ];
  for (const file of named) findFile(file);
  const mails = mailFolder(folder);
  const stats = statOf(mails);
  if (stats && !stats.isDirectory()) throw new DataFolderError(`${mails} is ${kindOf(stats)}, and must be a directory`);
  for (const name of namesIn(folder)) if (name.endsWith(SECRET_ENDING)) readSecret(join(folder, name));
}

/** Reads a file of a data folder whole. @returns undefined if there is none @throws DataFolderError that names it */
export function readFolderFile(file: string): Buffer | undefined {
  if (!findFile(file)) return undefined;
  return orNamed(file, () => readFileSync(file));
}

/** Writes a file of a data folder whole, and flushes it. @throws DataFolderError that names it */
export function writeFolderFile(file: string, content: string | Uint8Array): void {
  named(file, 'written', () => writeFileSync(file, content, { mode: 0o600, flush: true }));
}

/** Replaces a file of a data folder by a whole one, or leaves it as it was. @throws DataFolderError that names the draft */
export function replaceFolderFile(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFolderFile(draft, content);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Flushes the names of the files of a folder. @throws DataFolderError that names it */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and does not need this.
  if (process.platform === 'win32') return;
  named(folder, 'written', () => {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** @returns undefined if there is no such file @throws DataFolderError if it is too short */
export function readSecret(file: string): string | undefined {
  const secret = readFolderFile(file)?.toString('utf8').trim();
  if (secret !== undefined && secret.length < SECRET_CHARACTERS) {
    throw new DataFolderError(
      `${file} holds ${secret.length} characters, and a secret has at least ${SECRET_CHARACTERS}: put the right file back from a backup`,
    );
  }
  return secret;
}

/** Whether there is such a file. @throws DataFolderError if it is something else */
function findFile(file: string): boolean {
  const stats = statOf(file);
  if (stats && !stats.isFile()) throw new DataFolderError(`${file} is ${kindOf(stats)}, and must be a file`);
  return stats !== undefined;
}

const statOf = (path: string): Stats | undefined => orNamed(path, () => statSync(path, { throwIfNoEntry: false }));

const namesIn = (folder: string): readonly string[] => orNamed(folder, () => readdirSync(folder)) ?? [];

/** Undefined: it has gone meanwhile. */
function orNamed<T>(path: string, look: () => T): T | undefined {
  return named(path, 'read', () => {
    try {
      return look();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  });
}

/** Not every error of the system names the file. */
function named<T>(path: string, how: 'read' | 'written', work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new DataFolderError(`${path} cannot be ${how}: ${(error as Error).message}`, { cause: error });
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isFile() ? 'a file' : 'a device';
}

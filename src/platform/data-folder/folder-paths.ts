import { join } from 'node:path';

/** The files of a data folder. */
export const databaseFile = (folder: string): string => join(folder, 'ledgerline.db');
/** The odds of past events that were moved out of the log's file. */
export const archiveFile = (folder: string): string => join(folder, 'odds-archive.db');
/** Charges that are not in the log yet. */
export const journalFiles = (folder: string): readonly [string, string] => [
  join(folder, 'charges-1.journal'),
  join(folder, 'charges-2.journal'),
];
export const lockFile = (folder: string): string => join(folder, 'lock.db');
export const holderFile = (folder: string): string => join(folder, 'lock.json');
/** Which version opened the folder last, and what that version knew. */
export const versionFile = (folder: string): string => join(folder, 'version.json');
/** What an update has changed, until it is taken back. */
export const updateFile = (folder: string): string => join(folder, 'update.json');
/** Rows that an earlier version has no place for, of the last update that was taken back. */
export const undoneFile = (folder: string): string => join(folder, 'update-undone.db');
/** A restore of this folder is not finished, and which files it has brought in. */
export const restoreFile = (folder: string): string => join(folder, 'restore.json');
/** When the clock was last trusted. */
export const clockFile = (folder: string): string => join(folder, 'clock.json');
/** Settings by the names of their variables, below the environment. */
export const settingsFile = (folder: string): string => join(folder, 'settings.json');
/** Who sets the server up, until when, and what the next start does for it. */
export const setupFile = (folder: string): string => join(folder, 'setup.json');
/** Mails as files, without an SMTP server. */
export const mailFolder = (folder: string): string => join(folder, 'mail');
/** The demo that runs in this folder, and its progress. */
export const demoStateFile = (folder: string): string => join(folder, 'demo.json');
/** A temporary file that tests for free space. */
export const probeFile = (folder: string): string => join(folder, 'room.probe');
/** The processes of a local cluster, which also keeps its secrets in the folder. */
export const startedFile = (folder: string): string => join(folder, 'started.json');
export const secretFile = (folder: string, name: string): string => join(folder, `${name}.secret`);

/** The folder is missing, is not a folder, is not writable, or one of its files is not what it must be. */
export class DataFolderError extends Error {
  readonly code = 'data_folder';
}

/** The socket on which the folder's server listens for commands. @param folder its real path */
export const controlSocket = (folder: string): string => join(folder, 'control.sock');

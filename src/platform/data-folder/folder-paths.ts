import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a data folder. */
export const databaseFile = (folder: string): string => join(folder, 'ledgerline.db');
/** Where the odds of past events are, if the log's own file no longer has them. */
export const archiveFile = (folder: string): string => join(folder, 'odds-archive.db');
/** Where charges are until they are in the log. */
export const journalFiles = (folder: string): readonly [string, string] => [
  join(folder, 'charges-1.journal'),
  join(folder, 'charges-2.journal'),
];
export const lockFile = (folder: string): string => join(folder, 'lock.db');
export const holderFile = (folder: string): string => join(folder, 'lock.json');
/** When the clock was believed last. */
export const clockFile = (folder: string): string => join(folder, 'clock.json');
/** Mails as files, where no server of SMTP is told. */
export const mailFolder = (folder: string): string => join(folder, 'mail');
/** Which demo runs in this folder, and how far it is. */
export const demoStateFile = (folder: string): string => join(folder, 'demo.json');
/** What is written to see whether there is room; there for a moment only. */
export const probeFile = (folder: string): string => join(folder, 'room.probe');
export const secretFile = (folder: string, name: string): string => join(folder, `${name}.secret`);

/** The folder is not there, is not a folder, or may not be written. */
export class DataFolderError extends Error {
  readonly code = 'data_folder';
}

/** Makes the folder where there is none, readable by its owner only. @returns its real path */
export function makeDataFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return realpathSync(folder);
  } catch (error) {
    throw new DataFolderError(`the data folder ${folder} cannot be made: ${(error as Error).message}`);
  }
}

/** @returns the real path of a folder that must exist */
export function findDataFolder(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(folder);
  throw new DataFolderError(`there is no data folder at ${folder}`);
}

/** Where the server of this folder listens for commands. @param folder its real path */
export const controlSocket = (folder: string): string => join(folder, 'control.sock');

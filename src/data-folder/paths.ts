import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files of a data folder. */
export const databaseFile = (folder: string): string => join(folder, 'ledgerline.db');
/** Where charges are until they are in the log. */
export const journalFiles = (folder: string): readonly [string, string] => [
  join(folder, 'charges-1.journal'),
  join(folder, 'charges-2.journal'),
];
export const lockFile = (folder: string): string => join(folder, 'lock.db');
export const holderFile = (folder: string): string => join(folder, 'lock.json');
/** Which demo runs in this folder, and how far it is. */
export const demoStateFile = (folder: string): string => join(folder, 'demo.json');
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

/** The least that operating systems take as a socket's path, in bytes (macOS: 104 with the closing zero). */
const MAX_SOCKET_PATH = 103;

/**
 * Where the server of this folder listens for commands. Deep folders pass the length that a socket's path may have;
 * theirs stands in the user's own part of the temporary folder, named after the data folder.
 * @param folder its real path
 */
export function controlSocket(folder: string, temporary = tmpdir()): { readonly path: string; readonly own: string } {
  const inFolder = join(folder, 'control.sock');
  if (Buffer.byteLength(inFolder) <= MAX_SOCKET_PATH) return { path: inFolder, own: folder };
  const own = join(temporary, `ledgerline-${process.getuid?.() ?? 'user'}`);
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return { path: join(own, `${name}.sock`), own };
}

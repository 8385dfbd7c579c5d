import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { assertFolderFiles } from './folder-file.ts';
import { DataFolderError } from './folder-paths.ts';

/**
 * Creates the folder if needed, readable by its owner only.
 * @returns its real path
 * @throws DataFolderError, also if it holds something else in place of one of its files, or a secret that is too short
 */
export function makeDataFolder(folder: string): string {
  let path: string;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    path = realpathSync(folder);
  } catch (error) {
    throw new DataFolderError(`the data folder ${folder} cannot be made: ${(error as Error).message}`);
  }
  assertFolderFiles(path);
  return path;
}

/** @returns the real path of an existing folder @throws DataFolderError as `makeDataFolder` does */
export function findDataFolder(folder: string): string {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new DataFolderError(`there is no data folder at ${folder}`);
  const path = realpathSync(folder);
  assertFolderFiles(path);
  return path;
}

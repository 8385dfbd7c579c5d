import { createHmac } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readSecret } from '../../platform/data-folder/folder-file.ts';
import { DataFolderError, databaseFile, secretFile } from '../../platform/data-folder/folder-paths.ts';
import { hasChecksums, readChecksum, writeChecksum } from '../../platform/sqlite/checksums.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { tablesOf } from '../../platform/sqlite/table-checksums.ts';

/** The file of a folder's pepper, and under this name what tells whether it is still the same one. */
const NAME = 'key-pepper';
export const pepperFile = (folder: string): string => secretFile(folder, NAME);

/**
 * A pepper is made for a new folder only: with another one every key is unknown, and every stored secret unreadable.
 * @param given from the settings
 * @throws DataFolderError if there is none, and there are keys or users
 */
export function assertPepperThere(folder: string, given: string | undefined): void {
  if (given !== undefined || existsSync(pepperFile(folder)) || !isRegistryUsed(folder)) return;
  throw new DataFolderError(
    `${pepperFile(folder)} is missing, and there are API keys or users: put it back from a backup, or set KEY_PEPPER to the value that was in use`,
  );
}

function isRegistryUsed(folder: string): boolean {
  const file = databaseFile(folder);
  if (!statSync(file, { throwIfNoEntry: false })?.size) return false;
  const database = openSqliteDatabase({ file, readonly: true });
  try {
    return hasKeysOrUsers(database);
  } finally {
    database.close();
  }
}

function hasKeysOrUsers(database: SqliteDatabase): boolean {
  const tables = tablesOf(database);
  return ['api_keys', 'users'].some(
    (table) => tables.includes(table) && database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined,
  );
}

/**
 * Whether this is the pepper with which the folder was used last; undefined: not known.
 * @param database of the folder
 */
function isKnownPepper(database: SqliteDatabase, pepper: string): boolean | undefined {
  const known = hasChecksums(database) ? readChecksum(database, NAME) : undefined;
  return known && known.sum === tagOf(pepper);
}

/**
 * What is known of the pepper that a start would use.
 * @param given from the settings
 * @returns `problem`: one line; `isKnown`: it is the one with which the folder was used last
 * @throws DataFolderError if there is none, and there are keys or users
 */
export function findPepper(
  database: SqliteDatabase,
  folder: string,
  given: string | undefined,
): { readonly isKnown: boolean; readonly problem?: string } {
  assertPepperThere(folder, given);
  const pepper = given ?? readSecret(pepperFile(folder));
  const isKnown = pepper === undefined ? undefined : isKnownPepper(database, pepper);
  if (isKnown !== false) return { isKnown: isKnown === true };
  const ofSettings = 'KEY_PEPPER is not the one that the keys were made with';
  return { isKnown, problem: given === undefined ? otherPepperText(folder) : ofSettings };
}

/**
 * Notes the pepper, so that a damaged or wrong file is seen.
 * @param onOther called if the settings gave another pepper than before, beside keys or users
 * @throws DataFolderError if it is the folder's file that has changed
 */
export function notePepper(database: SqliteDatabase, folder: string, pepper: string, onOther: () => void): void {
  const isKnown = isKnownPepper(database, pepper);
  if (isKnown) return;
  if (isKnown === false && hasKeysOrUsers(database)) {
    if (readSecret(pepperFile(folder)) === pepper) throw new DataFolderError(otherPepperText(folder));
    onOther();
  }
  writeChecksum(database, NAME, { width: 0, rows: 0, sum: tagOf(pepper) });
}

const otherPepperText = (folder: string): string =>
  `${pepperFile(folder)} is not the secret with which the API keys of this folder were made: put the right file back from a backup`;

/** 48 bits, of which nobody learns a random secret. */
const tagOf = (pepper: string): number =>
  Number.parseInt(createHmac('sha256', pepper).update('ledgerline: which pepper').digest('hex').slice(0, 12), 16);

import type { SqliteDatabase } from './sqlite-database.ts';

/**
 * Sums over rows, kept in the transactions that change the rows. SQLite itself checks the form of its pages and never
 * their contents: without a sum, nobody sees that a value has changed on the disk.
 */
const TABLE = `CREATE TABLE IF NOT EXISTS checksums (
  name TEXT PRIMARY KEY, width INTEGER NOT NULL, rows INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID`;

/** Sums are taken modulo 2^48, so that SQLite and JavaScript add them exactly. */
export const CHECKSUM_MASK = 0xffff_ffff_ffff;

export interface Checksum {
  /** What the sum covers: of a table its number of columns, of the log the position before its first record. */
  readonly width: number;
  readonly rows: number;
  /** The sum of the hashes of the rows, in any order. */
  readonly sum: number;
}

export const createChecksums = (database: SqliteDatabase): void => void database.exec(TABLE);

export function readChecksum(database: SqliteDatabase, name: string): Checksum | undefined {
  return database.prepare('SELECT width, rows, sum FROM checksums WHERE name = ?').get([name]) as Checksum | undefined;
}

export function writeChecksum(database: SqliteDatabase, name: string, { width, rows, sum }: Checksum): void {
  database
    .prepare('INSERT OR REPLACE INTO checksums (name, width, rows, sum) VALUES (?, ?, ?, ?)')
    .run([name, width, rows, sum]);
}

/** False for a folder of a version without checksums: the next start makes them. */
export const hasChecksums = (database: SqliteDatabase): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'checksums'").raw().get() !== undefined;

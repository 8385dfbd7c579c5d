import { readPragma, type SqliteDatabase } from './sqlite-database.ts';
import { findChangedTable, keptRowsOf, tablesOf } from './table-checksums.ts';

/**
 * SQLite's own check of every page of the file: the form of its pages, and that each index has the rows of its table.
 * @param table only this one, and its indexes
 * @returns the first thing that is wrong, on one line; undefined: nothing
 */
export function findDamage(database: SqliteDatabase, table?: string): string | undefined {
  try {
    const found = readPragma(database, table === undefined ? 'integrity_check(1)' : `integrity_check("${table}")`);
    return found === 'ok'
      ? undefined
      : String(found)
          .replace(/^\*\*\*.*\*\*\*\s*/, '')
          .replaceAll('\n', ', ');
  } catch (error) {
    return (error as Error).message;
  }
}

/** A start reads tables of up to so many rows whole, in some milliseconds each. */
const ROWS_AT_START = 10_000;

export interface StartFinding {
  readonly table: string;
  readonly damage: string;
  /** The pages are whole, and a row is not as it was written. */
  readonly isOfRow: boolean;
}

/**
 * What a start can afford of `verify`: it reads a row of every table, and checks small tables whole, with their indexes
 * and checksums.
 */
export function* findDamageAtStart(database: SqliteDatabase): Generator<StartFinding> {
  for (const table of tablesOf(database)) {
    database.prepare(`SELECT * FROM "${table}" LIMIT 1`).raw().all();
    const rows = keptRowsOf(database, table);
    if (rows === undefined || rows > ROWS_AT_START) continue;
    const damage = findDamage(database, table);
    if (damage !== undefined) yield { table, damage, isOfRow: false };
    const changed = findChangedTable(database, table);
    if (changed) yield { table, damage: changed, isOfRow: true };
  }
}

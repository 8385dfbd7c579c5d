import { CHECKSUM_MASK, readChecksum } from '../../platform/sqlite/checksums.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { checksumNameOf, columnsOf, hashSql, quotedName } from '../../platform/sqlite/table-checksums.ts';

/** What a point says of a table, line by line. Rows are values by column, after the row's number if the table has them. */
export type TableLine =
  | { readonly table: string; readonly columns: readonly string[]; readonly isWhole: boolean }
  | { readonly row: readonly unknown[] }
  | { readonly gone: number };

const LOWEST = Number.MIN_SAFE_INTEGER;

export interface TrackedTable {
  readonly table: string;
  /**
   * Writes what has changed since the last call; the first call writes everything. Within the reader's transaction.
   * @returns whether anything has
   */
  write(line: (line: TableLine) => void): boolean;
  /** The next call writes everything again. */
  forget(): void;
}

/**
 * Finds the changed rows of a table by the checksum that every writer keeps of it (`keepTableChecksums`): while the sum
 * stays, nothing is read. It remembers 16 bytes of each row, its number and its hash.
 */
export function trackTable(database: SqliteDatabase, table: string): TrackedTable {
  return hasRowNumbers(database, table) ? trackByNumber(database, table) : trackWhole(database, table);
}

const hasRowNumbers = (database: SqliteDatabase, table: string): boolean =>
  (
    database.prepare('SELECT wr FROM pragma_table_list(?) WHERE schema = ?').raw().get([table, 'main']) as [number]
  )[0] === 0;

function trackByNumber(database: SqliteDatabase, table: string): TrackedTable {
  const columns = columnsOf(database, table);
  const values = columns.map((column) => `one.${quotedName(column)}`).join(', ');
  const from = `FROM main.${quotedName(table)} AS one`;
  const all = database.prepare(`SELECT one.rowid, ${hashSql(columns, 'one')} ${from} ORDER BY one.rowid`).raw();
  const later = database
    .prepare(`SELECT ${hashSql(columns, 'one')}, one.rowid, ${values} ${from} WHERE one.rowid > ? ORDER BY one.rowid`)
    .raw();
  const byNumber = database.prepare(`SELECT one.rowid, ${values} ${from} WHERE one.rowid = ?`).raw();
  let numbers: number[] = [];
  let hashes: number[] = [];
  let known: { readonly rows: number; readonly sum: number } | undefined;

  /** Most tables that grow only grow. The checksum proves it: with the sum of the new rows it must be the new one. */
  function isGrownOnly(sum: number, rows: number): boolean {
    if (!known) return false;
    let added = known.sum;
    let number = known.rows;
    for (const [hash] of later.iterate([numbers.at(-1) ?? LOWEST]) as Iterable<[number]>) {
      added = (added + hash) % (CHECKSUM_MASK + 1);
      number++;
    }
    return added === sum && number === rows;
  }

  function writeLater(line: (line: TableLine) => void): void {
    for (const [hash, ...row] of later.iterate([numbers.at(-1) ?? LOWEST]) as Iterable<
      [number, number, ...unknown[]]
    >) {
      line({ row });
      numbers.push(row[0] as number);
      hashes.push(hash);
    }
  }

  function writeDifference(line: (line: TableLine) => void): void {
    const next: { numbers: number[]; hashes: number[] } = { numbers: [], hashes: [] };
    const changed: number[] = [];
    let index = 0;
    for (const [number, hash] of all.iterate() as Iterable<[number, number]>) {
      for (; index < numbers.length && numbers[index]! < number; index++) line({ gone: numbers[index]! });
      const isThere = numbers[index] === number;
      if (!isThere || hashes[index] !== hash) changed.push(number);
      if (isThere) index++;
      next.numbers.push(number);
      next.hashes.push(hash);
    }
    for (; index < numbers.length; index++) line({ gone: numbers[index]! });
    for (const number of changed) line({ row: byNumber.get([number]) as unknown[] });
    numbers = next.numbers;
    hashes = next.hashes;
  }

  return {
    table,
    write(line) {
      const { rows, sum } = readChecksum(database, checksumNameOf(table))!;
      if (known?.rows === rows && known.sum === sum) return false;
      line({ table, columns: ['rowid', ...columns], isWhole: known === undefined });
      if (!known || isGrownOnly(sum, rows)) writeLater(line);
      else writeDifference(line);
      known = { rows, sum };
      return true;
    },
    forget() {
      known = undefined;
      numbers = [];
      hashes = [];
    },
  };
}

/** A table without row numbers is small, and is written whole when it has changed. */
function trackWhole(database: SqliteDatabase, table: string): TrackedTable {
  const columns = columnsOf(database, table);
  const all = database.prepare(`SELECT ${columns.map(quotedName).join(', ')} FROM main.${quotedName(table)}`).raw();
  let known: string | undefined;
  return {
    table,
    write(line) {
      const rows = all.all() as unknown[][];
      const text = JSON.stringify(rows);
      if (text === known) return false;
      known = text;
      line({ table, columns, isWhole: true });
      for (const row of rows) line({ row });
      return true;
    },
    forget() {
      known = undefined;
    },
  };
}

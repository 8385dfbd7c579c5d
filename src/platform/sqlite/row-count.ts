import { inImmediateTransaction, type SqliteDatabase } from './sqlite-database.ts';

export interface RowCountOptions {
  /** The name of the count. It must never change, since data folders store it. */
  readonly name: string;
  readonly table: string;
  /** Counts the rows for which this expression over `column` holds. */
  readonly column: string;
  readonly condition: 'IS NOT NULL' | 'IS 0';
}

/**
 * Maintains the number of rows of a kind with triggers, in the transactions that change them. Counting takes longer the
 * more rows there are, so they are counted only once, when the folder has no number yet.
 * @param database must be writable
 * @returns reads the number
 */
export function maintainRowCount(database: SqliteDatabase, options: RowCountOptions): () => number {
  const { name, table, column, condition } = options;
  const holds = (row: 'NEW' | 'OLD'): string => `(${row}.${column} ${condition})`;
  const add = (change: string): string =>
    `BEGIN UPDATE counted_rows SET number = number + (${change}) WHERE name = '${name}'; END;`;
  inImmediateTransaction(database, () => {
    database.exec(`
      CREATE TABLE IF NOT EXISTS counted_rows (name TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      INSERT INTO counted_rows (name, number)
        SELECT '${name}', (SELECT count(*) FROM ${table} WHERE ${column} ${condition})
        WHERE NOT EXISTS (SELECT 1 FROM counted_rows WHERE name = '${name}');
      CREATE TRIGGER IF NOT EXISTS count_${name}_insert AFTER INSERT ON ${table} WHEN ${holds('NEW')} ${add('1')}
      CREATE TRIGGER IF NOT EXISTS count_${name}_delete AFTER DELETE ON ${table} WHEN ${holds('OLD')} ${add('-1')}
      CREATE TRIGGER IF NOT EXISTS count_${name}_update AFTER UPDATE OF ${column} ON ${table}
        WHEN ${holds('OLD')} <> ${holds('NEW')} ${add(`${holds('NEW')} - ${holds('OLD')}`)}
    `);
  });
  const read = database.prepare('SELECT number FROM counted_rows WHERE name = ?').raw();
  return () => (read.get([name]) as [number])[0];
}

import { inImmediateTransaction, type SqliteDatabase } from './sqlite-database.ts';

export interface RowCountOptions {
  /** Names the count for good: data folders hold it. */
  readonly name: string;
  readonly table: string;
  /** Rows in which this expression over `column` holds are counted. */
  readonly column: string;
  readonly condition: 'IS NOT NULL' | 'IS 0';
}

/**
 * How many rows of a kind a table has, kept with them in their transactions, whoever changes them: to count them anew
 * takes as long as there are many. They are counted once, when the folder does not know the number yet.
 * @param database must be able to write
 * @returns tells the number
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

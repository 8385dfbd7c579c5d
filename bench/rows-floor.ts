import { openSqliteDatabase } from '../src/platform/sqlite/sqlite-database.ts';

/** The floor of whatever folds the log: every row of it through the bare library, with its payload parsed. */
export function readAndParse(file: string): { readonly records: number; readonly seconds: number } {
  const database = openSqliteDatabase({ file });
  const page = database
    .prepare('SELECT position, type, data FROM records WHERE position > ? ORDER BY position LIMIT 1000')
    .raw();
  const begun = performance.now();
  let records = 0;
  for (let rows = page.all([0]) as [number, string, string][]; rows.length > 0; ) {
    for (const [, , data] of rows) JSON.parse(data);
    records += rows.length;
    rows = page.all([rows.at(-1)![0]]) as [number, string, string][];
  }
  const seconds = (performance.now() - begun) / 1000;
  database.close();
  return { records, seconds };
}

import { parquetFile } from './parquet-file.ts';
import type { ByteSink, FileColumn, TableFile } from './table-file.ts';
import { csvFile, ndjsonFile } from './text-file.ts';

/** The formats of files of tables, by name, which is the ending of their names too. */
export const TABLE_FORMATS = {
  parquet: parquetFile,
  csv: csvFile,
  ndjson: ndjsonFile,
} satisfies Readonly<Record<string, (columns: readonly FileColumn[], sink: ByteSink) => TableFile>>;

export type TableFormat = keyof typeof TABLE_FORMATS;

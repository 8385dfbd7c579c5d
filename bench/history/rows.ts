import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';

/** A cell by its column; empty where the row has none. */
export type Row = Readonly<Record<string, string | undefined>>;

const text = (file: string): string => gunzipSync(readFileSync(file)).toString('utf8');

/** Of columns of one name the last counts. */
export const csvRows = (file: string): Row[] =>
  parse(text(file), { columns: true, bom: true, trim: true, relax_column_count: true, skip_empty_lines: true });

export const jsonRows = (file: string): any[] => JSON.parse(text(file));

/** Null for a cell without a number. */
export function numberOf(cell: string | undefined): number | null {
  const value = cell === undefined || cell === '' ? Number.NaN : Number(cell);
  return Number.isFinite(value) ? value : null;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { formatTime } from '../../../src/domain/primitives/time.ts';
import { csvRecord } from '../../../src/platform/csv-writer.ts';

/** A row as CSV has it, with the partition in which it stands. */
export type Row = Readonly<Record<string, string>>;

export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

export const readJson = (folder: string, name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** All rows of an exported table, file by file, in whatever format it is. */
export async function readTable(folder: string): Promise<Row[]> {
  const { columns } = readJson(folder, 'schema.json') as { columns: { name: string }[] };
  const names = columns.map(({ name }) => name);
  const { files } = readJson(folder, 'manifest.json') as { files: { path: string }[] };
  const rows: Row[] = [];
  for (const { path } of files) {
    const [, league, year] = /^league=([^/]+)\/year=([^/]+)\/part-\d+\.[a-z]+$/.exec(path)!;
    for (const row of await readFile(join(folder, path), names)) rows.push({ ...row, league: league!, year: year! });
  }
  return rows;
}

async function readFile(path: string, names: readonly string[]): Promise<Row[]> {
  const bytes = readFileSync(path);
  if (path.endsWith('.csv')) return parse(bytes, { columns: true, record_delimiter: '\r\n' });
  const rows = path.endsWith('.ndjson')
    ? bytes
        .toString('utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
  return rows.map((row) => rowOf(names, row as Record<string, unknown>));
}

/** As CSV has it: texts that look like a formula are written so that they are none. */
function rowOf(names: readonly string[], row: Record<string, unknown>): Row {
  if (String(Object.keys(row)) !== String(names)) throw new Error(`columns ${Object.keys(row)} are not ${names}`);
  const cells = names.map((name) => {
    const value = row[name];
    if (value instanceof Date) return formatTime(value.getTime());
    return typeof value === 'bigint' ? Number(value) : (value as string | number | boolean | null);
  });
  const [texts] = parse(csvRecord(cells), { record_delimiter: '\r\n' }) as string[][];
  return Object.fromEntries(names.map((name, index) => [name, texts![index]!]));
}

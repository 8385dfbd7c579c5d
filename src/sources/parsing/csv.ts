import { pipeline, type Readable } from 'node:stream';
import { parse } from 'csv-parse';

/** One row of a CSV file. Cells are trimmed; a column that the file or the row does not have is an empty string. */
export interface CsvRow {
  /** The line on which the row ends, from 1; the header is on line 1. */
  readonly line: number;
  get(column: string): string;
}

export interface CsvFile {
  /** The trimmed names of the columns; empty for an empty file. */
  readonly header: readonly string[];
  has(column: string): boolean;
  /** May be read once. */
  readonly rows: AsyncIterable<CsvRow>;
  /** Closes the input, even if it was not read to its end. */
  close(): void;
}

/** A longer row is no CSV: an open quote would otherwise read the rest of the file into memory. */
const LONGEST_ROW = 1024 * 1024;

interface ParsedRow {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/**
 * Opens a CSV file whose first row names the columns. Rows are read on demand, so memory stays bounded. Rows may be
 * shorter or longer than the header. Of two columns with the same name the first counts. @throws errors of the input,
 * and csv-parse's error on malformed quotes
 * @param delimiter what stands between cells
 */
export async function openCsv(input: Readable, delimiter = ','): Promise<CsvFile> {
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    trim: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
  });
  // The reader of the rows gets the error, because it destroys the parser.
  pipeline(input, parser, () => {});

  const records: AsyncIterator<ParsedRow> = parser[Symbol.asyncIterator]();
  const first = await records.next();
  const header = first.done ? [] : first.value.record.map((name) => name.trim());
  const columns = new Map<string, number>();
  for (const [index, name] of header.entries()) if (name !== '' && !columns.has(name)) columns.set(name, index);

  async function* rows(): AsyncGenerator<CsvRow> {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      const { record, info } = next.value;
      if (record.every((cell) => cell === '')) continue;
      yield {
        line: info.lines,
        get: (column) => {
          const index = columns.get(column);
          return index === undefined ? '' : (record[index] ?? '');
        },
      };
    }
  }
  return { header, has: (column) => columns.has(column), rows: rows(), close: () => parser.destroy() };
}

/** The number in a cell; undefined for an empty cell and for texts that are no decimal number (`NA`, `-`). */
export function cellNumber(cell: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(cell) ? Number(cell) : undefined;
}

/** The whole number in a cell, possibly written with zeros after the point (`2.0`); undefined for any other. */
export function cellInteger(cell: string): number | undefined {
  const value = cellNumber(cell);
  return value !== undefined && Number.isSafeInteger(value) ? value + 0 : undefined;
}

/** The note of a row that was left out. */
export const skippedRow = (row: CsvRow, code: string, why: string) => ({
  note: { code, line: row.line, message: `The row was left out: ${why}.` },
});

import { csvRecord } from '../csv-writer.ts';
import type { ByteSink, FileCell, FileColumn, TableFile } from './table-file.ts';

const HELD_CHARACTERS = 256 * 1024;

/** CSV by RFC 4180 with a header, as the API writes it. */
export const csvFile = (columns: readonly FileColumn[], sink: ByteSink): TableFile =>
  textFile(csvRecord(columns.map(({ name }) => name)), csvRecord, sink);

/** A JSON object a line; null where a cell is empty. Columns of JSON are JSON text, as in every format. */
export function ndjsonFile(columns: readonly FileColumn[], sink: ByteSink): TableFile {
  const names = columns.map(({ name }) => JSON.stringify(name));
  const line = (row: readonly FileCell[]): string =>
    `{${names.map((name, index) => `${name}:${JSON.stringify(row[index])}`).join(',')}}\n`;
  return textFile('', line, sink);
}

function textFile(header: string, lineOf: (row: readonly FileCell[]) => string, sink: ByteSink): TableFile {
  let held = header;
  const flush = (): void => {
    if (held !== '') sink(Buffer.from(held, 'utf8'));
    held = '';
  };
  return {
    add(row) {
      held += lineOf(row);
      if (held.length >= HELD_CHARACTERS) flush();
    },
    get heldBytes() {
      return held.length;
    },
    flush,
    end: flush,
  };
}

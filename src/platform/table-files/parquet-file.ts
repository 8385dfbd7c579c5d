import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ByteSink, FileCell, FileColumn, FileColumnType, TableFile } from './table-file.ts';

/** Rows of a row group: readers skip whole groups by their least and greatest values. */
const ROWS_PER_GROUP = 20_000;
/** A group of long texts ends earlier. */
const BYTES_PER_GROUP = 16 * 1024 * 1024;
const BYTES_PER_CELL = 16;
/** A dictionary with more than this in one group is no gain. */
const DICTIONARY_BYTES = 1024 * 1024;

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

/** Parquet with Snappy, statistics and dictionaries. Each row group is written, and forgotten, when it is full. */
export function parquetFile(columns: readonly FileColumn[], sink: ByteSink): TableFile {
  const out = new ByteWriter();
  const writer = new ParquetWriter({ writer: out, schema: schemaOf(columns), createdBy: 'ledgerline' });
  const converters = columns.map(({ type }) => CONVERTERS[type]);
  let data: unknown[][] = columns.map(() => []);
  let rows = 0;
  let bytes = 0;

  const passOn = (): void => {
    if (out.index > 0) sink(new Uint8Array(out.buffer, 0, out.index));
    out.index = 0;
  };

  function flush(): void {
    if (rows > 0) {
      const columnData = columns.map(({ name, type }, index) => ({
        name,
        data: data[index]!,
        ...(type === 'text' && { encoding: 'RLE_DICTIONARY' as const }),
      }));
      // Nothing is awaited, since the writer has no `flush` of its own.
      void writer.write({ columnData, rowGroupSize: rows, dictionarySize: DICTIONARY_BYTES });
      data = columns.map(() => []);
      rows = 0;
      bytes = 0;
    }
    passOn();
  }

  return {
    add(row) {
      for (let index = 0; index < converters.length; index++) {
        const cell = row[index]!;
        if (typeof cell === 'string') bytes += cell.length;
        data[index]!.push(cell === null ? null : converters[index]!(cell));
      }
      bytes += BYTES_PER_CELL * converters.length;
      rows++;
      if (rows >= ROWS_PER_GROUP || bytes >= BYTES_PER_GROUP) flush();
    },
    get heldBytes() {
      return bytes;
    },
    flush,
    end() {
      flush();
      void writer.finish();
      passOn();
    },
  };
}

const CONVERTERS: Readonly<Record<FileColumnType, (cell: NonNullable<FileCell>) => unknown>> = {
  text: String,
  json: String,
  number: Number,
  boolean: Boolean,
  integer: (cell) => BigInt(cell),
  time: (cell) => BigInt(Date.parse(String(cell))),
};

const TYPES: Readonly<Record<FileColumnType, Omit<Schema[number], 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  integer: { type: 'INT64' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

const schemaOf = (columns: readonly FileColumn[]): Schema => [
  { name: 'root', num_children: columns.length },
  ...columns.map(({ name, type }): Schema[number] => ({ name, repetition_type: 'OPTIONAL', ...TYPES[type] })),
];

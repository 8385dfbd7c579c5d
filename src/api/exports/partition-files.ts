import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileCell, FileColumn, TableFile } from '../../platform/table-files/table-file.ts';
import { TABLE_FORMATS, type TableFormat } from '../../platform/table-files/table-formats.ts';
import { createUnfinishedFile, type UnfinishedFile } from '../../platform/table-files/unfinished-file.ts';

/** The league and the year of the start of an event; null: a row without an event, or one whose league nobody told. */
export interface Partition {
  readonly league: string | null;
  readonly year: number | null;
}

/** As in the manifest. The path is below the folder of the table. */
export interface ExportedFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** In the place of null, which pandas does not read beside other partitions. */
const NO_LEAGUE = 'none';
const NO_YEAR = 0;

export const partitionPath = ({ league, year }: Partition): string =>
  `league=${league ?? NO_LEAGUE}/year=${year ?? NO_YEAR}`;

/** A part of a partition ends here, and the next one begins. */
const ROWS_PER_PART = 1_000_000;
/** Rows that all open files together hold back. */
const HELD_BYTES = 48 * 1024 * 1024;
/** The open files are measured again after so many rows. */
const MEASURED_EVERY = 1000;

interface OpenPart {
  readonly path: string;
  readonly file: UnfinishedFile;
  readonly table: TableFile;
  rows: number;
}

interface OpenPartition {
  part: OpenPart | undefined;
  parts: number;
}

/** Writes the rows of one table into files by partition. None has its name before `publish`. */
export class PartitionFiles {
  readonly #folder: string;
  readonly #format: TableFormat;
  readonly #columns: readonly FileColumn[];
  readonly #open = new Map<string, OpenPartition>();
  readonly #written: { readonly file: UnfinishedFile; readonly told: ExportedFile }[] = [];
  #sinceMeasured = 0;

  constructor(folder: string, format: TableFormat, columns: readonly FileColumn[]) {
    this.#folder = folder;
    this.#format = format;
    this.#columns = columns;
  }

  add(partition: string, row: readonly FileCell[]): void {
    let open = this.#open.get(partition);
    if (!open) {
      open = { part: undefined, parts: 0 };
      this.#open.set(partition, open);
    }
    open.part ??= this.#begin(partition, open.parts++);
    open.part.table.add(row);
    open.part.rows++;
    if (open.part.rows === ROWS_PER_PART) this.#end(open);
    if (++this.#sinceMeasured >= MEASURED_EVERY) this.#boundHeld();
  }

  /** Ends a partition to which nothing will be added. */
  endPartition(partition: string): void {
    const open = this.#open.get(partition);
    if (open) this.#end(open);
  }

  /** Ends all files. They are on disk then, not yet under their names. @returns them, sorted by path */
  end(): readonly ExportedFile[] {
    for (const open of this.#open.values()) this.#end(open);
    return this.#written.map(({ told }) => told).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Gives all files their names. */
  publish(): void {
    for (const { file } of this.#written) file.publish();
  }

  /** Removes whatever has no name yet. */
  discard(): void {
    for (const { part } of this.#open.values()) part?.file.discard();
    for (const { file } of this.#written) file.discard();
  }

  #begin(partition: string, number: number): OpenPart {
    const path = `${partition}/part-${number}.${this.#format}`;
    mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
    const file = createUnfinishedFile(join(this.#folder, path));
    return { path, file, table: TABLE_FORMATS[this.#format](this.#columns, file.write), rows: 0 };
  }

  #end(open: OpenPartition): void {
    const { part } = open;
    if (!part) return;
    part.table.end();
    this.#written.push({ file: part.file, told: { path: part.path, rows: part.rows, ...part.file.end() } });
    open.part = undefined;
  }

  /** Where rows of many partitions come in turn, the fullest file is written before the others are full. */
  #boundHeld(): void {
    this.#sinceMeasured = 0;
    for (;;) {
      const tables = [...this.#open.values()].flatMap(({ part }) => part?.table ?? []);
      const held = tables.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
      if (held <= HELD_BYTES) return;
      tables.reduce((most, table) => (table.heldBytes > most.heldBytes ? table : most)).flush();
    }
  }
}

import type { Readable } from 'node:stream';
import type { KnownStarts } from './known-starts.ts';

/** One file that an operator names. `.gz` is read as gzip. */
export interface ImportFile {
  readonly name: string;
  /** The decompressed bytes. May be called once. */
  open(): Readable;
}

export interface ImportOptions {
  /** When the source was asked, for files without an observation time. */
  readonly at?: string;
  /** Price format of the file; some importers detect it. */
  readonly oddsFormat?: 'american' | 'decimal';
  /** Known starts, for files whose games have no start. */
  readonly starts?: KnownStarts;
  /** Reads several archives of one command one after another. */
  readonly archives?: ArchiveReader;
}

/** One part of the file: a feed message, or a note of what was left out and why. */
export type ImportItem =
  | { readonly message: Record<string, unknown> }
  | { readonly note: { readonly code: string; readonly message: string; readonly line?: number } };

/** Reads archives of answers, one file after another; later files build on earlier ones. */
export interface ArchiveReader {
  read(bytes: AsyncIterable<Uint8Array>): AsyncIterable<ImportItem>;
}

/** Translates a provider's format into feed messages. It decides nothing else and keeps no state between files. */
export interface Importer {
  readonly name: string;
  readonly summary: string;
  /** Some files have games without their starts: the options should give `starts`. */
  readonly needsStarts?: true;
  /** Also reads archives of its connector's answers. */
  openArchives?(): ArchiveReader;
  translate(file: ImportFile, options: ImportOptions): AsyncIterable<ImportItem>;
}

/** The file has no format that this importer knows: one line to the operator, exit code 1. */
export class UnknownFileShape extends Error {
  readonly code = 'unknown_file_shape';
  constructor(file: string, expected: string) {
    super(`${file}: not a file that this importer knows (expected ${expected})`);
    this.name = 'UnknownFileShape';
  }
}

/** The file is larger than any that importers read, or nested deeper: one line to the operator, exit code 1. */
export class UnreadableFile extends Error {
  readonly code = 'unreadable_file';
  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`);
    this.name = 'UnreadableFile';
  }
}

/** The file's format is known, but it needs a fact from the operator: one line, exit code 1. */
export class MissingFact extends Error {
  readonly code = 'missing_fact';
  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`);
    this.name = 'MissingFact';
  }
}

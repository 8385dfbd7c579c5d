import type { Readable } from 'node:stream';
import type { KnownStarts } from './known-starts.ts';

/** One file that an operator names. `.gz` is read as gzip. */
export interface ImportFile {
  readonly name: string;
  /** The decompressed bytes. May be called once. */
  open(): Readable;
}

export interface ImportOptions {
  /** When the source was asked, for files that hold no time of observation. */
  readonly at?: string;
  /** How prices are written in the file; importers that can tell find out by themselves. */
  readonly oddsFormat?: 'american' | 'decimal';
  /** Starts that are known from elsewhere, for files that tell of games without saying when they begin. */
  readonly starts?: KnownStarts;
  /** For archives that are read one after another: those of a command. */
  readonly archives?: ArchiveReader;
}

/** What became of a part of the file: a feed message, or a note of what was left out and why. */
export type ImportItem =
  | { readonly message: Record<string, unknown> }
  | { readonly note: { readonly code: string; readonly message: string; readonly line?: number } };

/** Reads the answers of archives, one file after another: what it has read of one the next ones stand on. */
export interface ArchiveReader {
  read(bytes: AsyncIterable<Uint8Array>): AsyncIterable<ImportItem>;
}

/** A provider's format, translated into feed messages. It decides nothing else and keeps no state between files. */
export interface Importer {
  readonly name: string;
  readonly summary: string;
  /** Some of its files tell of games without their starts: `starts` of the options should know them. */
  readonly needsStarts?: true;
  /** It reads archives of its connector's answers too. */
  openArchives?(): ArchiveReader;
  translate(file: ImportFile, options: ImportOptions): AsyncIterable<ImportItem>;
}

/** The file is of no shape that this importer knows: one line to the operator, exit 1. */
export class UnknownFileShape extends Error {
  readonly code = 'unknown_file_shape';
  constructor(file: string, expected: string) {
    super(`${file}: not a file that this importer knows (expected ${expected})`);
    this.name = 'UnknownFileShape';
  }
}

/** The file's shape is known, but it needs a fact that the operator can give: one line, exit 1. */
export class MissingFact extends Error {
  readonly code = 'missing_fact';
  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`);
    this.name = 'MissingFact';
  }
}

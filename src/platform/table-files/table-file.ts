/** What a column of a file holds. `time`: an ISO 8601 text in a cell; a UTC timestamp where the format has one. */
export type FileColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'json';

export interface FileColumn {
  readonly name: string;
  readonly type: FileColumnType;
}

export type FileCell = string | number | boolean | null;

/** Takes the bytes of a file, in their order. It may keep no reference to them. */
export type ByteSink = (bytes: Uint8Array) => void;

/** Writes the rows of one table into one file. What it holds back has a bound. */
export interface TableFile {
  /** A cell for each column. */
  add(row: readonly FileCell[]): void;
  /** Approximate bytes of the rows that it holds back. */
  readonly heldBytes: number;
  /** Passes on the rows that it holds back. The bytes of a file depend on where this is called. */
  flush(): void;
  /** Passes on everything, and what ends the file. */
  end(): void;
}

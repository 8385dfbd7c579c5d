import { closeSync, openSync } from 'node:fs';

/** Where a database has its last commits. */
export const walPathOf = (file: string): string => `${file}-wal`;

/** The write-ahead log of a database whose commits are written, but not yet on disk when they return. */
interface WalFile {
  /** Resolves when everything that was committed before the call is on disk. The process goes on meanwhile. */
  flush(): Promise<void>;
  close(): void;
}

/**
 * Waits for the disk in place of SQLite, which would stop the whole process for each commit. The connection has
 * `synchronous = normal`: SQLite itself then flushes this file before it moves its pages into the database, and a crash
 * loses no more than commits that nobody was told of. It reads back as far as its checksums are right, so that what is
 * lost is always the end.
 * @param file of the database, which must have been written to: the file beside it exists as long as it is open
 * @param flush resolves when what was written to a descriptor is on disk
 */
export function openWalFile(file: string, flush: (descriptor: number) => Promise<void>): WalFile {
  // For writing, although nothing is written: not every system flushes what is open for reading only. Closing it again
  // frees none of SQLite's locks, which lie on the other files.
  const descriptor = openSync(walPathOf(file), 'r+');
  return {
    flush: () => flush(descriptor),
    close: () => closeSync(descriptor),
  };
}

import { closeSync, openSync } from 'node:fs';

/** The file in which SQLite stores the last commits of a database. */
export const walPathOf = (file: string): string => `${file}-wal`;

/** The write-ahead log of a database. When a commit returns, it is written there, but perhaps not on disk. */
interface WalFile {
  /** Resolves when all commits before the call are on disk. Does not block the process. */
  flush(): Promise<void>;
  close(): void;
}

/**
 * Flushes commits in place of SQLite, which would block the whole process for each commit.
 * The connection has `synchronous = normal`: SQLite flushes this file before it moves pages into the database. A crash
 * therefore loses only commits that no caller was told of. SQLite reads the file back as far as its checksums are
 * right, so only the end can be lost.
 * @param file the database, which must have been written to: the write-ahead file exists while the database is open
 * @param flush resolves when the data written to a descriptor is on disk
 */
export function openWalFile(file: string, flush: (descriptor: number) => Promise<void>): WalFile {
  // Open for writing, although nothing is written: some systems do not flush a file that is open only for reading.
  // Closing the descriptor releases no lock of SQLite, because those are on other files.
  const descriptor = openSync(walPathOf(file), 'r+');
  return {
    flush: () => flush(descriptor),
    close: () => closeSync(descriptor),
  };
}

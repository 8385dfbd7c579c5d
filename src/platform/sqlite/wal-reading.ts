import { closeSync, openSync, readSync } from 'node:fs';

/** The file in which SQLite stores the last commits of a database. */
export const walPathOf = (file: string): string => `${file}-wal`;

const HEADER = 32;
const FRAME_HEADER = 24;
/** Bytes that are read at once. */
const PIECE = 256 * 1024;

/** Reads the commits in a write-ahead file, and drops what it has read. */
export interface WalReading {
  /** Reads what was not read before. @returns the frames of it @throws an error that `classifyDiskError` takes for one of reading */
  readNew(): number;
  close(): void;
}

/**
 * libsql 0.5.29 takes a failed read of a write-ahead file for a good one, wherever it reads: a start then loses commits
 * without a word, and a checkpoint writes wrong pages into the database. So the file is read here first. A place that
 * cannot be read shows as an error of the system, and the system has the others in its memory, where SQLite finds them.
 * Closing the file releases no lock of SQLite, because those are on other files.
 * @param file the database
 */
export function createWalReading(file: string): WalReading {
  const path = walPathOf(file);
  let descriptor: number | undefined;
  let piece: Buffer | undefined;
  const head = Buffer.alloc(HEADER);
  /** Where the frames end that were read. With each new beginning of the file they have another salt. */
  let end = HEADER;
  let salt = Buffer.alloc(8);

  function readNew(): number {
    try {
      descriptor ??= openIfThere(path);
      return descriptor === undefined ? 0 : readFrames(descriptor);
    } catch (error) {
      throw Object.assign(new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error }), {
        code: 'SQLITE_IOERR_READ',
      });
    }
  }

  function readFrames(from: number): number {
    if (readSync(from, head, 0, HEADER, 0) < HEADER) return 0;
    const saltNow = head.subarray(16, 24);
    if (!saltNow.equals(salt)) {
      end = HEADER;
      salt = Buffer.from(saltNow);
    }
    const frame = FRAME_HEADER + head.readUInt32BE(8);
    piece ??= Buffer.alloc(PIECE);
    let frames = 0;
    for (;;) {
      const bytes = readSync(from, piece, 0, PIECE, end);
      let at = 0;
      while (at + frame <= bytes && piece.subarray(at + 8, at + 16).equals(salt)) at += frame;
      end += at;
      frames += at / frame;
      // The next frame is of before, or there is none.
      if (at + frame <= bytes || bytes < PIECE) return frames;
    }
  }

  return {
    readNew,
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** Reads all commits in the write-ahead file of a database, if there is one. @throws as `readNew` does */
export function readWal(file: string): void {
  const reading = createWalReading(file);
  try {
    reading.readNew();
  } finally {
    reading.close();
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

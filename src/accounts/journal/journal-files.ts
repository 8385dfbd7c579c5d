import { closeSync, fdatasync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { isDiskFull } from '../../platform/data-folder/disk-space.ts';
import { syncFolder, writeFolderFile } from '../../platform/data-folder/folder-file.ts';
import { END_OF_JOURNAL, encodeEntry, type JournalEntry } from './journal-format.ts';

/**
 * Two files that hold entries on disk before they are in the log: many small writes in place of as many database
 * commits. The files are read once, by the start after a crash.
 */
export interface Journal<Entry extends JournalEntry> {
  /** Resolves when the entry is on disk. Write one entry at a time, with increasing numbers. */
  write(entry: Entry): Promise<void>;
  /** All entries up to this number are in the log. */
  release(number: number): void;
  /** Entries that were not released stay for the next start. */
  close(): void;
}

/** Flushes the files, and handles failed writes. */
export interface JournalDisk {
  /** Resolves when everything written to this descriptor is on disk. */
  readonly flush: (descriptor: number) => Promise<void>;
  /** Called when the content of a file is unknown. @returns the error for the caller of `write` */
  readonly failed: (file: string, error: unknown) => unknown;
}

/**
 * Files have a fixed size. A full file is overwritten when all entries of the other one are in the log. A file that
 * does not grow is less work for the disk.
 */
export const JOURNAL_BYTES = 1024 * 1024;

interface JournalFile {
  readonly file: string;
  readonly descriptor: number;
  /** The offset of the next entry. */
  end: number;
  /** The number of its last entry. */
  last: number;
}

const systemDisk: JournalDisk = { flush: promisify(fdatasync), failed: (_file, error) => error };

/** Starts a new journal. @param files used in turns; their content is lost @throws DataFolderError */
export function openJournal<Entry extends JournalEntry>(
  files: readonly [string, string],
  bytes = JOURNAL_BYTES,
  disk = systemDisk,
): Journal<Entry> {
  const [first, second] = files.map((file): JournalFile => {
    writeFolderFile(file, Buffer.alloc(bytes));
    return { file, descriptor: openSync(file, 'r+'), end: 0, last: 0 };
  }) as [JournalFile, JournalFile];
  syncFolder(dirname(files[0]));
  let current = first;
  let other = second;
  let released = 0;

  function switchFiles(): void {
    [current, other] = [other, current];
    current.end = 0;
  }

  return {
    async write(entry) {
      if (current.end >= bytes && other.last <= released) switchFiles();
      const text = encodeEntry(entry);
      const whole = Buffer.concat([text, END_OF_JOURNAL]);
      const { file, descriptor, end } = current;
      // Set this before writing. The entry may reach the disk even if the write fails, and a file with an unreleased
      // entry must not be dropped.
      current.last = entry.number;
      // A synchronous write into the system's memory takes microseconds. Handing it to another thread takes longer.
      try {
        for (let done = 0; done < whole.length; ) {
          done += writeSync(descriptor, whole, done, whole.length - done, end + done);
        }
      } catch (error) {
        // The end marker is missing, and the next entry overwrites this one.
        if (isDiskFull(error)) throw error;
        throw disk.failed(file, error);
      }
      try {
        await disk.flush(descriptor);
      } catch (error) {
        throw disk.failed(file, error);
      }
      // Only after success: an incomplete entry is overwritten, and so is the end marker.
      current.end = end + text.length;
    },
    release(number) {
      released = number;
    },
    close() {
      closeSync(first.descriptor);
      closeSync(second.descriptor);
      if (Math.max(first.last, second.last) <= released) dropJournal(files);
    },
  };
}

export function dropJournal(files: readonly [string, string]): void {
  for (const file of files) rmSync(file, { force: true });
}

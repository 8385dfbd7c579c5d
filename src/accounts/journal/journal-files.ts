import { closeSync, fdatasync, fsyncSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { isDiskFull } from '../../platform/data-folder/disk-space.ts';
import { END_OF_JOURNAL, encodeEntry, type JournalEntry } from './journal-format.ts';

/**
 * Two files in which something is on disk before it is in the log: many small writes that nobody reads, in place of as
 * many commits of a database. They are read once, by the start after a crash.
 */
export interface Journal<Entry extends JournalEntry> {
  /** Resolves when it is on disk. One at a time, of rising numbers. */
  write(entry: Entry): Promise<void>;
  /** All up to this number are in the log. */
  release(number: number): void;
  /** Whatever was not released stays for the next start. */
  close(): void;
}

/** How the files come to the disk, and who hears where they do not. */
export interface JournalDisk {
  /** Resolves when what was written to this descriptor is on disk. */
  readonly flush: (descriptor: number) => Promise<void>;
  /** Nothing is known of what this file holds. @returns what is thrown to who has written */
  readonly failed: (file: string, error: unknown) => unknown;
}

/** A file has so many bytes from the start, and is written anew when they are used and everything in the other one is
 *  in the log: where a file does not grow, the disk has less to do. */
export const JOURNAL_BYTES = 1024 * 1024;

interface JournalFile {
  readonly file: string;
  readonly descriptor: number;
  /** Where the next entry goes. */
  end: number;
  /** Number of its last entry. */
  last: number;
}

const systemDisk: JournalDisk = { flush: promisify(fdatasync), failed: (_file, error) => error };

/** Begins a new journal. @param files two that take turns; what they hold is lost */
export function openJournal<Entry extends JournalEntry>(
  files: readonly [string, string],
  bytes = JOURNAL_BYTES,
  disk = systemDisk,
): Journal<Entry> {
  const [first, second] = files.map((file): JournalFile => {
    writeFileSync(file, Buffer.alloc(bytes), { mode: 0o600, flush: true });
    return { file, descriptor: openSync(file, 'r+'), end: 0, last: 0 };
  }) as [JournalFile, JournalFile];
  syncFolder(dirname(files[0]));
  let current = first;
  let other = second;
  let released = 0;

  function turn(): void {
    [current, other] = [other, current];
    current.end = 0;
  }

  return {
    async write(entry) {
      if (current.end >= bytes && other.last <= released) turn();
      const text = encodeEntry(entry);
      const whole = Buffer.concat([text, END_OF_JOURNAL]);
      const { file, descriptor, end } = current;
      // From now on: it may be on disk whatever is heard of it, and a file that holds it is not dropped.
      current.last = entry.number;
      // Into the system's memory this is a matter of microseconds; to hand it to another thread is one of more.
      try {
        for (let done = 0; done < whole.length; ) {
          done += writeSync(descriptor, whole, done, whole.length - done, end + done);
        }
      } catch (error) {
        // Its end is not there, and the next entry is written over it.
        if (isDiskFull(error)) throw error;
        throw disk.failed(file, error);
      }
      try {
        await disk.flush(descriptor);
      } catch (error) {
        throw disk.failed(file, error);
      }
      // Only now: what was cut off is written over. So is what marks the end.
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

/** That a file is there has to come to the disk as well. */
function syncFolder(folder: string): void {
  // Windows opens no folders, and needs none of this.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

import { closeSync, fdatasync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';

/** What came to the disk together. The number rises from entry to entry. */
export interface JournalEntry {
  readonly number: number;
}

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

/** A file has so many bytes from the start, and is written anew when they are used and everything in the other one is
 *  in the log: where a file does not grow, the disk has less to do. */
const BYTES = 1024 * 1024;
const HEAD = 16;

interface JournalFile {
  readonly descriptor: number;
  /** Where the next entry goes. */
  end: number;
  /** Number of its last entry. */
  last: number;
}

const toDisk = promisify(fdatasync);

/** Begins a new journal. @param files two that take turns; what they hold is lost */
export function openJournal<Entry extends JournalEntry>(
  files: readonly [string, string],
  bytes = BYTES,
): Journal<Entry> {
  const [first, second] = files.map((file): JournalFile => {
    writeFileSync(file, Buffer.alloc(bytes), { mode: 0o600, flush: true });
    return { descriptor: openSync(file, 'r+'), end: 0, last: 0 };
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
      const text = encode(entry);
      const { descriptor, end } = current;
      // From now on: it may be on disk whatever is heard of it, and a file that holds it is not dropped.
      current.last = entry.number;
      // Into the system's memory this is a matter of microseconds; to hand it to another thread is one of more.
      for (let done = 0; done < text.length; ) {
        done += writeSync(descriptor, text, done, text.length - done, end + done);
      }
      await toDisk(descriptor);
      // Only now: what was cut off is written over.
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

/** Each with its checksum and its length before it, so that the end of what was written is told from what is older. */
function encode(entry: JournalEntry): Buffer {
  const text = Buffer.from(`${JSON.stringify(entry)}\n`);
  return Buffer.concat([Buffer.from(hex(crc32(text)) + hex(text.length)), text]);
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');

/** What a journal holds, in the order in which it was written; empty where there is none. */
export function readJournal<Entry extends JournalEntry>(files: readonly [string, string]): readonly Entry[] {
  return files.flatMap((file) => [...entriesOf<Entry>(file)]).sort((a, b) => a.number - b.number);
}

/** As far as they are whole and each follows the one before it: behind the last one may stand what it has not
 *  overwritten. */
function* entriesOf<Entry extends JournalEntry>(file: string): Generator<Entry> {
  const bytes = contentOf(file);
  let last = 0;
  for (let at = 0; at + HEAD < bytes.length; ) {
    const checksum = Number.parseInt(bytes.toString('latin1', at, at + 8), 16);
    const length = Number.parseInt(bytes.toString('latin1', at + 8, at + HEAD), 16);
    const text = bytes.subarray(at + HEAD, at + HEAD + length);
    if (!(length > 0) || text.length !== length || crc32(text) !== checksum) return;
    const entry = JSON.parse(text.toString()) as Entry;
    if (entry.number <= last) return;
    yield entry;
    last = entry.number;
    at += HEAD + length;
  }
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
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

import { readFolderFile } from '../../platform/data-folder/folder-file.ts';
import { JOURNAL_BYTES } from './journal-files.ts';
import { findNextEntry, isEndOfJournal, type JournalEntry } from './journal-format.ts';

/** The unreadable part of a file. */
export interface JournalDamage {
  readonly file: string;
  /** Its start: bytes from the start of the file. */
  readonly place: number;
  /** Its size in bytes, including bytes cut off at the end of the file. */
  readonly bytes: number;
}

interface JournalContent<Entry extends JournalEntry> {
  /** In the order of writing. Older entries that are in the log already may be among them. */
  readonly entries: readonly Entry[];
  readonly damage: readonly JournalDamage[];
}

interface JournalReading<Entry extends JournalEntry> {
  /** Whether a value is a valid entry. An invalid value with a correct checksum counts as damage. */
  readonly isEntry?: (value: unknown) => value is Entry;
  /** The fixed size of a file. */
  readonly bytes?: number;
}

/**
 * Every whole entry of a journal, before and after damaged parts; none if there is no journal.
 * @throws DataFolderError if a file cannot be read
 */
export function readJournal<Entry extends JournalEntry>(
  files: readonly [string, string],
  { isEntry = hasNumber, bytes = JOURNAL_BYTES }: JournalReading<Entry> = {},
): JournalContent<Entry> {
  const contents = files.map(readFolderFile);
  // An interrupted start may leave an incomplete first file and no second one. Then nothing was written.
  const isUsed = contents.some((content) => content && !content.equals(Buffer.alloc(content.length)));
  const read = contents.map((content) => parseJournalFile(content ?? Buffer.alloc(0), isEntry));
  const damage = files.flatMap((file, i): JournalDamage[] => {
    const content = contents[i];
    const gaps = [...read[i]!.gaps];
    const wasMade = isUsed || (i === 0 && contents[1] !== undefined);
    if (content && wasMade && content.length < bytes) gaps.push({ from: content.length, to: bytes });
    if (gaps.length === 0) return [];
    return [{ file, place: gaps[0]!.from, bytes: gaps.reduce((sum, { from, to }) => sum + to - from, 0) }];
  });
  return { entries: read.flatMap(({ entries }) => entries).sort((a, b) => a.number - b.number), damage };
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

/**
 * Entry numbers increase up to the newest entry; after it come older entries, not yet overwritten. A gap followed by a
 * higher number is always damage; so is a gap that does not begin with the end marker.
 */
function parseJournalFile<Entry extends JournalEntry>(bytes: Buffer, isEntry: (value: unknown) => value is Entry) {
  const entries: Entry[] = [];
  const gaps: Gap[] = [];
  let highest = 0;
  let isOlder = false;
  for (let at = 0; at < bytes.length; ) {
    const whole = findNextEntry(bytes, at);
    const from = at;
    const to = whole?.at ?? bytes.length;
    at = whole?.end ?? bytes.length;
    const value = whole && parsed(whole.text);
    const entry = isEntry(value) ? value : undefined;
    const rises = entry !== undefined && entry.number > highest;
    if (to > from) {
      const isDamage = rises || (!isOlder && !isEndOfJournal(bytes, from));
      if (isDamage) gaps.push({ from, to: whole ? to : writtenEnd(bytes, from) });
    }
    if (whole && !entry) gaps.push({ from: to, to: at });
    if (!entry) isOlder ||= isEndOfJournal(bytes, from);
    else {
      isOlder = !rises;
      highest = Math.max(highest, entry.number);
      entries.push(entry);
    }
  }
  return { entries, gaps };
}

/** The offset after the last byte that is not zero. */
function writtenEnd(bytes: Buffer, from: number): number {
  let end = bytes.length;
  while (end > from && bytes[end - 1] === 0) end--;
  return end;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const hasNumber = (value: unknown): value is never => typeof (value as JournalEntry | undefined)?.number === 'number';

import { crc32 } from 'node:zlib';

/** A journal entry, written to the disk at once. Numbers increase from entry to entry. */
export interface JournalEntry {
  readonly number: number;
}

/** Checksum and length, eight digits each. */
const HEAD = 16;

/**
 * Follows the last entry. A reused file still has older entries after it. Without this marker a damaged entry would
 * look like older content. The next entry overwrites the marker.
 */
export const END_OF_JOURNAL = Buffer.alloc(HEAD);

/** Each entry starts with its checksum and length, which separate new entries from older content. */
export function encodeEntry(entry: JournalEntry): Buffer {
  const text = Buffer.from(`${JSON.stringify(entry)}\n`);
  return Buffer.concat([Buffer.from(hex(crc32(text)) + hex(text.length)), text]);
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');

/** The first whole entry from this offset on, and its offset. */
export function findNextEntry(bytes: Buffer, from: number) {
  for (let text = bytes.indexOf('{', from + HEAD); text >= 0; text = bytes.indexOf('{', text + 1)) {
    const entry = entryAt(bytes, text - HEAD);
    if (entry) return { at: text - HEAD, ...entry };
  }
  return undefined;
}

/** The entry at this offset, if it is whole, and its end. */
function entryAt(bytes: Buffer, at: number): { readonly text: string; readonly end: number } | undefined {
  if (!isHead(bytes, at)) return undefined;
  const checksum = Number.parseInt(bytes.toString('latin1', at, at + 8), 16);
  const length = Number.parseInt(bytes.toString('latin1', at + 8, at + HEAD), 16);
  const end = at + HEAD + length;
  if (length === 0 || end > bytes.length) return undefined;
  const text = bytes.subarray(at + HEAD, end);
  return crc32(text) === checksum ? { text: text.toString(), end } : undefined;
}

function isHead(bytes: Buffer, at: number): boolean {
  if (at + HEAD >= bytes.length) return false;
  for (let i = at; i < at + HEAD; i++) {
    const byte = bytes[i]!;
    const isDigit = (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);
    if (!isDigit) return false;
  }
  return true;
}

/** Whether the journal ends at this offset: with the end marker, or because nothing was written there. */
export const isEndOfJournal = (bytes: Buffer, at: number): boolean =>
  bytes.subarray(at, at + HEAD).equals(END_OF_JOURNAL.subarray(0, Math.min(HEAD, Math.max(0, bytes.length - at))));

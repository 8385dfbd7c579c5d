import { readFolderFile } from '../../platform/data-folder/folder-file.ts';
import { walPathOf } from './wal-file.ts';

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

/**
 * Looks for commits that SQLite no longer sees: it reads a write-ahead file up to the first frame whose checksum is wrong,
 * and passes over the rest. Frames of before the file was last begun anew have another salt, and do not count.
 * @param file the database, which nobody has open
 * @returns what is wrong; undefined: nothing
 */
export function findWalDamage(file: string): string | undefined {
  const bytes = readFolderFile(walPathOf(file));
  if (!bytes || bytes.length === 0) return undefined;
  if (bytes.length < HEADER) return `it is cut off after ${bytes.length} bytes`;
  const magic = bytes.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== MAGIC) return 'its header is none';
  const isBig = (magic & 1) === 1;
  const page = bytes.readUInt32BE(8);
  if (page < 512 || page > 65_536) return 'its header is none';
  let sum = checksum(bytes, 0, 24, isBig, [0, 0]);
  if (!isSum(bytes, 24, sum)) return 'its header is none';
  const salt = bytes.subarray(16, 24);
  let broken: number | undefined;
  for (let at = HEADER; at + FRAME_HEADER + page <= bytes.length; at += FRAME_HEADER + page) {
    const isOfNow = bytes.subarray(at + 8, at + 16).equals(salt);
    if (broken !== undefined) {
      if (isOfNow) return `what follows byte ${broken} cannot be read`;
      continue;
    }
    sum = checksum(bytes, at, at + 8, isBig, sum);
    sum = checksum(bytes, at + FRAME_HEADER, at + FRAME_HEADER + page, isBig, sum);
    if (isOfNow && isSum(bytes, at + 16, sum)) continue;
    broken = at;
    // The salt is right: the frame was of now, and its content has changed since, or a crash has cut it short.
  }
  return undefined;
}

type Sum = readonly [number, number];

/** The checksum of SQLite's file format, over pairs of 32-bit words. */
function checksum(bytes: Buffer, from: number, to: number, isBig: boolean, [first, second]: Sum): Sum {
  let [a, b] = [first, second];
  for (let at = from; at < to; at += 8) {
    const x = isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const y = isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    a = (a + x + b) >>> 0;
    b = (b + y + a) >>> 0;
  }
  return [a, b];
}

const isSum = (bytes: Buffer, at: number, [a, b]: Sum): boolean =>
  bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b;

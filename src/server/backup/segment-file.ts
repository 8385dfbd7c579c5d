import { createCipheriv, createDecipheriv, createHash, type Hash, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

/** The first bytes of a segment: its form, and whether it is encrypted. */
const MAGIC = { plain: Buffer.from('LLBKP1\0\0'), encrypted: Buffer.from('LLBKP1\0E') };
const NONCE = 12;
const TAG = 16;
const SUM = 32;
/** A frame is written when its lines are so long. The memory of a writer and a reader has this bound. */
const FRAME_BYTES = 1024 * 1024;
/** Lines are of records and rows, which are shorter. A reader takes no frame that is longer than this. */
const MAX_FRAME_BYTES = 128 * 1024 * 1024;

/** A segment of a backup is not as it was written, or the key is not that of the backup. */
export class DamagedSegment extends Error {
  readonly code = 'damaged_segment';
  readonly segment: string;
  constructor(segment: string, problem: string) {
    super(`${segment}: ${problem}`);
    this.segment = segment;
  }
}

export interface SegmentWriter {
  line(value: unknown): void;
  /** The segment is whole and on disk when this returns. */
  finish(): void;
  /** Removes what was written. */
  abandon(): void;
}

/**
 * Writes a segment: lines of JSON in frames, each compressed, with a key also encrypted, then a checksum over all.
 * @param name in the backup; a segment under another name counts as damaged
 */
export function writeSegment(file: string, name: string, key: Buffer | undefined): SegmentWriter {
  const descriptor = openSync(file, 'w', 0o600);
  const sum = sumOf(name);
  let lines: string[] = [];
  let bytes = 0;
  let frames = 0;
  let isOpen = true;

  function write(content: Buffer): void {
    sum.update(content);
    writeAll(descriptor, content);
  }

  function writeFrame(isLast: boolean): void {
    const plain = gzipSync(lines.join('\n'), { level: 6 });
    const content = key ? encrypt(key, plain, placeOf(name, frames, isLast)) : plain;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    write(length);
    write(content);
    frames++;
    lines = [];
    bytes = 0;
  }

  function close(): void {
    isOpen = false;
    closeSync(descriptor);
  }

  write(key ? MAGIC.encrypted : MAGIC.plain);
  return {
    line(value) {
      const text = JSON.stringify(value);
      lines.push(text);
      bytes += text.length;
      if (bytes >= FRAME_BYTES) writeFrame(false);
    },
    finish() {
      writeFrame(true);
      write(Buffer.alloc(4));
      writeAll(descriptor, sum.digest());
      fsyncSync(descriptor);
      close();
    },
    abandon() {
      if (!isOpen) return;
      close();
      rmSync(file, { force: true });
    },
  };
}

function writeAll(descriptor: number, content: Buffer): void {
  for (let done = 0; done < content.length; ) done += writeSync(descriptor, content, done);
}

/**
 * Reads the lines of a segment. The checksum is right only if this comes to its end, so nothing that was read counts
 * before.
 * @throws DamagedSegment
 */
export function* readSegment(file: string, name: string, key: Buffer | undefined): Generator<unknown> {
  const damaged = (problem: string) => new DamagedSegment(name, problem);
  const descriptor = openSync(file, 'r');
  try {
    const sum = sumOf(name);
    const read = (length: number): Buffer => {
      const content = readFully(descriptor, length);
      if (content.length < length) throw damaged('it is cut off');
      return content;
    };
    const magic = read(MAGIC.plain.length);
    const isEncrypted = magic.equals(MAGIC.encrypted);
    if (!isEncrypted && !magic.equals(MAGIC.plain)) throw damaged('it does not begin as a segment does');
    if (isEncrypted && !key) throw damaged('it is encrypted, and BACKUP_KEY is not set');
    sum.update(magic);
    let next = nextLength(read(4), sum, damaged);
    for (let frame = 0; next > 0; frame++) {
      const content = read(next);
      sum.update(content);
      next = nextLength(read(4), sum, damaged);
      yield* linesOf(content, isEncrypted ? key : undefined, placeOf(name, frame, next === 0), damaged);
    }
    if (!sum.digest().equals(read(SUM))) throw damaged('its checksum is wrong');
    if (readFully(descriptor, 1).length > 0) throw damaged('something follows its end');
  } finally {
    closeSync(descriptor);
  }
}

function nextLength(bytes: Buffer, sum: Hash, damaged: (problem: string) => DamagedSegment): number {
  sum.update(bytes);
  const length = bytes.readUInt32BE();
  if (length > MAX_FRAME_BYTES) throw damaged('a length in it is impossible');
  return length;
}

function linesOf(
  content: Buffer,
  key: Buffer | undefined,
  place: Buffer,
  damaged: (problem: string) => DamagedSegment,
): readonly unknown[] {
  try {
    const plain = gunzipSync(key ? decrypt(key, content, place) : content, { maxOutputLength: MAX_FRAME_BYTES });
    return plain.length === 0
      ? []
      : plain
          .toString('utf8')
          .split('\n')
          .map((line) => JSON.parse(line) as unknown);
  } catch {
    throw damaged(key ? 'a part of it cannot be decrypted: it is damaged, or BACKUP_KEY is another' : 'it is damaged');
  }
}

function readFully(descriptor: number, length: number): Buffer {
  const content = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const read = readSync(descriptor, content, done, length - done, null);
    if (read === 0) break;
    done += read;
  }
  return content.subarray(0, done);
}

/** The name is part of the checksum, so that no segment counts in the place of another. */
const sumOf = (name: string): Hash => createHash('sha256').update(`${name}\n`);
/** What encryption binds a frame to: its segment, its number, and whether it is the last. */
const placeOf = (name: string, frame: number, isLast: boolean): Buffer =>
  Buffer.from(`${name}\n${frame}${isLast ? ' last' : ''}`);

function encrypt(key: Buffer, plain: Buffer, place: Buffer): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(place);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, content: Buffer, place: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, content.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(place).setAuthTag(content.subarray(content.length - TAG));
  return Buffer.concat([decipher.update(content.subarray(NONCE, content.length - TAG)), decipher.final()]);
}

import { createReadStream, fstatSync, openSync, type Stats } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CommandError, UsageError } from './arguments.ts';

/** Small, since the output of one step is held until it is read: at worst a thousand times as much. */
const STEP_BYTES = 16 * 1024;

/** An input that the operator named. It is open already, so a wrong name shows before any work. */
export interface InputFile {
  readonly name: string;
  /** Bytes on disk; undefined for a pipe. */
  readonly size: number | undefined;
  /** When the file was last written: milliseconds; undefined for a pipe. */
  readonly writtenAt: number | undefined;
  /** Bytes read so far, before decompression. */
  bytesRead(): number;
  /** What the file holds, decompressed. May be called once. @throws CommandError naming the file */
  bytes(): AsyncGenerator<Uint8Array>;
  /** The same file from its beginning; undefined for a pipe. @throws UsageError */
  openAgain(): InputFile | undefined;
}

/** @param name a path, or `-` for standard input. @throws UsageError when it cannot be opened */
export function openInput(name: string, path: string): InputFile {
  if (name === '-') return inputFile('standard input', undefined, process.stdin, () => undefined);
  try {
    const fd = openSync(path, 'r');
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    const stream = createReadStream('', { fd });
    const known = stats.isFile() ? stats : undefined;
    return inputFile(name, known, stream, () => known && openInput(name, path));
  } catch (error) {
    throw new UsageError(`${name}: ${reason(error as NodeJS.ErrnoException)}`);
  }
}

function inputFile(
  name: string,
  stats: Pick<Stats, 'size' | 'mtimeMs'> | undefined,
  stream: Readable,
  openAgain: InputFile['openAgain'],
): InputFile {
  let read = 0;
  async function* counted() {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      read += chunk.length;
      yield chunk;
    }
  }
  async function* bytes() {
    try {
      yield* decompressed(counted(), name.endsWith('.gz'));
    } catch (error) {
      throw new CommandError(`${name}: ${reason(error as NodeJS.ErrnoException)}`, { cause: error });
    }
  }
  const writtenAt = stats && Math.floor(stats.mtimeMs);
  return { name, size: stats?.size, writtenAt, bytesRead: () => read, bytes, openAgain };
}

function reason({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'EACCES':
      return 'may not be read';
    case 'Z_BUF_ERROR':
      return 'the gzip data ends too early';
    case 'Z_DATA_ERROR':
      return `the gzip data is damaged (${message})`;
    default:
      return message;
  }
}

/** Detects gzip by the first two bytes, with which no JSON begins. @param gzip whether the name says that it is gzip */
async function* decompressed(input: AsyncGenerator<Uint8Array>, gzip: boolean): AsyncGenerator<Uint8Array> {
  let head: Uint8Array = new Uint8Array();
  while (head.length < 2) {
    const next = await input.next();
    if (next.done) break;
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  async function* whole() {
    if (head.length > 0) yield head;
    yield* input;
  }
  if (gzip || (head[0] === 0x1f && head[1] === 0x8b)) yield* inflate(whole());
  else yield* whole();
}

/**
 * Node's gunzip drops inflated data when it finds damaged or cut-off input. So each step of the input is inflated and passed
 * on before the next step, and everything before the damage counts.
 */
async function* inflate(input: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const ready: Uint8Array[] = [];
  let failure: Error | undefined;
  let empty = true;
  gunzip.on('data', (piece: Uint8Array) => ready.push(piece));
  // A new promise for each step: racing one failure promise against every step would leak memory for each.
  let goOn = () => {};
  gunzip.once('error', (error) => {
    failure = error;
    goOn();
  });
  const done = (begin: (resolve: () => void) => void): Promise<void> =>
    new Promise((resolve) => {
      goOn = resolve;
      begin(resolve);
    });
  try {
    for await (const chunk of input) {
      for (let from = 0; from < chunk.length; from += STEP_BYTES) {
        empty = false;
        const step = chunk.subarray(from, from + STEP_BYTES);
        await done((resolve) => gunzip.write(step, () => resolve()));
        yield* ready.splice(0);
        if (failure) throw failure;
      }
    }
    if (empty) throw Object.assign(new Error(), { code: 'Z_BUF_ERROR' });
    await done((resolve) => gunzip.once('end', resolve).end());
    yield* ready.splice(0);
    if (failure) throw failure;
  } finally {
    gunzip.destroy();
  }
}

import { isUtf8 } from 'node:buffer';
import { yieldToEventLoop } from '../async/yield-to-event-loop.ts';
import { JsonScanner, NotJson } from './json-scanner.ts';
import { parseInPieces } from './parse-in-pieces.ts';

/** How much JSON of others is read. What is within these bounds also has a bound in memory. */
export interface JsonBounds {
  readonly maxBytes: number;
  /** Levels of arrays and objects. */
  readonly maxDepth: number;
  /** Arrays, objects, texts, numbers and the like, all together. */
  readonly maxValues: number;
}

/** JSON that is not read. The message says why, in words that follow "the answer" or the name of a file. */
export class JsonRefused extends Error {
  readonly code: 'not_json' | 'too_large' | 'too_deep' | 'too_many_values';
  constructor(code: JsonRefused['code'], message: string) {
    super(message);
    this.name = 'JsonRefused';
    this.code = code;
  }
}

export const tooLarge = ({ maxBytes }: Pick<JsonBounds, 'maxBytes'>): JsonRefused =>
  new JsonRefused('too_large', `is larger than ${maxBytes / 1024 / 1024} MiB`);

/** Bytes that are scanned without a break: about a tenth of a millisecond. */
const PIECE = 16 * 1024;

/**
 * The value of a JSON text of others. Depth and number of values are known before any value is built, and building goes
 * in pieces: neither a deep nor a wide text holds the event loop.
 * @param bytes UTF-8, with or without a byte order mark
 * @throws JsonRefused
 */
export async function parseBoundedJson(bytes: Buffer, bounds: JsonBounds): Promise<unknown> {
  if (bytes.length > bounds.maxBytes) throw tooLarge(bounds);
  const text = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  if (!isUtf8(text)) throw new JsonRefused('not_json', 'is not UTF-8');
  await checkBoundedJson(text, bounds);
  return parseInPieces(text);
}

/**
 * Makes sure that bytes are JSON within the bounds, for a library that parses them itself.
 * @throws JsonRefused
 */
export async function checkBoundedJson(bytes: Buffer, { maxDepth, maxValues }: JsonBounds): Promise<void> {
  const scan = new JsonScanner(bytes);
  try {
    for (let isOver = false; !isOver; ) {
      isOver = scan.read(PIECE);
      if (scan.deepest > maxDepth) throw new JsonRefused('too_deep', `is nested deeper than ${maxDepth} levels`);
      if (scan.values > maxValues) throw new JsonRefused('too_many_values', `holds more than ${maxValues} values`);
      if (!isOver) await yieldToEventLoop();
    }
  } catch (error) {
    throw error instanceof NotJson ? new JsonRefused('not_json', 'is not JSON, or not all of it') : error;
  }
}

/**
 * All bytes of a stream, if they are no more than the bounds allow: the rest is not read.
 * @throws JsonRefused too_large, and errors of the stream
 */
export async function readBounded(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bounds: Pick<JsonBounds, 'maxBytes'>,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.byteLength;
    if (bytes > bounds.maxBytes) throw tooLarge(bounds);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

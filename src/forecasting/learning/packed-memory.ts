import { createHash } from 'node:crypto';
import type { KeptMemory } from './kept-memory.ts';

/** Increase this when a memory is packed differently. */
export const MEMORY_FORM = 1;
/** A larger memory is not kept. The 5,000 players of a tour take 2 MB. */
const MAX_BYTES = 4 * 1024 * 1024;
const HASH_BYTES = 32;
const LENGTH_BYTES = 4;
const NUMBER_BYTES = 8;
/** Sides, numbers and bytes in one piece of work: a millisecond or two. */
const SIDES_AT_ONCE = 50;
const NUMBERS_AT_ONCE = 10_000;
const HASHED_AT_ONCE = 128 * 1024;

type PackedHeader = Omit<KeptMemory, 'start'> & {
  readonly basis: string;
  /** JSON of remembered objects, with 0 for each number. The objects of a league have few different ones. */
  readonly shapes: readonly string[];
  readonly league: number;
  readonly sides: readonly (readonly [id: string, shape: number])[];
};

/**
 * A hash, the length of a header, the header as JSON, and all numbers of the remembered objects one after another: as
 * they are in memory, since JSON has no -0.
 * @param basis what the memory depends on beside the results; `unpackMemory` must give the same
 * @param pause awaited after each piece of work
 * @returns null if it would be too large
 * @throws if something remembered is not plain JSON
 */
export async function packMemory(
  { start, ...numbers }: KeptMemory,
  basis: string,
  pause: () => Promise<void>,
): Promise<Uint8Array | null> {
  const values: number[] = [start.count, start.league.at];
  const shapes = new Map<string, number>();
  const shapeOf = (remembered: unknown): number => {
    const text = writeShape(remembered, values);
    const known = shapes.get(text) ?? shapes.size;
    shapes.set(text, known);
    return known;
  };
  const league = shapeOf(start.league.value);
  const sides: [id: string, shape: number][] = [];
  for (const [id, { at, value }] of start.sides) {
    values.push(at);
    sides.push([id, shapeOf(value)]);
    if (sides.length % SIDES_AT_ONCE > 0) continue;
    if (values.length * NUMBER_BYTES > MAX_BYTES) return null;
    await pause();
  }
  // JSON has no -Infinity.
  const since = Math.max(numbers.since, -Number.MAX_VALUE);
  const header: PackedHeader = { ...numbers, since, basis, shapes: [...shapes.keys()], league, sides };
  const text = Buffer.from(JSON.stringify(header));
  const from = HASH_BYTES + LENGTH_BYTES + text.length;
  const size = from + values.length * NUMBER_BYTES;
  if (size > MAX_BYTES) return null;
  const packed = Buffer.alloc(size);
  packed.writeUInt32LE(text.length, HASH_BYTES);
  text.copy(packed, HASH_BYTES + LENGTH_BYTES);
  for (let i = 0; i < values.length; i++) {
    packed.writeDoubleLE(values[i]!, from + i * NUMBER_BYTES);
    if (i % NUMBERS_AT_ONCE === NUMBERS_AT_ONCE - 1) await pause();
  }
  (await hashOf(packed, pause)).copy(packed);
  return packed;
}

/**
 * @param basisOf what a memory of the results up to a moment depends on
 * @param pause awaited after each piece of work
 * @returns null if the memory has another basis, or is not as it was packed
 */
export async function unpackMemory(
  content: Uint8Array,
  basisOf: (upTo: number) => string,
  pause: () => Promise<void>,
): Promise<KeptMemory | null> {
  const packed = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (packed.length < HASH_BYTES + LENGTH_BYTES) return null;
  if (!(await hashOf(packed, pause)).equals(packed.subarray(0, HASH_BYTES))) return null;
  let at = HASH_BYTES + LENGTH_BYTES + packed.readUInt32LE(HASH_BYTES);
  const header = JSON.parse(packed.toString('utf8', HASH_BYTES + LENGTH_BYTES, at)) as PackedHeader;
  if (header.basis !== basisOf(header.upTo)) return null;
  const next = (): number => {
    at += NUMBER_BYTES;
    return packed.readDoubleLE(at - NUMBER_BYTES);
  };
  const shapes = header.shapes.map((text) => JSON.parse(text) as unknown);
  const [count, leagueAt] = [next(), next()];
  const league = { at: leagueAt, value: fillShape(shapes[header.league], next) };
  const sides: (readonly [string, { readonly at: number; readonly value: unknown }])[] = [];
  for (const [id, shape] of header.sides) {
    const sideAt = next();
    sides.push([id, { at: sideAt, value: fillShape(shapes[shape], next) }]);
    if (sides.length % SIDES_AT_ONCE === 0) await pause();
  }
  const { upTo, since, results, events, oldest, recordedTo } = header;
  return { upTo, since, results, events, oldest, recordedTo, start: { count, league, sides } };
}

async function hashOf(packed: Buffer, pause: () => Promise<void>): Promise<Buffer> {
  const hash = createHash('sha256');
  for (let at = HASH_BYTES; at < packed.length; at += HASHED_AT_ONCE) {
    hash.update(packed.subarray(at, at + HASHED_AT_ONCE));
    await pause();
  }
  return hash.digest();
}

/** The JSON of a value with 0 for each number. The numbers are added to `values`, in the order of the JSON. */
function writeShape(value: unknown, values: number[]): string {
  if (typeof value === 'number') {
    values.push(value);
    return '0';
  }
  if (Array.isArray(value)) return `[${value.map((one) => writeShape(one, values)).join()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${writeShape(one, values)}`);
    return `{${members.join()}}`;
  }
  const text = JSON.stringify(value);
  if (text === undefined) throw new Error(`a memory holds ${typeof value}`);
  return text;
}

function fillShape(shape: unknown, next: () => number): unknown {
  if (typeof shape === 'number') return next();
  if (Array.isArray(shape)) return shape.map((one) => fillShape(one, next));
  if (typeof shape !== 'object' || shape === null) return shape;
  return Object.fromEntries(Object.entries(shape).map(([key, one]) => [key, fillShape(one, next)]));
}

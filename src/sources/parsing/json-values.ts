import { parseTime } from '../../domain/primitives/time.ts';
import { JsonRefused, parseBoundedJson, readBounded } from '../../platform/json/bounded-json.ts';
import { type ImportFile, UnknownFileShape, UnreadableFile } from '../importing/importer.ts';
import { FILE_BOUNDS } from './json-bounds.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The value of a JSON file.
 * @throws UnknownFileShape, with the expected format, if the file has no JSON; UnreadableFile if it is beyond
 * `FILE_BOUNDS`
 */
export async function readJson(file: ImportFile, expected: string): Promise<unknown> {
  try {
    return await parseBoundedJson(await readBounded(file.open(), FILE_BOUNDS), FILE_BOUNDS);
  } catch (error) {
    if (!(error instanceof JsonRefused)) throw error;
    if (error.code === 'not_json') throw new UnknownFileShape(file.name, expected);
    throw new UnreadableFile(file.name, error.message);
  }
}

interface UnwrappedAnswer {
  readonly body: unknown;
  /** The members next to the body, outermost first. */
  readonly envelope: JsonObject;
}

/** Unwraps `{response: ...}` and `{data: ...}`, however often they are nested. */
export function unwrapEnvelope(value: unknown): UnwrappedAnswer {
  let body = value;
  let envelope: JsonObject = {};
  for (;;) {
    const around = asRecord(body);
    const member = 'response' in around ? 'response' : 'data' in around ? 'data' : undefined;
    if (member === undefined) return { body, envelope };
    const { [member]: inner, ...beside } = around;
    envelope = { ...beside, ...envelope };
    body = inner;
  }
}

const NOTHING: JsonObject = Object.freeze({});

/** The object, or an empty one: providers omit members, or give null or a string instead. */
export const asRecord = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : NOTHING;

/** The objects of a list. Other items are skipped; a value that is no list gives no objects. */
export const asRecords = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null && !Array.isArray(item)) : [];

/** A non-empty text, trimmed. Numbers become texts too, because ids may be either. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return undefined;
  return value.trim() || undefined;
}

export const asBoolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** A finite number, or a text that is one. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^[+-]?(\d+\.?\d*|\.\d+)$/.test(value.trim())) return undefined;
  return Number(value);
}

const OFFSET = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)([+-])(\d\d):?(\d\d)$/;

/** A safe integer, or a text that is one. */
export function asInteger(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
}

/** Numbers outside this range are no times of sport. Days before and after these limits are still valid times. */
const EARLIEST = Date.UTC(1800, 0);
const LATEST = Date.UTC(9000, 0);

/** Milliseconds of a time as providers write it: ISO 8601 with Z or an offset, or Unix seconds. */
export function asTime(value: unknown): number | undefined {
  const time = readTime(value);
  return time !== undefined && time >= EARLIEST && time <= LATEST ? time : undefined;
}

function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value > 0 ? Math.round(value * 1000) : undefined;
  if (typeof value !== 'string') return undefined;
  const written = value.trim();
  const offset = OFFSET.exec(written);
  if (!offset) return parseTime(written) ?? undefined;
  const local = parseTime(`${offset[1]}Z`);
  if (local === null) return undefined;
  const minutes = Number(offset[3]) * 60 + Number(offset[4]);
  return local + (offset[2] === '+' ? -1 : 1) * minutes * 60_000;
}

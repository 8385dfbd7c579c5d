import { type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { dataVersionOf, decodeContent, type EncodedContent } from '../encoding/record-encoding.ts';

/** A record as the embedded logs store it. Here positions fit in 53 bits; elsewhere they are bigints. */
export interface StoredRecord extends EncodedContent {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly recordedAt: number;
}

/** Brings a record to the newest version of its data; see `upcastRecord`. */
export type Upcast = (record: LogRecord) => LogRecord;

// Neighbouring records often have the same time, so the last decoded time is cached.
let time = { milliseconds: 0, text: new Date(0).toISOString() };

function decodeTime(milliseconds: number): string {
  if (milliseconds !== time.milliseconds) time = { milliseconds, text: new Date(milliseconds).toISOString() };
  return time.text;
}

export function decodeRecord(stored: StoredRecord, upcast: Upcast): LogRecord {
  const { stream, type } = stored;
  const { version, data, meta } = decodeContent(stored);
  return upcast({
    position: fromStoredPosition(stored.position),
    stream,
    revision: stored.revision,
    type,
    version,
    data,
    meta,
    recordedAt: meta.firstRecordedAt ?? decodeTime(stored.recordedAt),
  });
}

/** Decodes a record whose content the reader does not need. */
export function decodeWithoutContent(stored: Omit<StoredRecord, 'data' | 'meta'>): LogRecord {
  const { stream, revision, type } = stored;
  const version = dataVersionOf(stored.version);
  const recordedAt = decodeTime(stored.recordedAt);
  const position = fromStoredPosition(stored.position);
  return { position, stream, revision, type, version, data: null, meta: NO_META, recordedAt };
}
const NO_META = Object.freeze({ partition: '' });

/** From the stored form of an embedded log to a position. */
export const fromStoredPosition = (stored: number): Position => toPosition(BigInt(stored));

/** From a position to the stored form of an embedded log; 0 is before the first record. */
export const toStoredPosition = (position: Position | null): number => (position === null ? 0 : Number(position));

/** The positions of an embedded log have no gaps. */
export const countBetween = (after: Position | null, to: Position | null): number =>
  toStoredPosition(to) - toStoredPosition(after);

/** @throws RangeError when the text is not a time */
export function parseTimeOption(name: string, text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new RangeError(`${name}: not a time: ${text}`);
  return time;
}

/** @throws RangeError when the text is not a time */
export function parseUntilOption(until: string | undefined): number {
  if (until === undefined) return Number.MAX_SAFE_INTEGER;
  return parseTimeOption('until', until);
}

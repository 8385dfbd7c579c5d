import { type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { dataVersionOf, decodeContent, type EncodedContent } from '../encoding/record-encoding.ts';

/** A record as the embedded logs keep it. Positions fit in 53 bits there; outside they are bigints. */
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

// Neighbours in the log share their time: what was decoded last is kept.
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
    recordedAt: decodeTime(stored.recordedAt),
  });
}

/** One whose content nobody wants: it is passed by. */
export function decodeWithoutContent(stored: Omit<StoredRecord, 'data' | 'meta'>): LogRecord {
  const { stream, revision, type } = stored;
  const version = dataVersionOf(stored.version);
  const recordedAt = decodeTime(stored.recordedAt);
  const position = fromStoredPosition(stored.position);
  return { position, stream, revision, type, version, data: null, meta: NO_META, recordedAt };
}
const NO_META = Object.freeze({ partition: '' });

/** A position as it goes out of an embedded log. */
export const fromStoredPosition = (stored: number): Position => toPosition(BigInt(stored));

/** A position as an embedded log keeps it; 0 is before its first record. */
export const toStoredPosition = (position: Position | null): number => (position === null ? 0 : Number(position));

/** Positions of an embedded log are numbered without gaps. */
export const countBetween = (after: Position | null, to: Position | null): number =>
  toStoredPosition(to) - toStoredPosition(after);

/** @throws RangeError when it is not a time */
export function parseTimeOption(name: string, text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new RangeError(`${name}: not a time: ${text}`);
  return time;
}

/** @throws RangeError when it is not a time */
export function parseUntilOption(until: string | undefined): number {
  if (until === undefined) return Number.MAX_SAFE_INTEGER;
  return parseTimeOption('until', until);
}

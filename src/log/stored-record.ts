import type { LogRecord, RecordMeta } from '../domain/record.ts';

/** A record as the embedded logs keep it. Positions fit in 53 bits there; outside they are bigints. */
export interface StoredRecord {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly version: number;
  /** JSON text. */
  readonly data: string;
  /** JSON text. */
  readonly meta: string;
  /** Milliseconds since 1970. */
  readonly recordedAt: number;
}

/** Brings a record to the newest version of its data; see `upcastRecord`. */
export type Upcast = (record: LogRecord) => LogRecord;

export function decodeRecord(stored: StoredRecord, upcast: Upcast): LogRecord {
  return upcast({
    position: BigInt(stored.position),
    stream: stored.stream,
    revision: stored.revision,
    type: stored.type,
    version: stored.version,
    data: JSON.parse(stored.data) as unknown,
    meta: JSON.parse(stored.meta) as RecordMeta,
    recordedAt: new Date(stored.recordedAt).toISOString(),
  });
}

/** @throws RangeError when it is not a time */
export function parseUntil(until: string | undefined): number {
  if (until === undefined) return Number.MAX_SAFE_INTEGER;
  const time = Date.parse(until);
  if (Number.isNaN(time)) throw new RangeError(`until: not a time: ${until}`);
  return time;
}

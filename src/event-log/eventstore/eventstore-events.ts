import type { EventData, RecordedEvent } from '@eventstore/db-client';
import { type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import type { LogRecord, RecordMeta } from '../../domain/event-sourcing/record.ts';
import type { EncodedEvent } from '../storage/append-request.ts';
import type { Upcast } from '../storage/stored-record.ts';

/** The metadata of an event. It is JSON, so that people can read it in the engine's own pages. */
interface EventMetadata {
  readonly version: number;
  readonly meta: RecordMeta;
  /** Milliseconds. The record was not recorded earlier than this, even if the engine's clock says so. */
  readonly notBefore?: number;
  /** Milliseconds. When a record that was moved from another log was recorded there. */
  readonly recordedAt?: number;
  /** The position of a moved record in its former log, in digits. The record keeps it. */
  readonly position?: string;
}

/** The earliest time of a record, or the time and position that a moved record keeps. */
type RecordOrigin = Pick<EventMetadata, 'notBefore'> | Pick<EventMetadata, 'recordedAt' | 'position'>;

export interface OutgoingEvent {
  readonly event: EventData;
  readonly bytes: number;
}

/** The maximum size of one append. */
export const MAX_APPEND_BYTES = 1_048_576;
/** Bytes that the engine may count for an event beside its data, metadata and type. */
const EVENT_BYTES = 64;
const text = new TextEncoder();

/** @param id identifies the event: the engine stores a repeated append of the same id once */
export function toEngineEvent(
  id: string,
  { type, version, data, meta }: EncodedEvent,
  origin: RecordOrigin,
): OutgoingEvent {
  // `meta` and `data` are JSON already.
  const origins = JSON.stringify(origin).slice(1, -1);
  const metadata = text.encode(`{"version":${version},"meta":${meta}${origins === '' ? '' : `,${origins}`}}`);
  return {
    // For JSON events the client serializes the data itself; it takes bytes only for other events.
    event: { id, type, contentType: 'application/json', data: JSON.parse(data), metadata } as EventData,
    bytes: 2 * type.length + Buffer.byteLength(data) + metadata.length + EVENT_BYTES,
  };
}

/** System streams are in the same log. Readers never get them. */
export const isRecordEvent = ({ streamId, type }: RecordedEvent): boolean =>
  !streamId.startsWith('$') && !type.startsWith('$');

/** The event's position in the engine's log. @throws Error when the engine returns none, as versions before 22.6 do */
export function commitPositionOf({ position }: RecordedEvent): bigint {
  if (position === undefined || position.commit < 0n) {
    throw new Error('the event log tells no positions: EventStoreDB 22.6 or newer is needed');
  }
  return position.commit;
}

/**
 * The event's position. A moved record keeps the position of its former log, so that readers who know that position can
 * go on from it.
 * Moved records come first in the engine's log, each at a commit position beyond its own position. So positions rise
 * along the whole log.
 */
export function positionOfEvent(event: RecordedEvent): Position {
  return toPosition(metadataOf(event)?.position ?? commitPositionOf(event));
}

/** Milliseconds since 1970: the engine's time, but never earlier than the last record of the stream. */
export function recordedTimeOf(event: RecordedEvent): number {
  const { recordedAt, notBefore = 0 } = metadataOf(event) ?? {};
  return recordedAt ?? Math.max(event.created.getTime(), notBefore);
}

/** @throws Error when the event is not a record of this server */
export function toLogRecord(event: RecordedEvent, upcast: Upcast): LogRecord {
  const metadata = metadataOf(event);
  if (!metadata) throw new Error(`${event.streamId}@${event.revision} in the event log is not a record of Ledgerline`);
  return upcast({
    position: positionOfEvent(event),
    stream: event.streamId,
    revision: Number(event.revision),
    type: event.type,
    version: metadata.version,
    data: event.data,
    meta: metadata.meta,
    recordedAt: metadata.meta.firstRecordedAt ?? new Date(recordedTimeOf(event)).toISOString(),
  });
}

function metadataOf({ metadata }: RecordedEvent): EventMetadata | undefined {
  const candidate = metadata as Partial<EventMetadata> | null | undefined;
  if (typeof candidate !== 'object' || typeof candidate?.version !== 'number' || typeof candidate.meta !== 'object') {
    return undefined;
  }
  return candidate as EventMetadata;
}

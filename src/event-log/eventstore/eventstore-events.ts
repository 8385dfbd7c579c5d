import type { EventData, RecordedEvent } from '@eventstore/db-client';
import { type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import type { LogRecord, RecordMeta } from '../../domain/event-sourcing/record.ts';
import type { EncodedEvent } from '../storage/append-request.ts';
import type { Upcast } from '../storage/stored-record.ts';

/** What lies beside the data of an event, as JSON, so that people find it readable in the engine's own pages. */
interface EventMetadata {
  readonly version: number;
  readonly meta: RecordMeta;
  /** Milliseconds: the engine's clock may have been ahead before, and the record was not recorded earlier than this. */
  readonly notBefore?: number;
  /** Milliseconds, of a record that was recorded in another log. */
  readonly recordedAt?: number;
  /** Its position in that log, which it keeps: digits. */
  readonly position?: string;
}

/** When a record was or may have been recorded, and where one of another log lay. */
type RecordOrigin = Pick<EventMetadata, 'notBefore'> | Pick<EventMetadata, 'recordedAt' | 'position'>;

export interface OutgoingEvent {
  readonly event: EventData;
  readonly bytes: number;
}

/** The most that one append may hold. */
export const MAX_APPEND_BYTES = 1_048_576;
/** What the engine may count of an event beside its data, metadata and type. */
const EVENT_BYTES = 64;
const text = new TextEncoder();

/** @param id names the event, so that one that is appended again counts once */
export function toEngineEvent(
  id: string,
  { type, version, data, meta }: EncodedEvent,
  origin: RecordOrigin,
): OutgoingEvent {
  // `meta` and `data` are JSON already.
  const origins = JSON.stringify(origin).slice(1, -1);
  const metadata = text.encode(`{"version":${version},"meta":${meta}${origins === '' ? '' : `,${origins}`}}`);
  return {
    // The client writes the data as JSON itself: it takes bytes for what is not JSON alone.
    event: { id, type, contentType: 'application/json', data: JSON.parse(data), metadata } as EventData,
    bytes: 2 * type.length + Buffer.byteLength(data) + metadata.length + EVENT_BYTES,
  };
}

/** System streams lie in the same log; nobody is shown them. */
export const isRecordEvent = ({ streamId, type }: RecordedEvent): boolean =>
  !streamId.startsWith('$') && !type.startsWith('$');

/** Its place in the engine's log. @throws Error where the engine does not tell it, as versions before 22.6 do */
export function commitPositionOf({ position }: RecordedEvent): bigint {
  if (position === undefined || position.commit < 0n) {
    throw new Error('the event log tells no positions: EventStoreDB 22.6 or newer is needed');
  }
  return position.commit;
}

/**
 * Its place; of a record that was moved from another log its position there, which whoever was told it may go on with.
 * Moved records come first, and at places beyond their positions, so that positions rise along the whole log.
 */
export function positionOfEvent(event: RecordedEvent): Position {
  return toPosition(metadataOf(event)?.position ?? commitPositionOf(event));
}

/** Milliseconds since 1970: the engine's own time, but never before what its stream has had. */
export function recordedTimeOf(event: RecordedEvent): number {
  const { recordedAt, notBefore = 0 } = metadataOf(event) ?? {};
  return recordedAt ?? Math.max(event.created.getTime(), notBefore);
}

/** @throws Error when it is no record of this server */
export function toLogRecord(event: RecordedEvent, upcast: Upcast): LogRecord {
  const beside = metadataOf(event);
  if (!beside) throw new Error(`${event.streamId}@${event.revision} in the event log is not a record of Ledgerline`);
  return upcast({
    position: positionOfEvent(event),
    stream: event.streamId,
    revision: Number(event.revision),
    type: event.type,
    version: beside.version,
    data: event.data,
    meta: beside.meta,
    recordedAt: new Date(recordedTimeOf(event)).toISOString(),
  });
}

function metadataOf({ metadata }: RecordedEvent): EventMetadata | undefined {
  const beside = metadata as Partial<EventMetadata> | null | undefined;
  if (typeof beside !== 'object' || typeof beside?.version !== 'number' || typeof beside.meta !== 'object') {
    return undefined;
  }
  return beside as EventMetadata;
}

import { type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { OutgoingMessage, ReceivedMessage } from '../broker/broker-client.ts';

/**
 * A record of the log as a message, or a *marker* without a record. A marker says that its partition has been written
 * up to `position`. So a topic shows where it begins, and where it ends when the broker has dropped all its records.
 */
export interface RecordMessage {
  readonly position: Position;
  /**
   * The position of the previous record in the partition (the same number in all topics), or a later position without a
   * record. A reader that stands before `previous` must first get other records. Null: there is none before.
   */
  readonly previous: Position | null;
  readonly bytes: number;
  readonly isMarker: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Buffer | null;
}

interface Address {
  readonly topic: string;
  readonly partition: number;
}

export function encodeRecord(to: Address, record: LogRecord, previous: Position | null): OutgoingMessage {
  const { position, stream, revision, recordedAt, type, version, data, meta } = record;
  return {
    ...to,
    key: meta.partition,
    value: JSON.stringify({ version, data, meta }),
    headers: {
      position: String(position),
      stream,
      revision: String(revision),
      recordedAt,
      type,
      ...(previous !== null && { previous: String(previous) }),
    },
  };
}

export function encodeMarker(to: Address, position: Position, previous: Position | null): OutgoingMessage {
  const headers = {
    position: String(position),
    mark: 'true',
    ...(previous !== null && { previous: String(previous) }),
  };
  return { ...to, key: null, value: null, headers };
}

/** Bytes that a message takes beside its value. */
const OVERHEAD = 400;

export function decodeRecordMessage({ headers, value }: Pick<ReceivedMessage, 'headers' | 'value'>): RecordMessage {
  const { position, previous, mark } = headers;
  return {
    position: toPosition(position!),
    previous: previous === undefined ? null : toPosition(previous),
    bytes: (value?.length ?? 0) + OVERHEAD,
    isMarker: mark !== undefined,
    headers,
    value,
  };
}

/** The record as it was written, in the version that it had then. */
export function recordFromMessage({ position, headers, value }: RecordMessage): LogRecord {
  const { stream, revision, recordedAt, type } = headers;
  const { version, data, meta } = JSON.parse(value!.toString('utf8'));
  return {
    position,
    stream: stream!,
    revision: Number(revision),
    type: type!,
    version,
    data,
    meta,
    recordedAt: recordedAt!,
  };
}

import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { UnknownEventVersion } from '../../domain/event-sourcing/upcast.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';

/** The known end of the log, and the number of records between the end and a reader. */
export interface LogEnd {
  readonly position: Position | null;
  /** When the last record was recorded (ISO 8601). */
  readonly recordedAt: string | null;
  /** Number of known records that the main reader has not read. Counted one by one, because positions may have gaps. */
  readonly unread: number;
  recordsAppended(records: readonly LogRecord[]): void;
  /** The main reader has read these records. */
  recordsRead(records: readonly LogRecord[], position: Position): void;
}

export async function createLogEnd(log: EventLog): Promise<LogEnd> {
  const head = await log.head();
  let position = head;
  let recordedAt = head === null ? null : await readRecordedAt(log, head);
  let unread = 0;
  let countedTo: Position | null = null;

  function saw(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (position !== null && record.position <= position) continue;
      position = record.position;
      recordedAt = record.recordedAt;
      countedTo = position;
      unread++;
    }
  }

  return {
    get position() {
      return position;
    },
    get recordedAt() {
      return recordedAt;
    },
    get unread() {
      return unread;
    },
    recordsAppended: saw,
    recordsRead(records, upTo) {
      const counted = countedTo;
      if (counted !== null) {
        for (const record of records) if (record.position <= counted && unread > 0) unread--;
      }
      saw(records);
      if (position === null || upTo >= position) unread = 0;
    },
  };
}

/** When the record at this position was recorded; null if there is none, or if this code cannot read it. */
export async function readRecordedAt(log: Pick<EventLog, 'recordAt'>, position: Position): Promise<string | null> {
  return (await readIfKnownVersion(log.recordAt(position)))?.recordedAt ?? null;
}

export async function readFirstRecordedAt(log: EventLog): Promise<string | null> {
  return (await readIfKnownVersion(log.readAll(null, 1).then(([first]) => first)))?.recordedAt ?? null;
}

async function readIfKnownVersion(record: Promise<LogRecord | undefined>): Promise<LogRecord | undefined> {
  try {
    return await record;
  } catch (error) {
    // Only the lag in seconds needs this record. The worker that folds up to it stops there and reports the reason.
    if (error instanceof UnknownEventVersion) return undefined;
    throw error;
  }
}

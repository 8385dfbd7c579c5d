import type { LogRecord } from '../domain/record.ts';
import { UnknownEventVersion } from '../domain/upcast.ts';
import type { EventLog } from '../log/event-log.ts';

/** What is known of the end of the log, and how many records lie between it and a reader. */
export interface LogEnd {
  readonly position: bigint | null;
  /** When the last record was recorded (ISO 8601). */
  readonly recordedAt: string | null;
  /** Records that are known to come after what the main reader has read: counted, since positions may have gaps. */
  readonly unread: number;
  saw(records: readonly LogRecord[]): void;
  /** The main reader has read these. */
  read(records: readonly LogRecord[], position: bigint): void;
}

export async function createLogEnd(log: EventLog): Promise<LogEnd> {
  const head = await log.head();
  let position = head;
  let recordedAt = head === null ? null : await recordedAtOf(log, head);
  let unread = 0;
  let countedTo: bigint | null = null;

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
    saw,
    read(records, upTo) {
      const counted = countedTo;
      if (counted !== null) {
        for (const record of records) if (record.position <= counted && unread > 0) unread--;
      }
      saw(records);
      if (position === null || upTo >= position) unread = 0;
    },
  };
}

/** When the record at this position was recorded; null when there is none, or this code cannot read it. */
export async function recordedAtOf(log: EventLog, position: bigint): Promise<string | null> {
  const record = await recordAfter(log, position - 1n);
  return record?.position === position ? record.recordedAt : null;
}

export async function firstRecordedAtOf(log: EventLog): Promise<string | null> {
  return (await recordAfter(log, null))?.recordedAt ?? null;
}

async function recordAfter(log: EventLog, position: bigint | null): Promise<LogRecord | undefined> {
  try {
    return (await log.readAll(position, 1))[0];
  } catch (error) {
    // Only the lag in seconds needs it. Whoever folds up to that record will stop there, and say why.
    if (error instanceof UnknownEventVersion) return undefined;
    throw error;
  }
}

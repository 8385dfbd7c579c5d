import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import { EventLogUnavailable } from './event-log-unavailable.ts';
import { positionOfEvent } from './eventstore-events.ts';

/** The database behind the address is not the one that this process knows. The process cannot go on. */
export class OtherLogError extends EventLogUnavailable {
  readonly reason = 'other_log';
  constructor(stream: string, revision: number) {
    super(
      'the database behind EVENT_LOG_URL',
      `is another one than before: ${stream}@${revision}, which this process has seen, is not in it. Put back the ` +
        'database that was there, or correct EVENT_LOG_URL. Where this one is meant to replace it (a backup was ' +
        'restored), restart every process of the cluster, and run `rebuild`',
      { isPermanent: true },
    );
    this.name = 'OtherLogError';
  }
}

/** A record that this process has seen. */
interface Witness {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly position: Position;
}

/** Recognises another database behind the same address: a restored one, an emptied one, or one of somebody else. */
export interface LogIdentity {
  /** The connection was lost, or has changed: look again before the next append. */
  doubt(): void;
  /** Resolves at once without a doubt. Otherwise looks for the last record that was seen. @throws OtherLogError */
  assure(): Promise<void>;
  /** The log ends at this position. A log that ends before a record that was seen is another one. */
  noteEnd(last: Position | null): void;
  noteRecord(record: Witness): void;
  noteEvent(event: AllStreamRecordedEvent): void;
}

interface LogIdentityParts {
  /** The event at this revision. */
  readonly readEvent: (stream: string, revision: number) => Promise<AllStreamRecordedEvent | undefined>;
  /** Called once. */
  readonly onOtherLog: (error: OtherLogError) => void;
}

/** Remembers the last record. What was acknowledged or read is never taken back, so the record must stay where it is. */
export function createLogIdentity({ readEvent, onOtherLog }: LogIdentityParts): LogIdentity {
  let witness: Witness | undefined;
  let isDoubtful = false;
  let doubts = 0;
  let looking: Promise<void> | undefined;
  let found: OtherLogError | undefined;

  async function look(): Promise<void> {
    const [sought, doubtsBefore] = [witness, doubts];
    const event = sought && (await readEvent(sought.stream, sought.revision));
    if (!sought || event?.id === sought.id) {
      // A doubt that came meanwhile is a new one.
      if (doubts === doubtsBefore) isDoubtful = false;
      return;
    }
    found ??= new OtherLogError(sought.stream, sought.revision);
    onOtherLog(found);
  }

  function doubt(): void {
    doubts++;
    isDoubtful = true;
  }

  return {
    doubt,
    noteEnd(last) {
      if (witness && isBefore(last, witness.position)) doubt();
    },
    async assure() {
      if (isDoubtful && !found) {
        looking ??= look().finally(() => {
          looking = undefined;
        });
      }
      await looking;
      if (found) throw found;
    },
    noteRecord(record) {
      if (!isDoubtful && !found && isBefore(witness?.position ?? null, record.position)) witness = record;
    },
    noteEvent(event) {
      // What is read during a doubt may come from another database.
      if (isDoubtful || found) return;
      const position = positionOfEvent(event);
      if (!isBefore(witness?.position ?? null, position)) return;
      witness = { stream: event.streamId, revision: Number(event.revision), id: event.id, position };
    },
  };
}

import type { EventLog } from '../../event-log/port/event-log.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { ProjectionStatus } from '../../read-models/projector/projection-status.ts';

interface ReadModelWarningParts {
  /** Every append may leave a read model behind. */
  readonly log: Pick<EventLog, 'onCommitted'>;
  readonly readStatuses: () => Promise<readonly ProjectionStatus[]>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
}

export interface ReadModelWarning {
  /** The statuses of all read models, and whether one of them does not follow the log. */
  look(): Promise<{ readonly statuses: readonly ProjectionStatus[]; readonly isBehind: boolean }>;
  close(): void;
}

const STILL_MS = 60_000;
const LOOK_EVERY_MS = 5000;

/**
 * Warns while a read model does not follow the log: it has stopped, or its writes are refused and tried again, or it is
 * behind and has not moved for a minute. Polls every few seconds while a read model is behind. The first call also finds
 * read models that were behind before anything was appended.
 */
export function createReadModelWarning({ log, readStatuses, now, setTimer }: ReadModelWarningParts): ReadModelWarning {
  /** The read models that are behind: the position of each, and since when it has stood there. */
  let behind = new Map<string, { readonly position: bigint | null; readonly since: number }>();
  let cancel: (() => void) | undefined;
  let isClosed = false;
  /** The last statuses; they stay while the log or the store cannot be read. */
  let statuses: readonly ProjectionStatus[] = [];

  async function look() {
    statuses = await readStatuses().catch(() => statuses);
    const at = now();
    const before = behind;
    behind = new Map();
    let isBehind = false;
    for (const { name, state, reason, position, lag_events } of statuses) {
      if (state === 'stopped' || reason !== undefined) isBehind = true;
      if (lag_events === 0) continue;
      const known = before.get(name);
      const since = known && known.position === position ? known.since : at;
      behind.set(name, { position, since });
      if (at - since >= STILL_MS) isBehind = true;
    }
    if (behind.size > 0 && !isClosed) cancel ??= setTimer(lookAgain, LOOK_EVERY_MS);
    return { statuses, isBehind };
  }

  function lookAgain(): void {
    cancel = undefined;
    void look();
  }

  const stopListening = log.onCommitted(() => {
    // One look for many commits, after the followers have had a moment.
    if (!isClosed) cancel ??= setTimer(lookAgain, LOOK_EVERY_MS);
  });
  return {
    look,
    close(): void {
      isClosed = true;
      stopListening();
      cancel?.();
    },
  };
}

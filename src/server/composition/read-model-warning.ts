import type { EventLog } from '../../event-log/port/event-log.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { ProjectionStatus } from '../../read-models/projector/projection-status.ts';

interface ReadModelWarningParts {
  /** Every append may leave a read model behind. */
  readonly log: Pick<EventLog, 'onCommitted'>;
  readonly status: () => readonly ProjectionStatus[];
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
}

const STILL_MS = 60_000;
const LOOK_EVERY_MS = 5000;

/**
 * Warns while a read model does not follow the log: it has stopped, or its writes are refused and tried again, or it is
 * behind and has not moved for a minute. Polls every few seconds while a read model is behind. The first call also finds
 * read models that were behind before anything was appended.
 */
export function createReadModelWarning({ log, status, now, setTimer }: ReadModelWarningParts) {
  /** The read models that are behind: the position of each, and since when it has stood there. */
  let behind = new Map<string, { readonly position: bigint | null; readonly since: number }>();
  let cancel: (() => void) | undefined;
  let isClosed = false;

  function look(): boolean {
    const at = now();
    const before = behind;
    behind = new Map();
    let holds = false;
    for (const { name, state, reason, position, lag_events } of status()) {
      if (state === 'stopped' || reason !== undefined) holds = true;
      if (lag_events === 0) continue;
      const known = before.get(name);
      const since = known && known.position === position ? known.since : at;
      behind.set(name, { position, since });
      if (at - since >= STILL_MS) holds = true;
    }
    if (behind.size > 0 && !isClosed) cancel ??= setTimer(lookAgain, LOOK_EVERY_MS);
    return holds;
  }

  function lookAgain(): void {
    cancel = undefined;
    look();
  }

  const stopListening = log.onCommitted(() => {
    // After the runner has been notified too.
    if (cancel === undefined) queueMicrotask(look);
  });
  return {
    sign: (): 'read_model' | undefined => (look() ? 'read_model' : undefined),
    close(): void {
      isClosed = true;
      stopListening();
      cancel?.();
    },
  };
}

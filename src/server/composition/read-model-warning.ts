import type { EventLog } from '../../event-log/port/event-log.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { ProjectionStatus } from '../../read-models/projector/projection-status.ts';

interface ReadModelWarningParts {
  /** What is appended may leave a read model behind. */
  readonly log: Pick<EventLog, 'onCommitted'>;
  readonly status: () => readonly ProjectionStatus[];
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
}

const STILL_MS = 60_000;
const LOOK_EVERY_MS = 5000;

/**
 * Tells while a read model does not follow the log: it has stopped, what it wants to store is refused and tried again, or
 * it is behind and has not moved for a minute. While one is behind they are looked at every few seconds; what is behind
 * before anything is appended is found by the first question.
 */
export function createReadModelWarning({ log, status, now, setTimer }: ReadModelWarningParts) {
  /** Of those that are behind: where each stands, and since when it has been seen there. */
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
    // When the runner has heard of it as well.
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

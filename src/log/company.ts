import type { LogRecord } from '../domain/record.ts';
import type { SetTimer } from '../time/timer.ts';
import type { CommitListener, EventLog } from './event-log.ts';

export interface CompanyOptions {
  /** Whether a record is to be told of at once. Others wait for company. */
  readonly isUrgent: (record: LogRecord) => boolean;
  /** So many wait no longer; default 64: so many are folded and committed within some milliseconds, in which nothing
   *  else runs. */
  readonly enough?: number | undefined;
  /** The longest that a record waits, in milliseconds; default 25. */
  readonly patience?: number | undefined;
  readonly setTimer: SetTimer;
}

/** `onCommitted` that holds back records for which nobody waits, to tell of several at once, in their order. */
export function inCompany(onCommitted: EventLog['onCommitted'], options: CompanyOptions): EventLog['onCommitted'] {
  const { isUrgent, enough = 64, patience = 25, setTimer } = options;
  return (listener) => {
    let held: Parameters<CommitListener>[] = [];
    let count = 0;
    let cancelTimer: (() => void) | undefined;

    function forget(): Parameters<CommitListener>[] {
      const all = held;
      held = [];
      count = 0;
      cancelTimer?.();
      cancelTimer = undefined;
      return all;
    }

    function tell(): void {
      for (const commit of forget()) listener(...commit);
    }

    const leave = onCommitted((records, previous) => {
      held.push([records, previous]);
      count += records.length;
      if (count >= enough || records.some(isUrgent)) tell();
      else cancelTimer ??= setTimer(tell, patience);
    });
    return () => {
      leave();
      forget();
    };
  };
}

import { DAY, HOUR } from '../../domain/primitives/time.ts';
import type { SetTimer } from '../../platform/async/timer.ts';

/** What came of a drill: the newest backup was restored, verified and thrown away. */
export interface DrillOutcome {
  /** Milliseconds since 1970; when it ended. */
  readonly at: number;
  /** The last position that was restored; null: none was. */
  readonly records: number | null;
  /** Null: all is well. */
  readonly problem: string | null;
}

interface DrillParts {
  /** Of the last one; undefined: there was none. */
  readonly last: DrillOutcome | undefined;
  /** Whether there is a backup that holds everything. */
  readonly isBackedUp: () => boolean;
  /** It does not reject. */
  readonly drill: (signal: AbortSignal) => Promise<DrillOutcome>;
  /** Keeps an outcome beyond a restart. */
  readonly keep: (outcome: DrillOutcome) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
}

export interface BackupDrills {
  /** Of the last one; undefined: there was none. */
  last(): DrillOutcome | undefined;
  /** Ends the one that runs; it has no outcome then. */
  close(): Promise<void>;
}

const WEEK_MS = 7 * DAY;
const FIRST_LOOK_MS = 10_000;
const LOOK_EVERY_MS = HOUR;

/** Drills once a week, also across restarts. */
export function startDrills({ isBackedUp, drill, keep, now, setTimer, ...parts }: DrillParts): BackupDrills {
  const closing = new AbortController();
  let { last } = parts;
  let running: Promise<void> = Promise.resolve();
  let cancel = setTimer(look, FIRST_LOOK_MS);

  /** A clock that was put back makes no drill wait for longer. */
  function isDue(): boolean {
    // What has failed is tried again soon: it may have been the network.
    if (!last || last.problem !== null) return true;
    const age = now() - last.at;
    return age < 0 || age >= WEEK_MS;
  }

  function look(): void {
    if (!isBackedUp()) cancel = setTimer(look, FIRST_LOOK_MS);
    else if (!isDue()) cancel = setTimer(look, LOOK_EVERY_MS);
    else running = drillNow();
  }

  async function drillNow(): Promise<void> {
    const outcome = await drill(closing.signal);
    if (closing.signal.aborted) return;
    last = outcome;
    keep(outcome);
    cancel = setTimer(look, LOOK_EVERY_MS);
  }

  return {
    last: () => last,
    async close() {
      closing.abort();
      cancel();
      await running;
    },
  };
}

import { createKeyedSequentialQueue } from '../../platform/async/concurrency.ts';
import { pauseFor, realTimer, type SetTimer } from '../../platform/async/timer.ts';

/** The turns of the appends to each stream. */
interface StreamTurns {
  /** Runs one after another, in the order of the calls, what is for one stream. */
  inTurn<T>(stream: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when all work that was queued until now is done. */
  settled(): Promise<void>;
}

/** After this long without a pause between its turns, a stream is left to other processes for a moment. */
const MAX_STREAK_MS = 250;
/** The longest time that others wait between two attempts: see the appender. */
const OTHERS_PAUSE_MS = 10;
const MAX_GAP_MS = 40;

/**
 * Within a process appends to a stream never conflict, because they take turns. Another process that appends to the
 * stream needs a read and an append, and this process only an append. So the other one would never get in while this
 * one has appends waiting: from time to time it is left a gap of its two round trips.
 */
export function createStreamTurns(
  elapsed: () => number = () => performance.now(),
  setTimer: SetTimer = realTimer,
): StreamTurns {
  const queue = createKeyedSequentialQueue<string>();
  const streaks = new Map<string, { since: number; waiting: number }>();

  return {
    inTurn(stream, work) {
      const streak = streaks.get(stream) ?? { since: elapsed(), waiting: 0 };
      streaks.set(stream, streak);
      streak.waiting++;
      return queue.inTurn(stream, async () => {
        const begun = elapsed();
        try {
          return await work();
        } finally {
          const isLast = --streak.waiting === 0;
          if (isLast) streaks.delete(stream);
          else if (elapsed() - streak.since > MAX_STREAK_MS) {
            // The gap comes behind the turns that wait already, so no result waits for it.
            const gap = Math.min(MAX_GAP_MS, 2 * (elapsed() - begun) + OTHERS_PAUSE_MS);
            void queue.inTurn(stream, () => pauseFor(setTimer, gap));
            streak.since = elapsed() + gap;
          }
        }
      });
    },
    settled: () => queue.settled(),
  };
}

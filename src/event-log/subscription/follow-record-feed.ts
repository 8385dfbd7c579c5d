import type { Position } from '../../domain/event-sourcing/position.ts';
import { UnknownEventVersion } from '../../domain/event-sourcing/upcast.ts';
import { backoffAfter, type Delay } from '../../platform/async/retry.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { RecordFeed, RecordFeedMessage, RecordFeedOptions, StartPositionOf } from './record-feed.ts';

interface FollowRecordFeedOptions extends RecordFeedOptions {
  /** Ends the following without an error. */
  readonly signal: AbortSignal;
  /** Waits between attempts. */
  readonly delay: Delay;
  /** Called before each wait, so that no wait goes unreported. */
  readonly onRetry: (error: unknown, attempt: number) => void;
}

/**
 * Passes every message of the feed to `handle`, one after another. If the feed or `handle` fails, begins again after a
 * delay that grows until an attempt succeeds. It begins after the last handled message; for a member of a group, at the
 * position that `after` then returns. So `handle` may get a message again that it has handled in part.
 * @throws UnknownEventVersion when this code cannot read a record: trying again would not help
 */
export async function followRecordFeed(
  feed: RecordFeed,
  options: FollowRecordFeedOptions,
  handle: (message: RecordFeedMessage) => Promise<void> | void,
): Promise<void> {
  const { signal, delay, onRetry } = options;
  const handled = new Map<string, Position | null>();
  const begin = options.after === 'now' ? endPositionsOf(feed) : options.after;
  // Another member of the group may have had the partition meanwhile, so only the group's store knows the position.
  const hasOwnPositions = options.readers === 'all' || options.after === 'now';
  const after: StartPositionOf = (partition) =>
    hasOwnPositions && handled.has(partition) ? handled.get(partition)! : begin(partition);
  let attempt = 0;

  async function subscribeOnce(): Promise<void> {
    const subscription = feed.subscribe({ ...options, after });
    try {
      for await (const message of subscription) {
        await handle(message);
        handled.set(message.partition, message.position);
        attempt = 0;
        // In a long run of unwanted messages nothing else would yield to the event loop.
        await yieldToEventLoop();
      }
    } finally {
      await subscription.return();
    }
  }

  while (!signal.aborted) {
    try {
      await subscribeOnce();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof UnknownEventVersion) throw error;
      onRetry(error, ++attempt);
      // Only the abort signal rejects the delay.
      await delay(backoffAfter(attempt), signal).catch(() => {});
    }
  }
}

/**
 * The end positions at the first call. Without them, a feed that fails before its first message would begin after
 * records that came meanwhile.
 */
function endPositionsOf(feed: RecordFeed): StartPositionOf {
  let ends: ReturnType<RecordFeed['endPositions']> | undefined;
  return async (partition) => {
    ends ??= feed.endPositions().catch((error: unknown) => {
      ends = undefined;
      throw error;
    });
    return (await ends).get(partition) ?? null;
  };
}

/** How far a follower of the log is, apart from the projections. */
export interface FollowerStatus {
  readonly name: string;
  /** The follower has processed everything up to here; null: nothing yet. */
  readonly position: Position | null;
  /** `idle`: nobody needs the follower, so it does not run. `stopped`: it met a record that it cannot read. */
  readonly state: 'catching-up' | 'live' | 'idle' | 'stopped';
}

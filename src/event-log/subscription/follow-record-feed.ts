import type { Position } from '../../domain/event-sourcing/position.ts';
import { UnknownEventVersion } from '../../domain/event-sourcing/upcast.ts';
import { backoffAfter, type Delay } from '../../platform/async/retry.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { RecordFeed, RecordFeedMessage, RecordFeedOptions, StartPositionOf } from './record-feed.ts';

interface FollowRecordFeedOptions extends RecordFeedOptions {
  /** Ends it, without an error. */
  readonly signal: AbortSignal;
  /** Waits between attempts. */
  readonly delay: Delay;
  /** Before each wait, so that nothing waits unseen. */
  readonly onRetry: (error: unknown, attempt: number) => void;
}

/**
 * Hands every message of the feed to `handle`, one after another. When the feed or `handle` fails, it begins again behind
 * the last message that was handled, or for a member of a group where `after` says by then, after a delay that grows while
 * nothing succeeds. So `handle` may get a message again that it has handled in part.
 * @throws UnknownEventVersion a record that this code cannot read: trying again would not help
 */
export async function followRecordFeed(
  feed: RecordFeed,
  options: FollowRecordFeedOptions,
  handle: (message: RecordFeedMessage) => Promise<void> | void,
): Promise<void> {
  const { signal, delay, onRetry } = options;
  const handled = new Map<string, Position | null>();
  const begin = options.after === 'now' ? endPositionsOf(feed) : options.after;
  // A partition of a group may have been somebody else's meanwhile: where it goes on, only what the group stores tells.
  const isOwn = options.readers === 'all' || options.after === 'now';
  const after: StartPositionOf = (partition) =>
    isOwn && handled.has(partition) ? handled.get(partition)! : begin(partition);
  let attempt = 0;

  async function subscribeOnce(): Promise<void> {
    const subscription = feed.subscribe({ ...options, after });
    try {
      for await (const message of subscription) {
        await handle(message);
        handled.set(message.partition, message.position);
        attempt = 0;
        // Of a long stretch in which nothing is wanted nobody else would make a turn.
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
      // Cut short by the end only.
      await delay(backoffAfter(attempt), signal).catch(() => {});
    }
  }
}

/** Where all partitions ended when the first of them was asked for: what comes later must not be passed over when the
 *  feed fails before the first message. */
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

/** How far something is that follows the log beside the projections. */
export interface FollowerStatus {
  readonly name: string;
  /** Up to it all has been looked at; null: nothing yet. */
  readonly position: Position | null;
  /** `idle`: it follows nothing, for nobody needs it. `stopped`: it has met what it cannot read. */
  readonly state: 'catching-up' | 'live' | 'idle' | 'stopped';
}

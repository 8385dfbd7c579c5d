import { ONE_PARTITION } from '../../domain/event-sourcing/partition-of.ts';
import type { Position } from '../../domain/event-sourcing/position.ts';
import type { EventLog } from '../port/event-log.ts';
import { type LogSubscription, type LogSubscriptionMessage, subscribeToLog } from './log-subscription.ts';
import type { RecordFeed, RecordFeedMessage, RecordFeedOptions, RecordFeedSubscription } from './record-feed.ts';

/** The log itself as a feed with one partition, in this process. Every member of a group gets that partition. */
export function createLogFeed(
  log: Pick<EventLog, 'readAllFrom' | 'onCommitted' | 'onUnannounced' | 'head'>,
): RecordFeed {
  return {
    endPositions: async () => new Map([[ONE_PARTITION, await log.head()]]),
    subscribe: (options) => subscribeByPartition(log, options),
  };
}

function subscribeByPartition(
  log: Parameters<typeof createLogFeed>[0],
  options: RecordFeedOptions,
): RecordFeedSubscription {
  let subscription: LogSubscription | undefined;
  let beginning: Promise<void> | undefined;
  let isOver = false;

  function begin(after: Position | null): void {
    subscription = subscribeToLog(log, { ...options, after });
  }

  /**
   * Begin synchronously if the position is known: from the first `next` on, the subscription must see all
   * announcements.
   */
  function start(): void {
    const position = options.after === 'now' ? log.head() : options.after(ONE_PARTITION);
    if (position instanceof Promise) beginning = position.then(begin);
    else begin(position);
    options.onAssigned?.(new Set([ONE_PARTITION]));
  }

  return {
    async next() {
      if (isOver) return { done: true, value: undefined };
      if (!subscription && !beginning) start();
      if (!subscription) await beginning;
      // The subscription was ended while the position was being read.
      if (isOver) await subscription!.return();
      const { done, value } = await subscription!.next();
      return done ? { done, value: undefined } : { done: false, value: withPartition(value) };
    },
    async return() {
      isOver = true;
      await beginning?.catch(() => {});
      await subscription?.return();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const withPartition = (message: LogSubscriptionMessage): RecordFeedMessage => ({
  ...message,
  partition: ONE_PARTITION,
});

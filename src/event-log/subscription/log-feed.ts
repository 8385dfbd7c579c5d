import { ONE_PARTITION } from '../../domain/event-sourcing/partition-of.ts';
import type { Position } from '../../domain/event-sourcing/position.ts';
import type { EventLog } from '../port/event-log.ts';
import { type LogSubscription, type LogSubscriptionMessage, subscribeToLog } from './log-subscription.ts';
import type { RecordFeed, RecordFeedMessage, RecordFeedOptions, RecordFeedSubscription } from './record-feed.ts';

/** The log itself as a feed, in this process, with one partition. Every member of a group gets that. */
export function createLogFeed(log: Pick<EventLog, 'readAllFrom' | 'onCommitted' | 'head'>): RecordFeed {
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

  /** At once where the place is known: what is announced from the first `next` on must find it listening. */
  function start(): void {
    const place = options.after === 'now' ? log.head() : options.after(ONE_PARTITION);
    if (place instanceof Promise) beginning = place.then(begin);
    else begin(place);
    options.onAssigned?.(new Set([ONE_PARTITION]));
  }

  return {
    async next() {
      if (isOver) return { done: true, value: undefined };
      if (!subscription && !beginning) start();
      if (!subscription) await beginning;
      // Ended while the place was being asked for.
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

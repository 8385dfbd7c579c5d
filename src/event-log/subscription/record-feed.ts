import type { Position } from '../../domain/event-sourcing/position.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import type { LogSubscriptionMessage, LogSubscriptionOptions } from './log-subscription.ts';

/** A message of one partition. Its positions rise within the partition; between partitions nothing is promised. */
export type RecordFeedMessage = LogSubscriptionMessage & { readonly partition: string };

/** Where a reader of a partition goes on: behind this position (exclusive); null: at its start. */
export type StartPositionOf = (partition: string) => Awaitable<Position | null>;

export interface RecordFeedOptions extends Omit<LogSubscriptionOptions, 'after'> {
  /** Members of a group share the partitions between them; to `all` readers of this kind every partition comes. */
  readonly readers: 'all' | { readonly group: string };
  /** Asked for each partition when it is assigned, which may happen again. `now`: behind what there is. */
  readonly after: 'now' | StartPositionOf;
  /** Told all partitions that this member has now, whenever that has changed and before it gets anything of a new one: what
   *  is no longer among them comes to somebody else. */
  readonly onAssigned?: ((partitions: ReadonlySet<string>) => void) | undefined;
}

export interface RecordFeedSubscription extends AsyncIterableIterator<RecordFeedMessage> {
  /** Ends it, also while a `next` is waiting. When it resolves the subscription no longer uses the feed. */
  return(): Promise<IteratorResult<RecordFeedMessage, undefined>>;
}

/**
 * Brings the records of the log to those who process them, by partition: all records with the same `meta.partition` come
 * in one partition, in the order of the log. Names of partitions are opaque.
 *
 * After its place a reader gets every record of the partition at least once; whoever gets a message twice knows it by
 * its position. A partition that goes over to another member of a group may come to both for a while: what a group
 * stores must be fenced by the store.
 */
export interface RecordFeed {
  /** The position of the last record of each partition, now; null: it is empty. */
  endPositions(): Promise<ReadonlyMap<string, Position | null>>;
  /** An error of the feed ends the subscription: subscribe again behind the last positions (see `follow`). */
  subscribe(options: RecordFeedOptions): RecordFeedSubscription;
}

import type { Position } from '../domain/position.ts';
import type { Awaitable } from '../platform/time/awaitable.ts';
import type { SubscribeOptions, SubscriptionMessage } from './subscription.ts';

/** A message of one partition. Its positions rise within the partition; between partitions nothing is promised. */
export type FeedMessage = SubscriptionMessage & { readonly partition: string };

/** Where a reader of a partition goes on: behind this position (exclusive); null: at its start. */
export type PlaceOf = (partition: string) => Awaitable<Position | null>;

export interface FeedOptions extends Omit<SubscribeOptions, 'after'> {
  /** Members of a group share the partitions between them; to `all` readers of this kind every partition comes. */
  readonly readers: 'all' | { readonly group: string };
  /** Asked for each partition when it is assigned, which may happen again. `now`: behind what there is. */
  readonly after: 'now' | PlaceOf;
  /** Told all partitions that this member has now, whenever that has changed and before it gets anything of a new one: what
   *  is no longer among them comes to somebody else. */
  readonly onAssigned?: ((partitions: ReadonlySet<string>) => void) | undefined;
}

export interface FeedSubscription extends AsyncIterableIterator<FeedMessage> {
  /** Ends it, also while a `next` is waiting. When it resolves the subscription no longer uses the feed. */
  return(): Promise<IteratorResult<FeedMessage, undefined>>;
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
  ends(): Promise<ReadonlyMap<string, Position | null>>;
  /** An error of the feed ends the subscription: subscribe again behind the last positions (see `follow`). */
  subscribe(options: FeedOptions): FeedSubscription;
}

import type { Position } from '../../domain/event-sourcing/position.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import type { LogSubscriptionMessage, LogSubscriptionOptions } from './log-subscription.ts';

/** A message of one partition. Positions rise within a partition; between partitions nothing is promised. */
export type RecordFeedMessage = LogSubscriptionMessage & { readonly partition: string };

/** The position after which a reader of a partition begins (exclusive); null: at its start. */
export type StartPositionOf = (partition: string) => Awaitable<Position | null>;

export interface RecordFeedOptions extends Omit<LogSubscriptionOptions, 'after'> {
  /** The members of a group share the partitions. Each reader with `all` gets every partition. */
  readonly readers: 'all' | { readonly group: string };
  /** Called for each partition whenever it is assigned, which may happen again. `now`: after the existing records. */
  readonly after: 'now' | StartPositionOf;
  /**
   * Called with all partitions of this member whenever they change, before it gets a message of a new one. Partitions
   * that are no longer among them belong to other members.
   */
  readonly onAssigned?: ((partitions: ReadonlySet<string>) => void) | undefined;
}

export interface RecordFeedSubscription extends AsyncIterableIterator<RecordFeedMessage> {
  /**
   * Ends the subscription, even while a `next` is waiting. When this resolves, the subscription no longer uses the
   * feed.
   */
  return(): Promise<IteratorResult<RecordFeedMessage, undefined>>;
}

/**
 * Brings the records of the log to their processors, by partition: all records with the same `meta.partition` come in
 * one partition, in the order of the log. Names of partitions are opaque.
 *
 * A reader gets every record after its start position at least once, and recognizes a repeated message by its position.
 * A partition that moves to another member of a group may come to both members for a while, so the group's store must
 * fence its writes.
 */
export interface RecordFeed {
  /** The current position of each partition's last record; null if the partition is empty. */
  endPositions(): Promise<ReadonlyMap<string, Position | null>>;
  /** An error of the feed ends the subscription: subscribe again after the last positions (see `followRecordFeed`). */
  subscribe(options: RecordFeedOptions): RecordFeedSubscription;
}

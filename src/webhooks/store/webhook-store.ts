import type { DeliveryFilter } from '../../api/calls/services/webhook-services.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import type { WebhookEventType } from '../../domain/webhook-types.ts';
import type { ShardLease } from './webhook-shards.ts';

/** Someone's wish to be told, and where. Times are milliseconds. */
export interface WebhookSubscription {
  readonly id: number;
  readonly accountId: number;
  /** Of the key that made it: sport slugs, or `all`. */
  readonly scopes: readonly string[];
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[];
  readonly sport: string | null;
  readonly eventId: number | null;
  /** `whsec_` + base64. Stored encrypted. */
  readonly secret: string;
  /** The one before it, which still signs until then. */
  readonly previousSecret: { readonly secret: string; readonly until: number } | null;
  readonly createdAt: number;
  /** The log's end when it was made: it is told of what comes after. */
  readonly createdAfter: bigint | null;
  readonly isActive: boolean;
  /** Why and when it was deactivated: `gone` (410), or `failing` (nothing but failures for 5 days). */
  readonly deactivated: { readonly reason: 'gone' | 'failing'; readonly at: number } | null;
  /** Since when nothing but failures came back; null: the last attempt succeeded, or there was none. */
  readonly failingSince: number | null;
}

export type NewSubscription = Pick<
  WebhookSubscription,
  'accountId' | 'scopes' | 'url' | 'eventTypes' | 'sport' | 'eventId' | 'secret' | 'createdAt' | 'createdAfter'
> & {
  /** The run that makes it: what the account has made in the same run before is given in its place. */
  readonly run?: string;
};

/** Something that one subscription is to be told: stored before it is tried, with the exact bytes. */
export interface WebhookMessage {
  readonly id: number;
  /** In the header `webhook-id`: the same in every attempt, and in every replay. */
  readonly webhookId: string;
  readonly subscriptionId: number;
  readonly eventType: WebhookEventType | 'test';
  readonly eventId: number | null;
  readonly body: string;
  readonly createdAt: number;
  /** Attempts made so far. */
  readonly attempts: number;
  /** When the next one is due; null: nothing is to be done any more. */
  readonly nextAttemptAt: number | null;
  /** Row of the last attempt. */
  readonly lastDeliveryId: number | null;
  /** There is a charge for it (see `Charge`), taken or not: sending it again costs nothing. */
  readonly isPaid: boolean;
}

/** What a delivery costs: one for each webhook id. It outlives its message and its subscription. */
export interface DeliveryCharge {
  readonly webhookId: string;
  /** What was delivered. */
  readonly eventType: WebhookMessage['eventType'];
  readonly accountId: number;
  readonly credits: number;
  /** Of the attempt that succeeded. Milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly statusCode: number;
}

export type NewMessage = Pick<
  WebhookMessage,
  'webhookId' | 'subscriptionId' | 'eventType' | 'eventId' | 'body' | 'createdAt'
>;

/** One attempt made. */
export interface DeliveryRow {
  readonly id: number;
  readonly subscriptionId: number;
  readonly messageId: number;
  readonly eventType: WebhookEventType | 'test';
  readonly eventId: number | null;
  /** From 1. */
  readonly attempt: number;
  readonly parentDeliveryId: number | null;
  readonly statusCode: number | null;
  readonly success: boolean;
  readonly error: string | null;
  readonly givenUp: boolean;
  readonly nextRetryAt: number | null;
  /** When the attempt ended. */
  readonly deliveredAt: number;
}

/** What an attempt came to, and what follows from it. */
export interface DeliveryAttempt {
  readonly message: WebhookMessage;
  readonly statusCode: number | null;
  readonly success: boolean;
  readonly error: string | null;
  /** Milliseconds. */
  readonly at: number;
  /** When it is tried again; null: never. */
  readonly retryAt: number | null;
  /** No retry is left. */
  readonly givenUp: boolean;
  /** The subscription ends with it. */
  readonly deactivate?: 'gone' | 'failing';
  /** Nothing was sent: it says nothing of the endpoint, so `failingSince` stays as it is. */
  readonly skipped?: true;
  /** To be taken: stored as pending with the row, for the ledger is another store. */
  readonly charge?: DeliveryCharge;
}

export interface DeliveryQuery extends DeliveryFilter {
  readonly subscriptionId: number;
  /** Only attempts that ended later than this. Milliseconds. */
  readonly endedAfter?: number;
}

/** What of the messages that are due is wanted. */
interface DueFilter {
  /** Of these subscriptions alone: ids. */
  readonly onlySubscriptions?: ReadonlySet<number>;
  /** But for these messages, which are at hand already: ids. */
  readonly exceptMessages?: ReadonlySet<number>;
  /** At most so many of all subscriptions together: the first ones. */
  readonly maxMessages?: number;
}

/** What bounds a replay. Milliseconds. */
export interface ReplayLimits {
  /** Messages made later than this are sent again, and of the others those whose retries are still due. */
  readonly keptAfter: number;
  /** So many replays of a subscription may begin after `since`, this one counted. */
  readonly maxReplays: number;
  readonly since: number;
}

/** What is kept no longer: all of these times or before. Milliseconds. */
export interface PruneCutoffs {
  /** Messages made then, but for those whose retries are still due. */
  readonly messages: number;
  /** Rows of attempts that ended then. */
  readonly deliveries: number;
  /** Replays that began then. */
  readonly replays: number;
}

/** Up to where a publisher has looked. Positions of one partition can be compared, and nothing else. */
export interface PublisherPosition {
  readonly partition: string;
  readonly position: bigint;
}

/** Milliseconds. */
export const MAX_CLOCK_LEAD = 5 * MINUTE;

/**
 * When what is published at `at` is made, and due at first: not before what was published before it in its partition,
 * but where that was made by a clock that was far ahead. All in milliseconds.
 */
export const publicationTime = (before: number | undefined, at: number): number =>
  before === undefined || before - at > MAX_CLOCK_LEAD ? at : Math.max(before, at);

/** The account has as many active subscriptions as it may have. */
export class TooManySubscriptions extends Error {
  constructor(most: number) {
    super(`there are ${most} active subscriptions already`);
    this.name = 'TooManySubscriptions';
  }
}

/** The subscription is not active, or has a message of this name. */
export class MessageNotAdded extends Error {
  constructor(subscriptionId: number) {
    super(`subscription ${subscriptionId} is not active, or has this message already`);
    this.name = 'NotAdded';
  }
}

/** Some messages of the last replay had no attempt yet. */
export class ReplayRunning extends Error {
  constructor() {
    super('the replay before this one is not over');
    this.name = 'ReplayRunning';
  }
}

/** As many replays have begun as may. */
export class TooManyReplays extends Error {
  /** When the oldest of them began. Milliseconds. */
  readonly oldest: number;
  constructor(oldest: number) {
    super('there were too many replays of late');
    this.name = 'TooManyReplays';
    this.oldest = oldest;
  }
}

/** Subscriptions, what they are due, and what became of it. Several processes may use it at once. */
export interface WebhookStore {
  /**
   * @param most active subscriptions that the account may have; left out: any number
   * @throws TooManySubscriptions
   */
  create(subscription: NewSubscription, most?: number): Promise<WebhookSubscription>;
  find(id: number): Promise<WebhookSubscription | undefined>;
  list(accountId: number): Promise<readonly WebhookSubscription[]>;
  /** All that are told of something. */
  active(): Promise<readonly WebhookSubscription[]>;
  /**
   * Differs from what it was whenever `active` may give something else than it did, whichever process changed it. Asked
   * for with every batch of records, so that one made a moment ago is told of the next record: to be cheap.
   */
  activeVersion(): Promise<number>;
  /** Drops what is pending too. False when there is none of that account. */
  remove(id: number, accountId: number): Promise<boolean>;
  /** @param run that it is of: in one run a secret is made once */
  rotate(id: number, secret: string, previousUntil: number, run?: string): Promise<void>;

  /** Up to where each partition has been looked at; one where nothing has been looked at is missing. */
  publisherPositions(): Promise<ReadonlyMap<string, bigint>>;
  /**
   * Messages and the publisher's place, together: a crash in between would lose some, or make them twice. A message
   * whose webhook id and subscription stand there already is passed over, and one whose subscription is not active any
   * more. The place never goes back, and that of another partition stays. Messages of a partition are due in the order
   * in which they were published, also when the clock of whoever publishes is behind: see `publishedAt`.
   */
  publish(messages: readonly NewMessage[], place: PublisherPosition): Promise<void>;
  /** One message beside the publisher's, due at once: a test. @throws NotAdded */
  add(message: NewMessage): Promise<WebhookMessage>;
  /**
   * Messages of active subscriptions that are due by `now`: of each subscription the first `limit`, ordered by
   * `nextAttemptAt` and then `id`, so that thousands that wait for one endpoint hide nobody else's.
   * @param except subscriptions that are passed over: ids
   * @param shards of the subscriptions that are looked at; left out: all
   */
  due(
    now: number,
    limit: number,
    except: ReadonlySet<number>,
    shards?: ReadonlySet<number>,
    choice?: DueFilter,
  ): Promise<readonly WebhookMessage[]>;
  /** When the first message of an active subscription (of these shards) is due later than `after`; null: none is. */
  nextDueAt(after: number, shards?: ReadonlySet<number>): Promise<number | null>;

  /**
   * Leases a fair share of the shards to a dispatcher, or renews what it holds: `SHARDS` over the number of dispatchers
   * whose leases are in force. A shard never has two holders. A dispatcher gets what is free at once, and what another
   * one has too many of when that one has released it. Whoever claims too late keeps what nobody else has claimed for
   * since; when somebody has, everything that was held is lost, and what is leased anew has another epoch.
   * @param owner names one process, whose calls follow each other. A process that claims by the name of one that is no
   *   more takes its lease over
   * @param now milliseconds. The clocks of all processes are taken for the same
   * @param forMs how long it holds unless it is renewed; `Infinity`: for good
   */
  claim(owner: string, now: number, forMs: number): Promise<ShardLease>;
  /** Gives these of its shards back, for others to claim; left out: all, and its lease with them. */
  release(owner: string, shards?: ReadonlySet<number>): Promise<void>;
  /**
   * The rows of these attempts in this order, what follows for their messages, the charges, and the subscriptions'
   * health, together. The row before an attempt has its `next_retry_at` cleared. One with `deactivate` ends all that its
   * subscription has pending: messages are due no more, and no row has a `next_retry_at`; a `retryAt` of an inactive
   * subscription counts as null. Rows of a subscription that was removed meanwhile are dropped, their charges are not.
   * An attempt that is recorded already (the message has more attempts than `message.attempts`) is passed over, so that
   * the call can be repeated when its answer was lost.
   * @param epoch of the lease under which all of them were begun
   * @throws LeaseLost where the lease does not hold the shard of one of them: then none is recorded
   */
  record(attempts: readonly DeliveryAttempt[], epoch: number): Promise<void>;
  /** Charges that are to be taken, the oldest first; of the subscriptions of these shards, where they are given. */
  pendingCharges(limit: number, shards?: ReadonlySet<number>): Promise<readonly DeliveryCharge[]>;
  /** They stand in the ledger. */
  markCharged(webhookIds: readonly string[]): Promise<void>;
  /** Newest first. */
  deliveries(query: DeliveryQuery): Promise<readonly DeliveryRow[]>;
  /** Whose row this is: a subscription; `gone`: there was such a row once; undefined: there never was one. */
  ownerOfDelivery(deliveryId: number): Promise<number | 'gone' | undefined>;
  /**
   * Makes a subscription's messages due again that were made at `from` (milliseconds) or later, or after this row's
   * message: its attempts are counted from 0 again, without a row before them. None of an inactive subscription, and
   * none after a row of another one. It runs until each of them had an attempt, or is due no more.
   * @param terms left out: any number of replays, of all messages that are there
   * @returns how many
   * @throws ReplayRunning, TooManyReplays; what is refused does not count
   */
  replay(
    id: number,
    after: { readonly from: number } | { readonly deliveryId: number },
    now: number,
    terms?: ReplayLimits,
  ): Promise<number>;
  /**
   * Drops what is kept no longer, with the charges of such messages that stand in the ledger: at most `limit` messages,
   * rows and replays each, for nobody else writes meanwhile.
   * @returns whether there may be more
   */
  prune(outdated: PruneCutoffs, limit: number): Promise<boolean>;
  /**
   * Calls back when another process has made something due, of these subscriptions or of any. Some of it may be missed:
   * it hastens what a look finds. Absent: there is no other process. @returns ends it
   */
  onDue?(listener: (subscriptionIds: readonly number[] | undefined) => void): () => void;
}

import type { DeliveryFilter } from '../../api/calls/services/webhook-services.ts';
import type { AlertFilter } from '../../domain/alerts/alert-filter.ts';
import type { AlertFormat } from '../../domain/alerts/alert-formats.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import type { WebhookEventType } from '../../domain/webhook-types.ts';
import type { ShardLease } from './webhook-shards.ts';

/** An account's request for webhooks at a URL. Times are milliseconds. */
export interface WebhookSubscription {
  readonly id: number;
  readonly accountId: number;
  /** The scopes of the key that made it: sport slugs, or `all`. */
  readonly scopes: readonly string[];
  readonly format: AlertFormat;
  /** The address itself. If it has a secret, it is stored encrypted: see `maskAddress`. */
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[];
  readonly sport: string | null;
  readonly eventId: number | null;
  readonly filter: AlertFilter | null;
  /** At most one message about an event in this time; 0: one for each change. */
  readonly quietSeconds: number;
  /** `whsec_` + base64. Stored encrypted. */
  readonly secret: string;
  /** The secret before; it still signs until `until`. */
  readonly previousSecret: { readonly secret: string; readonly until: number } | null;
  readonly createdAt: number;
  /** The end of the log at creation. The subscription gets only later records. */
  readonly createdAfter: bigint | null;
  readonly isActive: boolean;
  /** Why and when it ended. */
  readonly deactivated: { readonly reason: EndReason; readonly at: number } | null;
  /** Since when all attempts failed; null if the last attempt succeeded or there was none. */
  readonly failingSince: number | null;
}

/**
 * `gone`: a 410. `failing`: only failures for 5 days. `refused`: a service refused `MAX_REFUSALS` messages without a success between.
 * `unsubscribed`: who gets the mails ended them.
 */
export type EndReason = 'gone' | 'failing' | 'refused' | 'unsubscribed';

/** Messages that a service may refuse without taking one between. Then its subscription ends. */
export const MAX_REFUSALS = 3;

export type NewSubscription = Pick<
  WebhookSubscription,
  'accountId' | 'scopes' | 'url' | 'eventTypes' | 'sport' | 'eventId' | 'secret' | 'createdAt' | 'createdAfter'
> &
  /** Absent: a webhook that is told of every change. */
  Partial<Pick<WebhookSubscription, 'format' | 'filter' | 'quietSeconds'>> & {
    /** The idempotency run. If the account made a subscription in the same run before, that one is returned. */
    readonly run?: string;
  };

/** A message for one subscription. It is stored with its exact bytes before the first attempt. */
export interface WebhookMessage {
  readonly id: number;
  /** The `webhook-id` header: the same in every attempt and replay. */
  readonly webhookId: string;
  readonly subscriptionId: number;
  readonly eventType: WebhookEventType | 'test';
  readonly eventId: number | null;
  readonly body: string;
  readonly createdAt: number;
  /** Attempts so far. */
  readonly attempts: number;
  /** When the next attempt is due; null if there is none. */
  readonly nextAttemptAt: number | null;
  /** Row id of the last attempt. */
  readonly lastDeliveryId: number | null;
  /** Whether a charge exists (see `DeliveryCharge`), collected or not: sending again costs nothing. */
  readonly isPaid: boolean;
}

/** The cost of a delivery, one per webhook id. It outlives its message and its subscription. */
export interface DeliveryCharge {
  readonly webhookId: string;
  /** The type of the delivered message. */
  readonly eventType: WebhookMessage['eventType'];
  readonly accountId: number;
  readonly credits: number;
  /** Of the successful attempt. Milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly statusCode: number;
}

export type NewMessage = Pick<
  WebhookMessage,
  'webhookId' | 'subscriptionId' | 'eventType' | 'eventId' | 'body' | 'createdAt'
> & {
  /** The change that it tells, if its subscription wants at most one message about an event in so many seconds. */
  readonly quiet?: { readonly seconds: number; readonly position: bigint; readonly index: number };
};

/** One recorded attempt. */
export interface DeliveryRow {
  readonly id: number;
  readonly subscriptionId: number;
  readonly messageId: number;
  readonly eventType: WebhookEventType | 'test';
  readonly eventId: number | null;
  /** Counted from 1. */
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

/** Whether a message about an event may be sent now. */
export type QuietTurn =
  /** The message as it is now: others may have been put into it. */
  | { readonly kind: 'send'; readonly message: WebhookMessage }
  /** Not now: it is due at `at`, or another message says what it said. */
  | { readonly kind: 'later'; readonly at: number };

/** The result of an attempt, and its consequences. */
export interface DeliveryAttempt {
  readonly message: WebhookMessage;
  readonly statusCode: number | null;
  readonly success: boolean;
  readonly error: string | null;
  /** Milliseconds. */
  readonly at: number;
  /** Time of the next attempt; null: none. */
  readonly retryAt: number | null;
  /** All retries are used up. */
  readonly givenUp: boolean;
  /** The attempt ends the subscription. */
  readonly deactivate?: 'gone' | 'failing';
  /** A service refused the message for good. After `MAX_REFUSALS` in a row the subscription ends. */
  readonly refused?: true;
  /** Nothing was sent. This says nothing about the endpoint, so `failingSince` does not change. */
  readonly skipped?: true;
  /** A charge to collect. It is stored as pending with the row, since the ledger is another store. */
  readonly charge?: DeliveryCharge;
}

export interface DeliveryQuery extends DeliveryFilter {
  readonly subscriptionId: number;
  /** Only attempts that ended later. Milliseconds. */
  readonly endedAfter?: number;
}

/** Limits the due messages of a poll. */
interface DueFilter {
  /** Only messages of these subscriptions: ids. */
  readonly onlySubscriptions?: ReadonlySet<number>;
  /** Without these messages, which the caller holds already: ids. */
  readonly exceptMessages?: ReadonlySet<number>;
  /** Maximum of messages of all subscriptions together: the first ones. */
  readonly maxMessages?: number;
}

/** The limits of a replay. Milliseconds. */
export interface ReplayLimits {
  /** Later messages are sent again; of earlier ones, only those with a pending retry. */
  readonly keptAfter: number;
  /** Maximum replays of a subscription after `since`, including this one. */
  readonly maxReplays: number;
  readonly since: number;
}

/** What to delete: everything from these times or earlier. Milliseconds. */
export interface PruneCutoffs {
  /** Creation time of messages, except those with a pending retry. */
  readonly messages: number;
  /** End time of attempts. */
  readonly deliveries: number;
  /** Start time of replays. */
  readonly replays: number;
}

/** A subscription that has ended by itself, and whose owner is to be told. */
export type EndedSubscription = Pick<WebhookSubscription, 'id' | 'accountId' | 'format' | 'url'> & {
  readonly reason: EndReason;
};

/** The position up to which a publisher has read. Only positions of the same partition can be compared. */
export interface PublisherPosition {
  readonly partition: string;
  readonly position: bigint;
}

/** Milliseconds. */
export const MAX_CLOCK_LEAD = 5 * MINUTE;

/**
 * The creation time of a message published at `at`, which is also when it is first due. It is never before that of an
 * earlier message of the partition, unless the earlier time came from a clock that was far ahead. Milliseconds.
 */
export const publicationTime = (before: number | undefined, at: number): number =>
  before === undefined || before - at > MAX_CLOCK_LEAD ? at : Math.max(before, at);

/** The account has the maximum of active subscriptions. */
export class TooManySubscriptions extends Error {
  constructor(max: number) {
    super(`there are ${max} active subscriptions already`);
    this.name = 'TooManySubscriptions';
  }
}

/** The subscription is not active, or has this message already. */
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

/** The maximum of replays has begun. */
export class TooManyReplays extends Error {
  /** When the oldest of these replays began. Milliseconds. */
  readonly oldest: number;
  constructor(oldest: number) {
    super('there were too many replays of late');
    this.name = 'TooManyReplays';
    this.oldest = oldest;
  }
}

/** Stores subscriptions, their messages and deliveries. Several processes may use it at once. */
export interface WebhookStore {
  /**
   * @param max active subscriptions that the account may have; absent: any number
   * @throws TooManySubscriptions
   */
  create(subscription: NewSubscription, max?: number): Promise<WebhookSubscription>;
  find(id: number): Promise<WebhookSubscription | undefined>;
  list(accountId: number): Promise<readonly WebhookSubscription[]>;
  /** All active subscriptions. */
  active(): Promise<readonly WebhookSubscription[]>;
  /**
   * Changes whenever the result of `active` may have changed, in whichever process. The publisher reads it with every
   * batch, so that a new subscription gets the next record. It must therefore be cheap.
   */
  activeVersion(): Promise<number>;
  /** Also deletes what is pending. False if the account has no such subscription. */
  remove(id: number, accountId: number): Promise<boolean>;
  /**
   * Ends a subscription: its messages and rows stay, and nothing is pending any more. Does nothing if it has ended.
   * @param at milliseconds
   */
  end(id: number, reason: EndReason, at: number): Promise<void>;
  /** The first subscriptions whose owners are not told yet that they have ended. */
  endedToMail(limit: number): Promise<readonly EndedSubscription[]>;
  /** Their owners are told. @param at milliseconds */
  markTold(ids: readonly number[], at: number): Promise<void>;
  /** @param run idempotency run: in one run a secret is made once */
  rotate(id: number, secret: string, previousUntil: number, run?: string): Promise<void>;

  /** The positions up to which each partition was read. A partition that was never read is missing. */
  publisherPositions(): Promise<ReadonlyMap<string, bigint>>;
  /**
   * Stores messages and the publisher's position together: a crash between the two would lose messages or make them
   * twice. Skips a message whose webhook id and subscription exist already, or whose subscription is not active any
   * more. The position never moves back, and those of other partitions stay. Messages of a partition are due in the
   * order in which they were published, even if a publisher's clock is behind: see `publicationTime`.
   *
   * Messages with `quiet` are put together with others of their subscription and event: see `planQuietMessages`.
   */
  publish(messages: readonly NewMessage[], position: PublisherPosition): Promise<void>;
  /**
   * Adds one message that is due at once and not from the publisher: a test.
   * @throws MessageNotAdded
   */
  add(message: NewMessage): Promise<WebhookMessage>;
  /**
   * Messages of active subscriptions that are due by `now`: the first `limit` of each subscription, so that thousands
   * waiting for one endpoint do not hide those of others. Ordered by `nextAttemptAt`, then by `id`.
   * @param except subscriptions to skip: ids
   * @param shards of the subscriptions to read; absent: all
   */
  due(
    now: number,
    limit: number,
    except: ReadonlySet<number>,
    shards?: ReadonlySet<number>,
    choice?: DueFilter,
  ): Promise<readonly WebhookMessage[]>;
  /** When the first message of an active subscription (of these shards) is due after `after`; null if there is none. */
  nextDueAt(after: number, shards?: ReadonlySet<number>): Promise<number | null>;

  /**
   * Leases a fair share of the shards to a dispatcher, or renews its lease. The share is `SHARDS` divided by the number
   * of dispatchers with a lease in force. A shard never has two holders. A dispatcher gets free shards at once, and
   * surplus shards of another dispatcher once they are released. A dispatcher that claims too late keeps its shards if
   * nobody has claimed since; otherwise it loses them all, and its new lease has another epoch.
   * @param owner names one process, which makes one call at a time. A process that claims under the name of a dead one
   * takes over its lease
   * @param now milliseconds; all processes are assumed to have the same clock
   * @param forMs how long the lease lasts without renewal; `Infinity` for ever
   */
  claim(owner: string, now: number, forMs: number): Promise<ShardLease>;
  /** Releases these shards for others to claim; absent: all shards, and the lease. */
  release(owner: string, shards?: ReadonlySet<number>): Promise<void>;
  /**
   * To be asked before each attempt of a message of an event whose subscription is quiet, when all earlier attempts of
   * the event are recorded. Postpones it to the end of the interval after the last delivery, or puts together what
   * waits: see `decideQuietDelivery`. What is replayed is sent as it was.
   * @param now milliseconds
   * @param epoch of the lease under which the attempt begins
   * @throws LeaseLost
   */
  prepareQuiet(message: WebhookMessage, seconds: number, now: number, epoch: number): Promise<QuietTurn>;
  /**
   * In one transaction and in this order: stores the rows of the attempts, the new states of their messages, the
   * charges, and the health of the subscriptions. Clears `next_retry_at` of the row before each attempt. An attempt
   * with `deactivate` ends everything that its subscription has pending: no message is due, and no row has a
   * `next_retry_at`. A `retryAt` of an inactive subscription counts as null. Rows of a subscription that was removed
   * meanwhile are dropped, but their charges are kept.
   * Skips an attempt that is recorded already (the message has more attempts than `message.attempts`), so the call can
   * be repeated if its answer was lost.
   * @param epoch of the lease under which all attempts began
   * @throws LeaseLost if the lease does not hold the shard of an attempt: then none is recorded
   */
  record(attempts: readonly DeliveryAttempt[], epoch: number): Promise<void>;
  /** Pending charges, oldest first; only those of these shards, if given. */
  pendingCharges(limit: number, shards?: ReadonlySet<number>): Promise<readonly DeliveryCharge[]>;
  /** The charges are in the ledger. */
  markCharged(webhookIds: readonly string[]): Promise<void>;
  /** Newest first. */
  deliveries(query: DeliveryQuery): Promise<readonly DeliveryRow[]>;
  /** The subscription of this row; `gone` if there once was such a row; undefined if there never was. */
  ownerOfDelivery(deliveryId: number): Promise<number | 'gone' | undefined>;
  /**
   * Makes messages of a subscription due again: those created at `from` (milliseconds) or later, or those after this
   * row's message. Their attempts are counted from 0 again, without a parent row. Selects none of an inactive
   * subscription, and none if the row belongs to another subscription. The replay runs until each of the messages had
   * an attempt or is not due any more.
   * @param terms absent: any number of replays, of all stored messages
   * @returns the number of messages
   * @throws ReplayRunning, TooManyReplays; a refused replay does not count
   */
  replay(
    id: number,
    after: { readonly from: number } | { readonly deliveryId: number },
    now: number,
    terms?: ReplayLimits,
  ): Promise<number>;
  /**
   * Deletes outdated messages with their collected charges, rows and replays: at most `limit` each, since nobody else
   * can write meanwhile.
   * @returns whether there may be more
   */
  prune(outdated: PruneCutoffs, limit: number): Promise<boolean>;
  /**
   * Calls back when another process has made messages due, of these subscriptions or of any. Calls may be missed; polls
   * find the messages anyway. Absent if there is no other process.
   * @returns a function that stops the calls
   */
  onDue?(listener: (subscriptionIds: readonly number[] | undefined) => void): () => void;
}

/** What a subscription can be told of. */
export const WEBHOOK_EVENT_TYPES = ['score', 'status', 'line_move', 'intelligence', 'injury'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

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
>;

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
export interface Attempted {
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
}

export interface DeliveryQuery {
  readonly subscriptionId: number;
  /** Only rows with smaller ids. */
  readonly afterId?: number;
  readonly limit: number;
  readonly success?: boolean;
  readonly givenUp?: boolean;
  readonly eventType?: WebhookEventType;
}

/** Subscriptions, what they are due, and what became of it. Several processes may use it at once. */
export interface WebhookStore {
  create(subscription: NewSubscription): Promise<WebhookSubscription>;
  find(id: number): Promise<WebhookSubscription | undefined>;
  list(accountId: number): Promise<readonly WebhookSubscription[]>;
  /** All that are told of something. */
  active(): Promise<readonly WebhookSubscription[]>;
  /** Drops what is pending too. False when there is none of that account. */
  remove(id: number, accountId: number): Promise<boolean>;
  rotate(id: number, secret: string, previousUntil: number): Promise<void>;

  /** Up to where the publisher has looked; null: nowhere yet. */
  checkpoint(): Promise<bigint | null>;
  /**
   * Messages and the publisher's place, together: a crash in between would lose some, or make them twice. A message
   * whose webhook id and subscription stand there already is passed over.
   */
  publish(messages: readonly NewMessage[], checkpoint: bigint): Promise<void>;
  /** One message beside the publisher's: a test, or a replay, due at once. */
  add(message: NewMessage): Promise<WebhookMessage>;
  /** Messages that are due by `now`, the oldest first, without those of `except`. */
  due(now: number, limit: number, except: ReadonlySet<number>): Promise<readonly WebhookMessage[]>;
  /** When the next message is due; null: none is waiting. */
  nextDueAt(): Promise<number | null>;
  /**
   * The rows of these attempts, what follows for their messages, and the subscriptions' health, together. The row before
   * an attempt has its `next_retry_at` cleared. Rows of a subscription that was removed meanwhile are dropped.
   */
  record(attempts: readonly Attempted[]): Promise<void>;
  /** Newest first. */
  deliveries(query: DeliveryQuery): Promise<readonly DeliveryRow[]>;
  /** Makes a subscription's messages due again that were made at `from` (milliseconds) or later, or after this row's
   *  message; @returns how many. */
  replay(id: number, after: { readonly from: number } | { readonly deliveryId: number }, now: number): Promise<number>;
}

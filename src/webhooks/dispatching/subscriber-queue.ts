import type { WebhookMessage, WebhookSubscription } from '../store/webhook-store.ts';

/**
 * Known speed of an endpoint: its last answer was quick; it has not answered yet; or it was slow recently, or is
 * silent.
 */
export type EndpointHealth = 'fast' | 'unknown' | 'slow';

/** The next messages of one subscription, as far as they were read from the store. */
export class SubscriberQueue {
  readonly subscriptionId: number;
  /** Of the lease under which its messages were read. */
  readonly epoch: number;
  /** The subscription as of `version`, the version of all subscriptions. */
  subscription: WebhookSubscription | undefined;
  version: number | undefined;
  /** Kept here, since the store learns it later. */
  failingSince: number | null = null;
  /** The store may have more due messages than were read. */
  hasMore = false;
  health: EndpointHealth = 'unknown';
  /** Paused after an error of this server itself, for a short time. */
  isPaused = false;
  /** Nothing more is sent. */
  isEnded = false;
  #inFlight = 0;
  #queue: WebhookMessage[] = [];
  /** Events with a message in flight, or whose attempt must be recorded first: the id of the message. */
  readonly #events = new Map<number, number>();
  /** Ids of messages in the queue, in flight, or not recorded yet: the store still returns them as due. */
  readonly #held = new Set<number>();

  constructor(subscriptionId: number, epoch: number) {
    this.subscriptionId = subscriptionId;
    this.epoch = epoch;
  }

  get queuedCount(): number {
    return this.#queue.length;
  }

  /** Ids of all held messages. */
  get heldIds(): Iterable<number> {
    return this.#held;
  }

  get isIdle(): boolean {
    return this.#held.size === 0;
  }

  /** Adds a message that is not held yet. Messages come in the order of the store. */
  enqueue(message: WebhookMessage): void {
    if (this.#held.has(message.id)) return;
    this.#held.add(message.id);
    this.#queue.push(message);
  }

  /** The first message that may be sent now: fewer than `slots` attempts are running, and none of its event. */
  startNext(slots: number): WebhookMessage | undefined {
    if (this.isPaused || this.#inFlight >= slots) return undefined;
    const at = this.#queue.findIndex(({ eventId }) => eventId === null || !this.#events.has(eventId));
    if (at < 0) return undefined;
    const [message] = this.#queue.splice(at, 1) as [WebhookMessage];
    this.#inFlight++;
    if (message.eventId !== null) this.#events.set(message.eventId, message.id);
    return message;
  }

  /**
   * The attempt is over. The next message of the same event may be sent while this one waits to be recorded or retried;
   * but if the subscription is quiet only when it is recorded, since that says when the next one may be sent.
   */
  finishAttempt(message: WebhookMessage, { isSent = false } = {}): void {
    this.#inFlight--;
    const isQuiet = (this.subscription?.quietSeconds ?? 0) > 0;
    if (!(isSent && isQuiet)) this.#releaseEvent(message);
  }

  /** The message was not sent: it becomes the next one again. */
  requeue(message: WebhookMessage): void {
    this.finishAttempt(message);
    this.#queue.unshift(message);
  }

  /** The store has the message's present state. */
  forget(message: WebhookMessage): void {
    this.#held.delete(message.id);
    this.#releaseEvent(message);
  }

  #releaseEvent({ id, eventId }: WebhookMessage): void {
    if (eventId !== null && this.#events.get(eventId) === id) this.#events.delete(eventId);
  }

  dropQueue(): void {
    for (const { id } of this.#queue) this.#held.delete(id);
    this.#queue = [];
  }
}

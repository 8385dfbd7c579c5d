import type { WebhookMessage, WebhookSubscription } from './store/webhook-store.ts';

/** Attempts for one subscription at once: at first, and at most. */
const FIRST_PLACES = 4;
const MOST_PLACES = 16;

/** What one subscription is to be told next, as far as it has been taken from the store. */
export class Lane {
  readonly subscriptionId: number;
  /** Of the lease under which its messages were taken. */
  readonly epoch: number;
  /** As it was at `version` of all subscriptions. */
  subscription: WebhookSubscription | undefined;
  version: number | undefined;
  /** Kept here, for the store learns of it later. */
  failingSince: number | null = null;
  /** The store may have more that is due than was taken. */
  hasMore = false;
  /** Was slow of late, or is silent: it has one place, of those that are kept for such endpoints. */
  isSuspect = false;
  /** Until something of this server's own works again. */
  isPaused = false;
  /** Nothing is sent to it any more. */
  isEnded = false;
  #places = FIRST_PLACES;
  #inFlight = 0;
  #queue: WebhookMessage[] = [];
  /** Events of which a message is in flight. */
  readonly #events = new Set<number>();
  /** Messages in the queue, in flight, or not recorded yet: the store still gives them. */
  readonly #held = new Set<number>();

  constructor(subscriptionId: number, epoch: number) {
    this.subscriptionId = subscriptionId;
    this.epoch = epoch;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get isIdle(): boolean {
    return this.#held.size === 0;
  }

  /** Adds what is not here already. In the order of the store. */
  take(message: WebhookMessage): void {
    if (this.#held.has(message.id)) return;
    this.#held.add(message.id);
    this.#queue.push(message);
  }

  /** The first message that may be sent now: a place is free, and none of its event is under way. */
  begin(): WebhookMessage | undefined {
    if (this.isPaused || this.#inFlight >= this.#most) return undefined;
    const at = this.#queue.findIndex(({ eventId }) => eventId === null || !this.#events.has(eventId));
    if (at < 0) return undefined;
    const [message] = this.#queue.splice(at, 1) as [WebhookMessage];
    this.#inFlight++;
    if (message.eventId !== null) this.#events.add(message.eventId);
    return message;
  }

  /** The attempt is over; the next of the same event may go, while this one waits to be recorded, or to be retried. */
  end(message: WebhookMessage): void {
    this.#inFlight--;
    if (message.eventId !== null) this.#events.delete(message.eventId);
  }

  /** It was not sent: it is the next one again. */
  putBack(message: WebhookMessage): void {
    this.end(message);
    this.#queue.unshift(message);
  }

  /** The store has it as it is now. */
  release(message: WebhookMessage): void {
    this.#held.delete(message.id);
  }

  dropQueue(): void {
    for (const { id } of this.#queue) this.#held.delete(id);
    this.#queue = [];
  }

  /** Quick answers, whatever they say, make room for more at once; slow ones take it away. */
  took(isSlow: boolean): void {
    this.isSuspect = isSlow;
    if (isSlow) this.#places = FIRST_PLACES;
    else if (this.#inFlight >= this.#places) this.#places = Math.min(this.#places * 2, MOST_PLACES);
  }

  get #most(): number {
    return this.isSuspect ? 1 : this.#places;
  }
}

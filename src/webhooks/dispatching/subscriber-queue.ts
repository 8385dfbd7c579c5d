import type { WebhookMessage, WebhookSubscription } from '../store/webhook-store.ts';

/** What is known of an endpoint: it has answered, at once the last time; or not yet; or was slow of late, or is silent. */
export type EndpointHealth = 'proven' | 'unproven' | 'suspect';

/** What one subscription is to be told next, as far as it has been taken from the store. */
export class SubscriberQueue {
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
  health: EndpointHealth = 'unproven';
  /** Until something of this server's own works again. */
  isPaused = false;
  /** Nothing is sent to it any more. */
  isEnded = false;
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

  get queuedCount(): number {
    return this.#queue.length;
  }

  /** Messages that are at hand: ids. */
  get heldIds(): Iterable<number> {
    return this.#held;
  }

  get isIdle(): boolean {
    return this.#held.size === 0;
  }

  /** Adds what is not here already. In the order of the store. */
  enqueue(message: WebhookMessage): void {
    if (this.#held.has(message.id)) return;
    this.#held.add(message.id);
    this.#queue.push(message);
  }

  /** The first message that may be sent now: one of these places is free, and none of its event is under way. */
  startNext(places: number): WebhookMessage | undefined {
    if (this.isPaused || this.#inFlight >= places) return undefined;
    const at = this.#queue.findIndex(({ eventId }) => eventId === null || !this.#events.has(eventId));
    if (at < 0) return undefined;
    const [message] = this.#queue.splice(at, 1) as [WebhookMessage];
    this.#inFlight++;
    if (message.eventId !== null) this.#events.add(message.eventId);
    return message;
  }

  /** The attempt is over; the next of the same event may go, while this one waits to be recorded, or to be retried. */
  finishAttempt(message: WebhookMessage): void {
    this.#inFlight--;
    if (message.eventId !== null) this.#events.delete(message.eventId);
  }

  /** It was not sent: it is the next one again. */
  requeue(message: WebhookMessage): void {
    this.finishAttempt(message);
    this.#queue.unshift(message);
  }

  /** The store has it as it is now. */
  forget(message: WebhookMessage): void {
    this.#held.delete(message.id);
  }

  dropQueue(): void {
    for (const { id } of this.#queue) this.#held.delete(id);
    this.#queue = [];
  }
}

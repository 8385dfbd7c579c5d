import { mergeSaid, type Said } from './quiet-slots.ts';
import type { WebhookMessage } from './webhook-store.ts';

/** What becomes of a message about an event whose subscription is quiet, when it is about to be sent. */
export type QuietDecision =
  | { readonly kind: 'send' }
  | { readonly kind: 'postpone'; readonly until: number }
  /** One message now says what all of them said. */
  | {
      readonly kind: 'merge';
      readonly into: number;
      readonly said: Said;
      readonly absorbed: readonly WebhookMessage[];
    };

interface QuietFacts {
  readonly seconds: number;
  /** When the last message about the event was delivered; null: it is not known, or none was. Milliseconds. */
  readonly deliveredAt: number | null;
  readonly now: number;
}

/**
 * Decides from what is stored, since plans are overtaken by outages and restarts: messages that were planned apart are
 * then due together.
 *
 * All that waits is put into the newest message. That one was never sent, so nobody knows its id with other bytes. If
 * it was tried before, it keeps its bytes, and messages go one by one.
 * @param waiting all messages of the subscription and event that wait for an attempt, this one among them, oldest first
 */
export function decideQuietDelivery(
  waiting: readonly WebhookMessage[],
  { seconds, deliveredAt, now }: QuietFacts,
): QuietDecision {
  const interval = seconds * 1000;
  // A delivery in the future comes from a clock that was ahead.
  const until = deliveredAt === null ? now : Math.min(deliveredAt, now) + interval;
  if (until > now) return { kind: 'postpone', until };
  // What was paid before is sent again on request, and costs nothing.
  const unpaid = waiting.filter(({ isPaid }) => !isPaid);
  const newest = unpaid.at(-1);
  if (newest === undefined || newest.attempts > 0 || unpaid.length === 1) return { kind: 'send' };
  const [first, ...later] = unpaid as [WebhookMessage, ...WebhookMessage[]];
  const said = later.reduce<Said>(mergeSaid, first);
  return { kind: 'merge', into: newest.id, said, absorbed: unpaid.slice(0, -1) };
}

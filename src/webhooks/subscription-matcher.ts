import { followedFor, type MergedInto } from '../read-models/change-feed/change-filter.ts';
import type { ClientChange, IsWanted } from '../read-models/change-feed/change-mapper.ts';
import type { NewMessage, WebhookSubscription } from './store/webhook-store.ts';

/** Active subscriptions by the changes that they want. */
export interface SubscriptionMatcher {
  readonly size: number;
  readonly isWanted: IsWanted;
  /** The messages of all subscriptions about these changes. Subscriptions with the same change share one body. */
  createMessages(changes: readonly ClientChange[], now: number): NewMessage[];
}

/** @param merged says what was merged; absent: nothing. Who has subscribed to a merged event is told of the other */
export function createSubscriptionMatcher(
  subscriptions: readonly WebhookSubscription[],
  merged?: MergedInto,
): SubscriptionMatcher {
  const byType = new Map<string, WebhookSubscription[]>();
  for (const subscription of subscriptions) {
    for (const eventType of new Set(subscription.eventTypes)) {
      const some = byType.get(eventType);
      if (some) some.push(subscription);
      else byType.set(eventType, [subscription]);
    }
  }
  const of = (eventType: string): readonly WebhookSubscription[] => byType.get(eventType) ?? [];

  return {
    size: subscriptions.length,
    isWanted(eventType, sport, eventId) {
      const followed = eventId === undefined ? undefined : followedFor(eventId, merged);
      return of(eventType).some((subscription) => matchesSubscription(subscription, sport, followed));
    },
    createMessages(changes, now) {
      const messages: NewMessage[] = [];
      for (const change of changes) {
        const { eventType, eventId, fromEventId, sport, position, index } = change;
        const followed = [eventId, fromEventId].flatMap((id) => (id == null ? [] : followedFor(id, merged)));
        let body: string | undefined;
        for (const subscription of of(eventType)) {
          if (!matchesSubscription(subscription, sport, followed) || !isAfter(subscription, position)) continue;
          body ??= bodyOf(change);
          const webhookId = webhookIdOf(subscription.id, position, index);
          messages.push({ webhookId, subscriptionId: subscription.id, eventType, eventId, body, createdAt: now });
        }
      }
      return messages;
    },
  };
}

/** The id is the same in every run, and contains the log position of the change. */
const webhookIdOf = (subscriptionId: number, position: bigint, index: number): string =>
  `msg_${subscriptionId}_${position}_${index}`;

const bodyOf = ({ eventType, at, data }: ClientChange): string =>
  JSON.stringify({ type: eventType, timestamp: at, data });

/** @param followed a subscription to one of these events is told; undefined: to any */
const matchesSubscription = (
  { sport, eventId, scopes }: WebhookSubscription,
  ofSport: string,
  followed: readonly number[] | undefined,
): boolean =>
  (sport === null || sport === ofSport) &&
  (eventId === null || followed === undefined || followed.includes(eventId)) &&
  (scopes.includes('all') || scopes.includes(ofSport));

const isAfter = ({ createdAfter }: WebhookSubscription, position: bigint): boolean =>
  createdAfter === null || position > createdAfter;

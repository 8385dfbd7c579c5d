import type { ClientChange, IsWanted } from '../read-models/change-feed/change-mapper.ts';
import type { NewMessage, WebhookSubscription } from './store/webhook-store.ts';

/** Active subscriptions by the changes that they want. */
export interface SubscriptionMatcher {
  readonly size: number;
  readonly isWanted: IsWanted;
  /** The messages of all subscriptions about these changes. Subscriptions with the same change share one body. */
  createMessages(changes: readonly ClientChange[], now: number): NewMessage[];
}

export function createSubscriptionMatcher(subscriptions: readonly WebhookSubscription[]): SubscriptionMatcher {
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
    isWanted: (eventType, sport, eventId) =>
      of(eventType).some((subscription) => matchesSubscription(subscription, sport, eventId ?? subscription.eventId)),
    createMessages(changes, now) {
      const messages: NewMessage[] = [];
      for (const change of changes) {
        const { eventType, eventId, sport, position, index } = change;
        let body: string | undefined;
        for (const subscription of of(eventType)) {
          if (!matchesSubscription(subscription, sport, eventId) || !isAfter(subscription, position)) continue;
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

const matchesSubscription = (
  { sport, eventId, scopes }: WebhookSubscription,
  ofSport: string,
  ofEvent: number | null,
): boolean =>
  (sport === null || sport === ofSport) &&
  (eventId === null || eventId === ofEvent) &&
  (scopes.includes('all') || scopes.includes(ofSport));

const isAfter = ({ createdAfter }: WebhookSubscription, position: bigint): boolean =>
  createdAfter === null || position > createdAfter;

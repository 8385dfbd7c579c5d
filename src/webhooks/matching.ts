import type { IsWanted, Told } from '../read-models/changes/told.ts';
import type { NewMessage, WebhookSubscription } from './store/webhook-store.ts';

/** Active subscriptions, by what they are to be told of. */
export interface Matching {
  readonly size: number;
  readonly isWanted: IsWanted;
  /** What each of them is told of these facts; one body for all that are told the same. */
  messages(told: readonly Told[], now: number): NewMessage[];
}

export function matching(subscriptions: readonly WebhookSubscription[]): Matching {
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
      of(eventType).some((subscription) => fits(subscription, sport, eventId ?? subscription.eventId)),
    messages(told, now) {
      const messages: NewMessage[] = [];
      for (const one of told) {
        const { eventType, eventId, sport, position, index } = one;
        let body: string | undefined;
        for (const subscription of of(eventType)) {
          if (!fits(subscription, sport, eventId) || !isAfter(subscription, position)) continue;
          body ??= bodyOf(one);
          const webhookId = webhookIdOf(subscription.id, position, index);
          messages.push({ webhookId, subscriptionId: subscription.id, eventType, eventId, body, createdAt: now });
        }
      }
      return messages;
    },
  };
}

/** The same in every run, and the place in the log that it comes from can be read from it. */
const webhookIdOf = (subscriptionId: number, position: bigint, index: number): string =>
  `msg_${subscriptionId}_${position}_${index}`;

const bodyOf = ({ eventType, at, data }: Told): string => JSON.stringify({ type: eventType, timestamp: at, data });

const fits = ({ sport, eventId, scopes }: WebhookSubscription, ofSport: string, ofEvent: number | null): boolean =>
  (sport === null || sport === ofSport) &&
  (eventId === null || eventId === ofEvent) &&
  (scopes.includes('all') || scopes.includes(ofSport));

const isAfter = ({ createdAfter }: WebhookSubscription, position: bigint): boolean =>
  createdAfter === null || position > createdAfter;

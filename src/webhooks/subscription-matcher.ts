import type { WebhookEventType } from '../domain/webhook-types.ts';
import type { ClientChange, IsWanted } from '../read-models/change-feed/change-mapper.ts';
import type { ChangeSubject } from '../read-models/change-feed/change-subject.ts';
import { passesFilter, typesOf } from './filters/passes-filter.ts';
import { describeChange } from './formats/describe-change.ts';
import { alertBody } from './formats/stored-alert.ts';
import type { NewMessage, WebhookSubscription } from './store/webhook-store.ts';

/** Active subscriptions by the changes that they want. */
export interface SubscriptionMatcher {
  readonly size: number;
  readonly isWanted: IsWanted;
  /** The messages of all subscriptions about these changes. Subscriptions with the same change share one body. */
  createMessages(changes: readonly ClientChange[], parts: MessageParts): Promise<NewMessage[]>;
}

export interface MessageParts {
  /** Milliseconds. */
  readonly now: number;
  /** The event of a change; asked only where a filter or a text needs it. Absent: no change has one. */
  readonly subjectOf?: (change: ClientChange) => Promise<ChangeSubject | null>;
  /** The displayed name of a bookmaker; absent: its slug. */
  readonly nameOf?: (bookmaker: string) => string;
  readonly breathe?: () => Promise<void>;
}

export function createSubscriptionMatcher(subscriptions: readonly WebhookSubscription[]): SubscriptionMatcher {
  const byType = new Map<string, WebhookSubscription[]>();
  for (const subscription of subscriptions) {
    for (const eventType of new Set(typesOf(subscription.filter, subscription.eventTypes))) {
      const some = byType.get(eventType);
      if (some) some.push(subscription);
      else byType.set(eventType, [subscription]);
    }
  }
  const of = (eventType: WebhookEventType): readonly WebhookSubscription[] => byType.get(eventType) ?? [];

  return {
    size: subscriptions.length,
    isWanted: (eventType, sport, eventId) =>
      of(eventType).some((subscription) => matchesSubscription(subscription, sport, eventId ?? subscription.eventId)),
    async createMessages(changes, { now, subjectOf = async () => null, nameOf = (slug) => slug, ...parts }) {
      const { breathe = async () => {} } = parts;
      const messages: NewMessage[] = [];
      for (const change of changes) {
        const { eventType, eventId, sport, position, index } = change;
        let subject: ChangeSubject | null | undefined;
        const bodies: { webhook?: string; alert?: string } = {};
        for (const subscription of of(eventType)) {
          if (!matchesSubscription(subscription, sport, eventId) || !isAfter(subscription, position)) continue;
          const { id, filter, format, quietSeconds } = subscription;
          if (subject === undefined && (filter !== null || format !== 'ledgerline')) subject = await subjectOf(change);
          if (!passesFilter(filter, change, subject ?? null)) continue;
          if (format === 'ledgerline') bodies.webhook ??= bodyOf(change);
          else bodies.alert ??= alertBody(describeChange(change, subject ?? null, { nameOf }));
          const body = (format === 'ledgerline' ? bodies.webhook : bodies.alert)!;
          const webhookId = webhookIdOf(id, position, index);
          const quiet = quietSeconds > 0 && eventId !== null && { quiet: { seconds: quietSeconds, position, index } };
          messages.push({ webhookId, subscriptionId: id, eventType, eventId, body, createdAt: now, ...quiet });
        }
        await breathe();
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

/** What is known before a change is made: the rest of a filter needs the change. */
const matchesSubscription = (
  { sport, eventId, scopes, filter }: WebhookSubscription,
  ofSport: string,
  ofEvent: number | null,
): boolean =>
  (sport === null || sport === ofSport) &&
  (eventId === null || eventId === ofEvent) &&
  (filter?.sports?.includes(ofSport) ?? true) &&
  (ofEvent === null || (filter?.event_ids?.includes(ofEvent) ?? true)) &&
  (scopes.includes('all') || scopes.includes(ofSport));

const isAfter = ({ createdAfter }: WebhookSubscription, position: bigint): boolean =>
  createdAfter === null || position > createdAfter;

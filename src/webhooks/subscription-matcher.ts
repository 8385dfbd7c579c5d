import type { AlertFilter } from '../domain/alerts/alert-filter.ts';
import type { WebhookEventType } from '../domain/webhook-types.ts';
import { followedFor, type MergedInto } from '../read-models/change-feed/change-filter.ts';
import type { ClientChange, IsWanted, ListsFor, NamedBooks } from '../read-models/change-feed/change-mapper.ts';
import type { ChangeSubject } from '../read-models/change-feed/change-subject.ts';
import { changeByJudge } from './filters/change-by-judge.ts';
import { changeUnderList, namedBooks } from './filters/change-under-list.ts';
import { passesFilter, typesOf } from './filters/passes-filter.ts';
import { describeChange } from './formats/describe-change.ts';
import { alertBody } from './formats/stored-alert.ts';
import type { NewMessage, WebhookSubscription } from './store/webhook-store.ts';

/** Active subscriptions by the changes that they want. */
export interface SubscriptionMatcher {
  readonly size: number;
  readonly isWanted: IsWanted;
  readonly listsFor: ListsFor;
  /** The messages of all subscriptions about these changes. Subscriptions with the same change, list of books and
   * judge of expected values share one body. */
  createMessages(changes: readonly ClientChange[], parts: MessageParts): Promise<NewMessage[]>;
}

export interface MessageParts {
  /** Milliseconds. */
  readonly now: number;
  /** The event of a change; asked only where a filter or a text needs it. Absent: no change has one. */
  readonly subjectOf?: (change: ClientChange) => Promise<ChangeSubject | null>;
  /** The displayed name of a bookmaker; absent: its slug. */
  readonly nameOf?: (bookmaker: string) => string;
  /** The demo invents what is told. */
  readonly isSimulated?: boolean;
  readonly breathe?: () => Promise<void>;
}

/** The lists of books of accounts, by id. */
export type AccountBooks = ReadonlyMap<number, readonly string[]>;

/**
 * The list under which messages are made; undefined: they may name every book.
 * @param own the list of the account
 */
export function listOf(filter: AlertFilter | null, own: readonly string[] | null | undefined): NamedBooks | undefined {
  const books = filter?.books ?? own;
  return books == null || books.includes('all') ? undefined : namedBooks(books);
}

/**
 * @param merged says what was merged; absent: nothing. Who has subscribed to a merged event is told of the other
 * @param books absent: no account has a list
 */
export function createSubscriptionMatcher(
  subscriptions: readonly WebhookSubscription[],
  merged?: MergedInto,
  books: AccountBooks = new Map(),
): SubscriptionMatcher {
  const lists = new Map<WebhookSubscription, NamedBooks>();
  // Thousands may have the same list: it is kept once.
  const distinct = new Map<string, NamedBooks>();
  const byType = new Map<string, WebhookSubscription[]>();
  for (const subscription of subscriptions) {
    const list = listOf(subscription.filter, books.get(subscription.accountId));
    if (list) {
      if (!distinct.has(list.key)) distinct.set(list.key, list);
      lists.set(subscription, distinct.get(list.key)!);
    }
    for (const eventType of new Set(typesOf(subscription.filter, subscription.eventTypes))) {
      const some = byType.get(eventType);
      if (some) some.push(subscription);
      else byType.set(eventType, [subscription]);
    }
  }
  const of = (eventType: WebhookEventType): readonly WebhookSubscription[] => byType.get(eventType) ?? [];

  return {
    size: subscriptions.length,
    isWanted(eventType, sport, eventId) {
      const followed = eventId === undefined ? undefined : followedFor(eventId, merged);
      return of(eventType).some((subscription) => matchesSubscription(subscription, sport, followed));
    },
    listsFor(eventType, sport, eventId) {
      if (lists.size === 0) return [];
      const followed = followedFor(eventId, merged);
      const wanted = of(eventType).flatMap((one) => {
        const list = lists.get(one);
        return list && matchesSubscription(one, sport, followed) ? [[list.key, list] as const] : [];
      });
      return [...new Map(wanted).values()];
    },
    async createMessages(
      changes,
      { now, subjectOf = async () => null, nameOf = (slug) => slug, isSimulated = false, ...parts },
    ) {
      const { breathe = async () => {} } = parts;
      const messages: NewMessage[] = [];
      for (const made of changes) {
        const { eventType, eventId, fromEventId, sport, position, index } = made;
        const followed = [eventId, fromEventId].flatMap((id) => (id == null ? [] : followedFor(id, merged)));
        let subject: ChangeSubject | null | undefined;
        const sharedBodies = new Map<string, { webhook?: string; alert?: string }>();
        for (const subscription of of(eventType)) {
          if (!matchesSubscription(subscription, sport, followed) || !isAfter(subscription, position)) continue;
          const { id, filter, format, quietSeconds } = subscription;
          const list = lists.get(subscription);
          const listed = changeUnderList(made, list);
          const change = listed && changeByJudge(listed, filter?.by);
          if (!change) continue;
          if (subject === undefined && (filter !== null || format !== 'ledgerline')) subject = await subjectOf(change);
          // A filter that names an event which was merged goes on with the other one.
          const named = followed.find((id) => filter?.event_ids?.includes(id)) ?? eventId;
          if (!passesFilter(filter, { ...change, eventId: named }, subject ?? null, merged)) continue;
          const sharedBy = `${filter?.by ?? 'fair'} ${list?.key}`;
          const bodies = sharedBodies.get(sharedBy) ?? {};
          sharedBodies.set(sharedBy, bodies);
          if (format === 'ledgerline') bodies.webhook ??= bodyOf(change);
          else bodies.alert ??= alertBody(describeChange(change, subject ?? null, { nameOf, isSimulated }));
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

/**
 * What is known before a change is made: the rest of a filter needs the change.
 * @param followed a subscription to one of these events is told; undefined: to any
 */
const matchesSubscription = (
  { sport, eventId, scopes, filter }: WebhookSubscription,
  ofSport: string,
  followed: readonly number[] | undefined,
): boolean =>
  (sport === null || sport === ofSport) &&
  (eventId === null || followed === undefined || followed.includes(eventId)) &&
  (filter?.sports?.includes(ofSport) ?? true) &&
  (followed === undefined ||
    followed.length === 0 ||
    (filter?.event_ids?.some((id) => followed.includes(id)) ?? true)) &&
  (scopes.includes('all') || scopes.includes(ofSport));

const isAfter = ({ createdAfter }: WebhookSubscription, position: bigint): boolean =>
  createdAfter === null || position > createdAfter;

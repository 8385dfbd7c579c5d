import { type EventDocument, events } from '../../projections/events.ts';
import type { Principal } from '../api/calls/principal.ts';
import { couldMake, isScoped } from '../api/calls/scopes.ts';
import type { DocumentReader } from '../read-models/store/document-reader.ts';
import type { WebhookSubscription } from './store/webhook-store.ts';

type OfSports = Pick<WebhookSubscription, 'sport' | 'eventId' | 'scopes'>;

/**
 * Those of an account's subscriptions that the caller could have made itself. The others are not there for it: it must
 * not end them, read their secrets, or see what they are told.
 */
export async function managedBy<Subscription extends OfSports>(
  principal: Principal,
  subscriptions: readonly Subscription[],
  store: Pick<DocumentReader, 'getMany'>,
): Promise<readonly Subscription[]> {
  if (!isScoped(principal)) return subscriptions;
  const sportOf = await sportsOfEvents(subscriptions, store);
  return subscriptions.filter(({ sport, eventId, scopes }) => {
    if (sport !== null) return couldMake(principal, [sport]);
    if (eventId === null) return couldMake(principal, scopes);
    const ofEvent = sportOf.get(eventId);
    return ofEvent !== undefined && couldMake(principal, [ofEvent]);
  });
}

/** Of those that are of one event and do not name its sport. */
async function sportsOfEvents(
  subscriptions: readonly OfSports[],
  store: Pick<DocumentReader, 'getMany'>,
): Promise<ReadonlyMap<number, string>> {
  const ids = subscriptions.flatMap(({ sport, eventId }) => (sport === null && eventId !== null ? [eventId] : []));
  if (ids.length === 0) return new Map();
  const found = await store.getMany<EventDocument>(events.name, [...new Set(ids)].map(String));
  return new Map(found.flatMap((stored) => (stored ? [[stored.document.id, stored.document.sport] as const] : [])));
}

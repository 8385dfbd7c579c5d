import { eventDecider } from '../../../commands/events/event-decider.ts';
import { rolesOf, rulesOf } from '../../domain/catalogue/sport-rules.ts';
import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import type { FeedMatch } from '../../domain/feed/feed-messages.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import type { EventIdentity } from '../../domain/streams/domain-events.ts';
import { type BoundMessage, bindMessageToEvent } from '../binding/event-binding.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';
import { refuseLeague } from '../binding/refuse-league.ts';
import type { DeciderStream } from '../states/stream-states.ts';
import type { CollectedHints, MessageLookups, NamedSides } from './subject.ts';

/** A message about a sports event. It names the event by the id that the source uses, or by `match`. */
interface EventMessage {
  readonly source: string;
  readonly at: string;
  readonly ref?: string | undefined;
  readonly match?: FeedMatch | undefined;
}

/**
 * Binds the message to its event, unless the league of that was taken out, and stores the id that the source uses if
 * `match` has found the event.
 */
export async function withEvent(
  session: IngestSession,
  message: EventMessage,
  handle: (bound: BoundMessage, identity: EventIdentity) => Promise<HandlingResult>,
): Promise<HandlingResult> {
  const bound = await bindMessageToEvent(session, message);
  if ('reason' in bound) return { status: 'quarantined', cause: bound };
  const { identity, swapped, origin } = bound;
  const rejection = refuseLeague(identity.league, message.ref === undefined ? 'match' : 'ref');
  if (rejection) return { status: 'rejected', rejection };
  const { source, at, ref } = message;
  const handled = await handle(bound, { ...identity, origin });
  if (!bound.isNewRef || ref === undefined || handled.status === 'rejected') return handled;
  await session.identities.bindEvent(source, ref, { id: identity.eventId, swapped });
  session.noteKnown(identityKeyOf.event(source, ref));
  const binding = { kind: 'binding', identity, at, source, ref, swapped } as const;
  const events = await session.states.decide(eventDecider, identity.eventId, binding);
  return handled.status === 'unchanged' ? acceptedIfAny(events) : handled;
}

/** The lookups of a message about an event: the event, and the streams of the event that the message changes. */
export const eventLookups = (...own: readonly StreamDecider[]): MessageLookups<EventMessage> => ({
  addHints({ source, ref, match }, hints) {
    if (ref !== undefined) hints.events.push({ source, ref });
    if (match) for (const name of namedSidesOf(match).names) addNameHint(hints, match.sport, name);
  },
  sidesOf: ({ match }) => match && namedSidesOf(match),
  streamsOf: (session, { source, ref }) => streamsOfEvent(session, source, ref, own),
  isSameLookup: (one, other) => one.source === other.source && one.ref === other.ref && one.match === other.match,
});

export function addNameHint(hints: CollectedHints, sport: string, name: string): void {
  hints.names.push({ kind: rulesOf(sport).entry, scope: sport, name: normalizeName(name) });
}

export async function streamsOfEvent(
  { identities }: IngestSession,
  source: string,
  ref: string | undefined,
  own: readonly StreamDecider[] = [],
): Promise<DeciderStream[]> {
  const bound = ref === undefined ? undefined : await identities.findEvent(source, ref);
  return bound ? [eventDecider, ...own].map((decider) => [decider, bound.id]) : [];
}

/** The message checks guarantee that both names are present. */
function namedSidesOf(match: FeedMatch): NamedSides {
  const [first, second] = rolesOf(match.sport);
  return { sport: match.sport, names: [match[first]!, match[second]!] };
}

import { eventDecider } from '../../commands/events/decider.ts';
import type { StreamDecider } from '../domain/decider.ts';
import type { EventIdentity } from '../domain/domain-events.ts';
import type { FeedMatch } from '../domain/feed/messages.ts';
import { normalizeName } from '../domain/names.ts';
import { rolesOf, rulesOf } from '../domain/sides.ts';
import { type Bound, bindEvent } from './binding.ts';
import { acceptedIf, type Handled, known, type Session } from './session.ts';
import type { StreamOf } from './states/stream-states.ts';
import type { Hints, Lookups, NamedSides } from './subject.ts';

/** A message about a sports event that is named by the source's own id of it, or by `match`. */
export interface EventMessage {
  readonly source: string;
  readonly at: string;
  readonly ref?: string | undefined;
  readonly match?: FeedMatch | undefined;
}

/** Binds the message to its event, and remembers the source's own id where `match` has found the event. */
export async function withEvent(
  session: Session,
  message: EventMessage,
  handle: (bound: Bound, identity: EventIdentity) => Promise<Handled>,
): Promise<Handled> {
  const bound = await bindEvent(session, message);
  if ('reason' in bound) return { status: 'waits', wait: bound };
  const { identity, turned, origin } = bound;
  const { source, at, ref } = message;
  const handled = await handle(bound, { ...identity, origin });
  if (!bound.learn || ref === undefined || handled.status === 'rejected') return handled;
  await session.identities.bindEvent(source, ref, { id: identity.eventId, turned });
  session.learned(known.event(source, ref));
  const binding = { kind: 'binding', identity, at, source, ref, turned } as const;
  const events = await session.states.decide(eventDecider, identity.eventId, binding);
  return handled.status === 'unchanged' ? acceptedIf(events) : handled;
}

/** What a message about an event looks up: the event, and the stream of the event where the message goes. */
export const eventLookups = (...own: readonly StreamDecider[]): Lookups<EventMessage> => ({
  names({ source, ref, match }, hints) {
    if (ref !== undefined) hints.events.push({ source, ref });
    if (match) for (const name of sidesOf(match).names) hintName(hints, match.sport, name);
  },
  sides: ({ match }) => match && sidesOf(match),
  streams: (session, { source, ref }) => streamsOfEvent(session, source, ref, own),
  same: (one, other) => one.source === other.source && one.ref === other.ref && one.match === other.match,
});

export function hintName(hints: Hints, sport: string, name: string): void {
  hints.names.push({ kind: rulesOf(sport).entry, scope: sport, name: normalizeName(name) });
}

export async function streamsOfEvent(
  { identities }: Session,
  source: string,
  ref: string | undefined,
  own: readonly StreamDecider[] = [],
): Promise<StreamOf[]> {
  const bound = ref === undefined ? undefined : await identities.findEvent(source, ref);
  return bound ? [eventDecider, ...own].map((decider) => [decider, bound.id]) : [];
}

/** The checks of messages see to it that both are there. */
function sidesOf(match: FeedMatch): NamedSides {
  const [first, second] = rolesOf(match.sport);
  return { sport: match.sport, names: [match[first]!, match[second]!] };
}

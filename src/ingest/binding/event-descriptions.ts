import { isDeepStrictEqual } from 'node:util';
import { type ProfileFrom, playerDecider, teamDecider } from '../../../commands/directory-decider.ts';
import { eventDecider } from '../../../commands/events/event-decider.ts';
import type { EventIdentity } from '../../domain/streams/domain-events.ts';
import type { IngestSession } from './ingest-session.ts';
import type { DescribedSide, EntryKind, PendingDescriptions } from './pending-descriptions.ts';

/** Stages the descriptions that the events of these entries still lack. */
export async function describePending(session: IngestSession, { events, sides }: PendingDescriptions): Promise<void> {
  for (const [eventId, source] of events) {
    const { identity } = await session.states.get(eventDecider, eventId);
    if (identity) await describeSides(session, identity, source);
  }
  for (const side of sides) {
    const { standings } = await entryOf(session, side.kind, side.id);
    if (standings.length > 0) await describeInAll(session, side, standings);
  }
}

/**
 * Copies a change of the directory into each event of the entry: only the records of an event feed the document of the
 * event.
 */
export async function describeInEvents(
  session: IngestSession,
  side: DescribedSide,
  before: readonly ProfileFrom[],
  standings: readonly ProfileFrom[],
): Promise<void> {
  // A new entry is in no event yet.
  if (before.length === 0 || isDeepStrictEqual(before, standings)) return;
  session.pendingDescriptions.addSide(side);
  await describeInAll(session, side, standings);
}

async function describeInAll(
  session: IngestSession,
  { kind, id, source }: DescribedSide,
  profiles: readonly ProfileFrom[],
) {
  const { identities, states } = session;
  const side = `${kind}:${id}`;
  const eventIds = await identities.eventsOfSide(side);
  await states.prefetch(eventIds.map((eventId) => [eventDecider, eventId] as const));
  for (const eventId of eventIds) {
    const known = await states.get(eventDecider, eventId);
    // Another process may have added the side to the event since.
    const { identity, own: sideKeys } = known.own.has(side) ? known : await states.reload(eventDecider, eventId);
    if (!identity || !sideKeys.has(side)) continue;
    const fact = { kind: 'description', identity, side, source, profiles } as const;
    const events = await states.decide(eventDecider, eventId, fact);
    if (events.length > 0) session.pendingDescriptions.addEvent(eventId, source);
  }
}

/** Stages everything that the directory knows better than the schedule of an event. */
export async function describeSides(session: IngestSession, identity: EventIdentity, source: string): Promise<void> {
  const { states } = session;
  const state = await states.get(eventDecider, identity.eventId);
  for (const side of state.event.schedule?.sides ?? []) {
    if (side.id === null) continue;
    const { standings: profiles } = await entryOf(session, side.key.startsWith('team:') ? 'team' : 'player', side.id);
    if (profiles.length === 0) continue;
    const description = { kind: 'description', identity, side: side.key, source, profiles } as const;
    const events = await states.decide(eventDecider, identity.eventId, description);
    // The description may be in the log already or be outdated: the directory records behind it are not written with
    // it.
    if (events.length > 0) session.pendingDescriptions.addEvent(identity.eventId, source);
  }
}

const entryOf = (
  { states }: IngestSession,
  kind: EntryKind,
  id: number,
): Promise<{ standings: readonly ProfileFrom[] }> =>
  kind === 'team' ? states.get(teamDecider, id) : states.get(playerDecider, id);

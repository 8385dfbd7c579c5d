import { isDeepStrictEqual } from 'node:util';
import { playerDecider, type Standing, teamDecider } from '../../commands/directory/decider.ts';
import { eventDecider } from '../../commands/events/decider.ts';
import type { EventIdentity } from '../domain/domain-events.ts';
import type { Session } from './session.ts';
import type { EntryKind, Side, Undescribed } from './undescribed.ts';

/** Stages what is missing in the events of these. */
export async function describeMissed(session: Session, { placed, sides }: Undescribed): Promise<void> {
  for (const [eventId, source] of placed) {
    const { identity } = await session.states.get(eventDecider, eventId);
    if (identity) await describeSides(session, identity, source);
  }
  for (const side of sides) {
    const { standings } = await entryOf(session, side.kind, side.id);
    if (standings.length > 0) await describeInAll(session, side, standings);
  }
}

/** An event's document is fed by the event's records alone, so what the directory changes is told to each event. */
export async function describeInEvents(
  session: Session,
  side: Side,
  before: readonly Standing[],
  standings: readonly Standing[],
): Promise<void> {
  // An entry that is new stands in no event yet.
  if (before.length === 0 || isDeepStrictEqual(before, standings)) return;
  session.undescribed.told(side);
  await describeInAll(session, side, standings);
}

async function describeInAll(session: Session, { kind, id, source }: Side, standings: readonly Standing[]) {
  const { identities, states } = session;
  const side = `${kind}:${id}`;
  const eventIds = await identities.eventsOfSide(side);
  await states.prefetch(eventIds.map((eventId) => [eventDecider, eventId] as const));
  for (const eventId of eventIds) {
    const known = await states.get(eventDecider, eventId);
    // Another process has placed it there since.
    const { identity, own } = known.own.has(side) ? known : await states.readAgain(eventDecider, eventId);
    if (!identity || !own.has(side)) continue;
    const fact = { kind: 'description', identity, side, source, standings } as const;
    const events = await states.decide(eventDecider, eventId, fact);
    if (events.length > 0) session.undescribed.place(eventId, source);
  }
}

/** What the directory knows better than the schedule of an event. */
export async function describeSides(session: Session, identity: EventIdentity, source: string): Promise<void> {
  const { states } = session;
  const state = await states.get(eventDecider, identity.eventId);
  for (const side of state.event.schedule?.sides ?? []) {
    if (side.id === null) continue;
    const { standings } = await entryOf(session, side.key.startsWith('team:') ? 'team' : 'player', side.id);
    if (standings.length === 0) continue;
    const description = { kind: 'description', identity, side: side.key, source, standings } as const;
    const events = await states.decide(eventDecider, identity.eventId, description);
    // It may be there already, or be old by now: what it was decided on is not written with it.
    if (events.length > 0) session.undescribed.place(identity.eventId, source);
  }
}

const entryOf = ({ states }: Session, kind: EntryKind, id: number): Promise<{ standings: readonly Standing[] }> =>
  kind === 'team' ? states.get(teamDecider, id) : states.get(playerDecider, id);

import { playerDecider, teamDecider } from '../../../commands/directory-decider.ts';
import { eventDecider } from '../../../commands/events/event-decider.ts';
import { seasonDecider } from '../../../commands/season-decider.ts';
import { sportsDecider } from '../../../commands/sports-decider.ts';
import { isAddedLeague, isOwnSport, playsLike } from '../../domain/catalogue/added-leagues.ts';
import { scheduledSeasonId, scheduledYear } from '../../domain/catalogue/scheduled-season.ts';
import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import type { ScheduleMessage } from '../../domain/feed/feed-messages.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { type EventSide, gameNumberOf, type ScheduleContent } from '../../domain/sports-events/sports-event.ts';
import type { EventIdentity, Origin } from '../../domain/streams/domain-events.ts';
import { SPORTS_STREAM_ID } from '../../domain/streams/sports-stream.ts';
import { ambiguousCause, areSidesSwapped, findBoundEvent, findEvent, pairKeyOf } from '../binding/event-binding.ts';
import { describeSides } from '../binding/event-descriptions.ts';
import {
  acceptedIfAny,
  type HandlingResult,
  type IngestSession,
  identityKeyOf,
  type QuarantineCause,
  quarantined,
} from '../binding/ingest-session.ts';
import { competitionWithId, venueWithId } from '../binding/venue-ids.ts';
import type { DeciderStream } from '../states/stream-states.ts';
import { addNameHint, streamsOfEvent } from './event-message.ts';
import { resolveSides } from './schedule-sides.ts';
import type { MessageLookups } from './subject.ts';

/** A `schedule` message: creates a sports event, or describes a known one. */
export async function handleSchedule(session: IngestSession, message: ScheduleMessage): Promise<HandlingResult> {
  const sides = await resolveSides(session, message);
  if ('reason' in sides) return waitFor(message, sides);
  const found = await findScheduledEvent(session, message, sides);
  if ('reason' in found) return waitFor(message, found);
  const { id, swapped } = found;
  const identity: EventIdentity = { eventId: id, sport: message.sport, league: message.league };
  const state = await session.states.get(eventDecider, id);
  const isNew = state.identity === null;
  const before = pairAndStart(state.event);

  const content = await scheduleContentOf(session, message, swapped ? [sides[1], sides[0]] : sides);
  const { refs } = message;
  const origin: Origin = { ref: message.ref, ...(refs ? { refs } : {}), ...(swapped ? { turned: true as const } : {}) };
  const { at, source } = message;
  const fact = { kind: 'schedule', identity, at, source, content, origin } as const;
  const events = await session.states.decide(eventDecider, id, fact);

  await noteOwnSport(session, message);
  await bindRefs(session, message, identity, swapped);
  await describeSides(session, identity, source);
  await describeSeason(session, message);
  const after = pairAndStart(state.event);
  if (
    isNew ||
    before.pair !== after.pair ||
    before.startsAt !== after.startsAt ||
    before.gameNumber !== after.gameNumber ||
    (await isMisplaced(session, id, after))
  ) {
    session.pendingDescriptions.addEvent(id, source);
    const [first, second] = state.event.schedule!.sides!;
    await session.identities.putFixture(id, { ...after, sides: [first.key, second.key] }, before.pair);
    if (after.pair !== null) session.noteKnown(identityKeyOf.pair(after.pair));
  }
  return acceptedIfAny(events);
}

/** A person may say which event the ref means, so the schedule waits for that as well. */
const waitFor = ({ source, ref }: ScheduleMessage, cause: QuarantineCause): HandlingResult =>
  quarantined({ ...cause, keys: [...cause.keys, identityKeyOf.event(source, ref)] });

/** Whether another process has stored the event with a start that the log did not accept. */
async function isMisplaced(
  session: IngestSession,
  id: number,
  { pair, startsAt }: { pair: string | null; startsAt: number },
): Promise<boolean> {
  if (pair === null) return false;
  const stored = (await session.identities.findFixtures(pair)).find((fixture) => fixture.id === id);
  return stored?.startsAt !== startsAt;
}

function pairAndStart({
  schedule,
}: {
  schedule: { starts_at: string; game_number?: unknown; sides?: readonly [EventSide, EventSide] } | null;
}) {
  const gameNumber = gameNumberOf(schedule);
  if (!schedule?.sides) return { pair: null, startsAt: Number.NaN, gameNumber };
  const [first, second] = schedule.sides;
  return { pair: pairKeyOf(first.key, second.key), startsAt: timeOf(schedule.starts_at), gameNumber };
}

/**
 * The event of the schedule: by the id of the source, by ids of other sources, by its sides and start, or a new event.
 */
async function findScheduledEvent(
  session: IngestSession,
  message: ScheduleMessage,
  sides: readonly [EventSide, EventSide],
): Promise<{ id: number; swapped: boolean } | QuarantineCause> {
  const { source, ref, refs = {} } = message;
  const keys = [sides[0].key, sides[1].key] as const;
  let reserved: number | undefined;
  for (const [refSource, sourceRef] of [[source, ref], ...Object.entries(refs)] as [string, string][]) {
    const bound = await findBoundEvent(session, refSource, sourceRef);
    if (!bound) continue;
    const state = await session.states.get(eventDecider, bound.id);
    if (state.identity) return { id: bound.id, swapped: areSidesSwapped(state, keys) ?? bound.swapped };
    // The id was allocated before a crash, and the event never reached the log: use the id for this event.
    reserved ??= bound.id;
  }
  const pair = pairKeyOf(...keys);
  if (pair !== null) {
    const found = await findEvent(session, pair, {
      by: 'schedule',
      hasNewRef: true,
      source,
      sport: message.sport,
      league: message.league,
      sides: keys,
      startsAt: timeOf(message.starts_at),
      isOpen: message.starts_at_qualifier === 'tbd',
      gameNumber: message.game_number ?? null,
    });
    if (found.kind === 'ambiguous') return { ...ambiguousCause(found), keys: [identityKeyOf.pair(pair)] };
    if (found.kind === 'event') return { id: found.identity.eventId, swapped: found.swapped };
    // An own id that the log lacks goes before one that another source has reserved.
    if (found.kind === 'reserved' && reserved === undefined) return found;
  }
  if (reserved !== undefined) return { id: reserved, swapped: false };
  const id = (await session.identities.allocate('event'))[0]!;
  session.states.markNew('event', id);
  return { id, swapped: false };
}

async function scheduleContentOf(
  session: IngestSession,
  message: ScheduleMessage,
  sides: readonly [EventSide, EventSide],
): Promise<ScheduleContent> {
  const { kind, source, at, sport, league, ref, refs, participants, venue, competition, season_year, ...facts } =
    message;
  return {
    ...facts,
    ...(isAddedLeague(league) ? { season_year: scheduledYear(league, message) } : {}),
    sides,
    ...(venue ? { venue: await venueWithId(session, venue) } : {}),
    ...(competition ? { competition: await competitionWithId(session, league, competition) } : {}),
  };
}

async function bindRefs(
  session: IngestSession,
  message: ScheduleMessage,
  identity: EventIdentity,
  swapped: boolean,
): Promise<void> {
  const { source, ref, refs = {}, at } = message;
  const state = await session.states.get(eventDecider, identity.eventId);
  for (const [refSource, sourceRef] of [[source, ref], ...Object.entries(refs)] as [string, string][]) {
    const bound = await findBoundEvent(session, refSource, sourceRef);
    if (bound && bound.id !== identity.eventId) {
      // Rebind an id that was allocated before a crash and has no event: otherwise nothing with this ref would ever be
      // found.
      if ((await session.states.get(eventDecider, bound.id)).identity !== null) continue;
    } else if (bound && state.refs.get(refSource)?.has(sourceRef)) {
      if (refSource === source) session.noteKnown(identityKeyOf.event(refSource, sourceRef));
      continue;
    }
    await session.identities.bindEvent(refSource, sourceRef, { id: identity.eventId, swapped });
    if (refSource !== source) {
      const binding = { kind: 'binding', identity, at, source: refSource, ref: sourceRef, swapped } as const;
      await session.states.decide(eventDecider, identity.eventId, binding);
    }
    session.noteKnown(identityKeyOf.event(refSource, sourceRef));
  }
}

async function noteOwnSport(session: IngestSession, { sport, at, source }: ScheduleMessage): Promise<void> {
  if (!isOwnSport(sport)) return;
  await session.states.decide(sportsDecider, SPORTS_STREAM_ID, { at, source, sport, like: playsLike(sport) });
}

async function describeSeason(session: IngestSession, message: ScheduleMessage): Promise<void> {
  const { season, at, source, sport, league } = message;
  const id = seasonOf(message);
  const { name, start_date, end_date } = season ?? {};
  const facts = {
    ...(name === undefined ? {} : { name }),
    ...(start_date === undefined ? {} : { start_date }),
    ...(end_date === undefined ? {} : { end_date }),
  };
  await session.states.decide(seasonDecider, id, {
    seasonId: id,
    at,
    source,
    season: facts,
    ...(isAddedLeague(league) ? { sport } : {}),
  });
}

const seasonOf = ({ league, season, starts_at }: ScheduleMessage): number =>
  scheduledSeasonId(league, { season, starts_at });

export const scheduleLookups: MessageLookups<ScheduleMessage> = {
  addHints({ sport, source, ref, refs = {}, participants }, hints) {
    hints.events.push({ source, ref });
    for (const [refSource, sourceRef] of Object.entries(refs)) hints.events.push({ source: refSource, ref: sourceRef });
    const { entry: kind } = rulesOf(sport);
    for (const participant of participants.flatMap((side) => side.members ?? [side])) {
      if (participant.ref !== undefined) hints.entities.push({ kind, scope: sport, source, ref: participant.ref });
      addNameHint(hints, sport, participant.name);
    }
  },
  sidesOf({ sport, participants: [first, second] }) {
    return { sport, names: [first!.name, second!.name] };
  },
  async streamsOf(session, message) {
    const { sport, source, ref, participants } = message;
    const streams: DeciderStream[] = [[seasonDecider, seasonOf(message)]];
    if (isOwnSport(sport)) streams.push([sportsDecider, SPORTS_STREAM_ID]);
    const { entry } = rulesOf(sport);
    const decider = entry === 'team' ? teamDecider : playerDecider;
    for (const { name } of participants) {
      const ids = await session.identities.findByName(entry, sport, normalizeName(name));
      streams.push(...ids.map((id) => [decider, id] as const));
    }
    return [...streams, ...(await streamsOfEvent(session, source, ref))];
  },
};

import { isDeepStrictEqual } from 'node:util';
import { createEvent } from '../../src/domain/event-sourcing/stream-kind.ts';
import { canonicalJson } from '../../src/domain/primitives/canonical-json.ts';
import {
  applySchedule,
  applyScore,
  isForwardTransition,
  isOver,
  isStatusAccepted,
  type ScheduleContent,
  type ScoreContent,
  type SportsEvent,
} from '../../src/domain/sports-events/sports-event.ts';
import { eventStream } from '../../src/domain/streams/stream-definitions.ts';
import {
  identityWithOrigin,
  type ScheduleCommand,
  type ScoreCommand,
  type SportsEventEvent,
  withCanonicalTime,
} from './event-commands.ts';

/** Where a message belongs in the history of its event; `late`: what the whole history amounts to with it. */
export type EventPlacement =
  | { readonly kind: 'known' | 'newest' }
  | { readonly kind: 'repeated'; readonly of: number }
  | { readonly kind: 'late'; readonly late: SportsEvent };

type ScheduleOrScoreCommand = ScheduleCommand | ScoreCommand;

/**
 * What follows from a schedule or a score. One whose status does not count is recorded all the same: the history is
 * complete.
 * @param present the event as it stands
 */
export function decideScheduleOrScore(
  fact: ScheduleOrScoreCommand,
  placed: EventPlacement,
  present: SportsEvent,
): SportsEventEvent[] {
  const place = placed.kind === 'repeated' && wouldChange(fact, present) ? ({ kind: 'newest' } as const) : placed;
  if (place.kind === 'known') return [];
  const { at, source, identity } = fact;
  if (place.kind === 'repeated') {
    const data = { at, source, of: place.of, ...identityWithOrigin(fact) };
    const type = fact.kind === 'schedule' ? 'ScheduleReconfirmed' : 'ScoreReconfirmed';
    return [createEvent(eventStream, identity.eventId, type, data)];
  }
  const beyond = lateStateAndCorrection(fact, place, present);
  if (fact.kind === 'schedule') {
    const data = { at, source, content: fact.content, ...beyond, ...identityWithOrigin(fact) };
    return [createEvent(eventStream, identity.eventId, 'EventScheduled', data)];
  }
  const data = { at, source, content: fact.content, ...beyond, ...identityWithOrigin(fact) };
  return [createEvent(eventStream, identity.eventId, 'ScoreChanged', data)];
}

/**
 * A repetition is compact only where it changes nothing. Between the two the other subject of the event, or another
 * source, may have changed the status: the same words then change it back, or count where they did not, and whoever
 * says the present status again is one who told it.
 */
const wouldChange = (fact: ScheduleOrScoreCommand, present: SportsEvent): boolean =>
  !isDeepStrictEqual(applyCommand(fact, present), present);

/** The event once this is said of it. */
function applyCommand(fact: ScheduleOrScoreCommand, present: SportsEvent): SportsEvent {
  const event = structuredClone(present);
  return fact.kind === 'schedule'
    ? applySchedule(event, withCanonicalTime<ScheduleContent>(fact))
    : applyScore(event, withCanonicalTime<ScoreContent>(fact));
}

/** What a record must tell beyond what was said: the state after a late one, and whether it corrects something. */
function lateStateAndCorrection(
  fact: ScheduleOrScoreCommand,
  place: EventPlacement,
  present: SportsEvent,
): { late?: SportsEvent; correction?: true } {
  if (place.kind === 'late') {
    const { late } = place;
    return isOver(present.status) && canonicalJson(late) !== canonicalJson(present)
      ? { late, correction: true }
      : { late };
  }
  const { source, content } = fact;
  const { status } = content;
  if (status === undefined || !isStatusAccepted(present, status, source)) return {};
  if (status !== present.status && !isForwardTransition(present.status, status)) return { correction: true };
  if (!isOver(present.status)) return {};
  return outcomeOf(applyCommand(fact, present)) === outcomeOf(present) ? {} : { correction: true };
}

/** Who told a status is no part of the result. */
const outcomeOf = ({ statusSources: _, ...event }: SportsEvent): string => canonicalJson(event);

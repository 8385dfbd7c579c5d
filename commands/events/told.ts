import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '../../src/domain/canonical.ts';
import {
  applySchedule,
  applyScore,
  isForward,
  isOver,
  type ScheduleContent,
  type ScoreContent,
  type SportsEvent,
  statusCounts,
} from '../../src/domain/sports-event.ts';
import { eventStream } from '../../src/domain/streams/sports-event-stream.ts';
import { happened } from '../../src/domain/streams/stream-kind.ts';
import { named, type ScheduleFact, type ScoreFact, type SportsEventEvent, spelled } from './event-facts.ts';

/** Where a message belongs in the history of its event; `late`: what the whole history amounts to with it. */
export type EventPlace =
  | { readonly kind: 'known' | 'newest' }
  | { readonly kind: 'repeated'; readonly of: number }
  | { readonly kind: 'late'; readonly late: SportsEvent };

type SaidFact = ScheduleFact | ScoreFact;

/**
 * What follows from a schedule or a score. One whose status does not count is recorded all the same: the history is
 * complete.
 * @param present the event as it stands
 */
export function told(fact: SaidFact, placed: EventPlace, present: SportsEvent): SportsEventEvent[] {
  const place = placed.kind === 'repeated' && changes(fact, present) ? ({ kind: 'newest' } as const) : placed;
  if (place.kind === 'known') return [];
  const { at, source, identity } = fact;
  if (place.kind === 'repeated') {
    const data = { at, source, of: place.of, ...named(fact) };
    const type = fact.kind === 'schedule' ? 'ScheduleReconfirmed' : 'ScoreReconfirmed';
    return [happened(eventStream, identity.eventId, type, data)];
  }
  const beyond = consequence(fact, place, present);
  if (fact.kind === 'schedule') {
    const data = { at, source, content: fact.content, ...beyond, ...named(fact) };
    return [happened(eventStream, identity.eventId, 'EventScheduled', data)];
  }
  const data = { at, source, content: fact.content, ...beyond, ...named(fact) };
  return [happened(eventStream, identity.eventId, 'ScoreChanged', data)];
}

/**
 * A repetition is compact only where it changes nothing. Between the two the other subject of the event, or another
 * source, may have changed the status: the same words then change it back, or count where they did not, and whoever
 * says the present status again is one who told it.
 */
const changes = (fact: SaidFact, present: SportsEvent): boolean => !isDeepStrictEqual(after(fact, present), present);

/** The event once this is said of it. */
function after(fact: SaidFact, present: SportsEvent): SportsEvent {
  const event = structuredClone(present);
  return fact.kind === 'schedule'
    ? applySchedule(event, spelled<ScheduleContent>(fact))
    : applyScore(event, spelled<ScoreContent>(fact));
}

/** What a record must tell beyond what was said: the state after a late one, and whether it corrects something. */
function consequence(
  fact: SaidFact,
  place: EventPlace,
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
  if (status === undefined || !statusCounts(present, status, source)) return {};
  if (status !== present.status && !isForward(present.status, status)) return { correction: true };
  if (!isOver(present.status)) return {};
  return outcomeOf(after(fact, present)) === outcomeOf(present) ? {} : { correction: true };
}

/** Who told a status is no part of the result. */
const outcomeOf = ({ statusSources: _, ...event }: SportsEvent): string => canonicalJson(event);

import { type Decision, NEEDS_HISTORY, type StreamDecider } from '../../src/domain/decider.ts';
import type { Said } from '../../src/domain/history.ts';
import { type Newest, type PlaceAfter, placeAfter } from '../../src/domain/newest.ts';
import { timeOf } from '../../src/domain/observation.ts';
import { eventStream } from '../../src/domain/streams/sports-event-stream.ts';
import {
  type EventFact,
  type InjuriesCheckedFact,
  type SportsEventEvent,
  scheduleSaid,
  scoreSaid,
} from './event-facts.ts';
import { eventHistory } from './event-history.ts';
import { type EventState, evolveEvent, initialEvent } from './event-state.ts';
import { decideOther } from './other-facts.ts';
import { told } from './told.ts';

export type { EventFact } from './event-facts.ts';
export type { EventState } from './event-state.ts';

function decide(fact: EventFact, state: EventState): Decision<SportsEventEvent> {
  if (fact.kind === 'schedule' || fact.kind === 'score') {
    const { newest, event } = state;
    const place =
      fact.kind === 'schedule'
        ? placeOf(scheduleSaid(fact), newest.schedule, newest.score)
        : placeOf(scoreSaid(fact), newest.score, newest.schedule);
    return place.kind === 'unclear' ? NEEDS_HISTORY : told(fact, place, event);
  }
  if (fact.kind === 'injuries checked') {
    const checked = isChecked(fact, state);
    if (checked === 'unclear') return NEEDS_HISTORY;
    if (checked) return [];
  }
  return decideOther(fact, state);
}

/** The event is the fold of both subjects: what is newer than its own may be older than the other's. */
function placeOf(said: Said<object>, own: Newest | undefined, other: Newest | undefined): PlaceAfter {
  const place = placeAfter(own, said, { bySource: true });
  if (place.kind === 'known' || other === undefined) return place;
  const at = timeOf(said.at);
  const isBehind = at > other.at || (at === other.at && (said.rank ?? 0) > other.rank);
  return isBehind ? place : { kind: 'unclear' };
}

function isChecked({ at, source }: InjuriesCheckedFact, { checked }: EventState): boolean | 'unclear' {
  const last = checked.get(source);
  const time = timeOf(at);
  if (last === undefined || time > last) return false;
  return time === last ? true : 'unclear';
}

export const eventDecider: StreamDecider<EventState, EventFact, SportsEventEvent> = {
  stream: eventStream,
  initial: initialEvent,
  decide,
  evolve: evolveEvent,
  lastSaid(fact, { newest, checked }) {
    if (fact.kind === 'schedule' || fact.kind === 'score') return newest[fact.kind]?.at;
    return fact.kind === 'injuries checked' ? checked.get(fact.source) : undefined;
  },
  history: eventHistory,
  stateVersion: 1,
};

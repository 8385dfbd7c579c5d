import { eventStream } from '../../src/domain/streams/sports-event-stream.ts';
import { happened } from '../../src/domain/streams/stream-kind.ts';
import { decideDescription } from './description.ts';
import {
  type BindingFact,
  type EventFact,
  type InjuriesCheckedFact,
  named,
  type ScheduleFact,
  type ScoreFact,
  type SportsEventEvent,
} from './event-facts.ts';
import type { EventState } from './event-state.ts';

/** What follows from a fact that is neither schedule nor score, where it is new. */
export function decideOther(fact: Exclude<EventFact, ScheduleFact | ScoreFact>, state: EventState): SportsEventEvent[] {
  switch (fact.kind) {
    case 'injuries checked':
      return injuriesChecked(fact);
    case 'binding':
      return decideBinding(fact, state);
    case 'description':
      return decideDescription(fact, state);
  }
}

/** A source's own id of the event, where no schedule of that source says so. */
function decideBinding(fact: BindingFact, state: EventState): SportsEventEvent[] {
  if (state.refs.get(fact.source)?.has(fact.ref)) return [];
  const { identity, at, source, ref, turned } = fact;
  const data = { at, source, ref, turned, ...named({ identity }) };
  return [happened(eventStream, identity.eventId, 'EventBound', data)];
}

/** A source looked for injuries and found nothing new. */
function injuriesChecked(fact: InjuriesCheckedFact): SportsEventEvent[] {
  const { at, source } = fact;
  return [happened(eventStream, fact.identity.eventId, 'InjuriesChecked', { at, source, ...named(fact) })];
}

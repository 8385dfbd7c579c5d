import { createEvent } from '../../src/domain/event-sourcing/stream-kind.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { sameProfile } from '../../src/domain/sports-events/sports-event.ts';
import { eventStream } from '../../src/domain/streams/stream-definitions.ts';
import {
  type BindingCommand,
  type DescriptionCommand,
  type EventCommand,
  type InjuriesCheckedCommand,
  identityWithOrigin,
  type ScheduleCommand,
  type ScoreCommand,
  type SportsEventEvent,
} from './event-commands.ts';
import { descriptionKey, type EventState } from './event-state.ts';

/** The events for a command other than schedule or score, if it is new. */
export function decideBindingOrDescription(
  fact: Exclude<EventCommand, ScheduleCommand | ScoreCommand>,
  state: EventState,
): SportsEventEvent[] {
  switch (fact.kind) {
    case 'injuries checked':
      return decideInjuriesChecked(fact);
    case 'binding':
      return decideBinding(fact, state);
    case 'description':
      return decideDescription(fact, state);
  }
}

/** A source's id of the event, unless a schedule of that source already has it. */
function decideBinding(fact: BindingCommand, state: EventState): SportsEventEvent[] {
  if (state.refs.get(fact.source)?.has(fact.ref)) return [];
  const { identity, at, source, ref, swapped } = fact;
  const data = { at, source, ref, turned: swapped, ...identityWithOrigin({ identity }) };
  return [createEvent(eventStream, identity.eventId, 'EventBound', data)];
}

/** A source checked injuries and found nothing new. */
function decideInjuriesChecked(fact: InjuriesCheckedCommand): SportsEventEvent[] {
  const { at, source } = fact;
  return [
    createEvent(eventStream, fact.identity.eventId, 'InjuriesChecked', { at, source, ...identityWithOrigin(fact) }),
  ];
}

/**
 * The profiles of a side from the directory that the event does not show yet, with their times: then answers as of any
 * time need only the records of the event. Of the profiles before the first schedule of the event, only the last
 * counts.
 */
function decideDescription(fact: DescriptionCommand, state: EventState): SportsEventEvent[] {
  const { identity, side, source } = fact;
  const first = state.firstSchedule ?? 0;
  const standings = fact.profiles.filter(
    (_, index, all) => index + 1 === all.length || timeOf(all[index + 1]!.at) > first,
  );
  const told = state.described.get(side);
  const own = state.own.get(side);
  if (!told && own && standings.length === 1 && sameProfile(own, standings[0]!.profile)) return [];
  // Times at which a former description changed the profile, but no longer does.
  const settled = [...(told?.values() ?? [])]
    .filter(({ rank, at }) => rank === 'described' && !fact.profiles.some((standing) => standing.at === at))
    .flatMap(({ rank, at }) => {
      const last = fact.profiles.findLast((standing) => timeOf(standing.at) < timeOf(at));
      return last ? [{ rank, at, profile: last.profile }] : [];
    });
  return [...standings, ...settled]
    .filter((standing) => {
      const known = told?.get(descriptionKey(standing));
      return !known || !sameProfile(known.profile, standing.profile);
    })
    .sort((a, b) => timeOf(a.at) - timeOf(b.at))
    .map(({ rank, at, profile }) => {
      const data = { at, source, side, rank, profile, ...identityWithOrigin({ identity }) };
      return createEvent(eventStream, identity.eventId, 'ParticipantDescribed', data);
    });
}

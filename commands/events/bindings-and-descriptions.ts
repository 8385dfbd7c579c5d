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
  command: Exclude<EventCommand, ScheduleCommand | ScoreCommand>,
  state: EventState,
): SportsEventEvent[] {
  switch (command.kind) {
    case 'injuries checked':
      return decideInjuriesChecked(command);
    case 'binding':
      return decideBinding(command, state);
    case 'description':
      return decideDescription(command, state);
  }
}

/** A source's id of the event, unless a schedule of that source already has it. */
function decideBinding(command: BindingCommand, state: EventState): SportsEventEvent[] {
  if (state.refs.get(command.source)?.has(command.ref)) return [];
  const { identity, at, source, ref, swapped } = command;
  const data = { at, source, ref, turned: swapped, ...identityWithOrigin({ identity }) };
  return [createEvent(eventStream, identity.eventId, 'EventBound', data)];
}

/** A source checked injuries and found nothing new. */
function decideInjuriesChecked(command: InjuriesCheckedCommand): SportsEventEvent[] {
  const { at, source } = command;
  return [
    createEvent(eventStream, command.identity.eventId, 'InjuriesChecked', {
      at,
      source,
      ...identityWithOrigin(command),
    }),
  ];
}

/**
 * The profiles of a side from the directory that the event does not show yet, with their times: then answers as of any
 * time need only the records of the event. Of the profiles before the first schedule of the event, only the last
 * counts.
 */
function decideDescription(command: DescriptionCommand, state: EventState): SportsEventEvent[] {
  const { identity, side, source } = command;
  const first = state.firstSchedule ?? 0;
  const profiles = command.profiles.filter(
    (_, index, all) => index + 1 === all.length || timeOf(all[index + 1]!.at) > first,
  );
  const described = state.described.get(side);
  const scheduled = state.own.get(side);
  if (!described && scheduled && profiles.length === 1 && sameProfile(scheduled, profiles[0]!.profile)) return [];
  // Times at which a former description changed the profile, but no longer does.
  const reverted = [...(described?.values() ?? [])]
    .filter(({ rank, at }) => rank === 'described' && !command.profiles.some((profile) => profile.at === at))
    .flatMap(({ rank, at }) => {
      const last = command.profiles.findLast((profile) => timeOf(profile.at) < timeOf(at));
      return last ? [{ rank, at, profile: last.profile }] : [];
    });
  return [...profiles, ...reverted]
    .filter((profile) => {
      const known = described?.get(descriptionKey(profile));
      return !known || !sameProfile(known.profile, profile.profile);
    })
    .sort((a, b) => timeOf(a.at) - timeOf(b.at))
    .map(({ rank, at, profile }) => {
      const data = { at, source, side, rank, profile, ...identityWithOrigin({ identity }) };
      return createEvent(eventStream, identity.eventId, 'ParticipantDescribed', data);
    });
}

import { isDeepStrictEqual } from 'node:util';
import { createEvent } from '../../src/domain/event-sourcing/stream-kind.ts';
import type { Placement } from '../../src/domain/observations/observation-history.ts';
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

type ScheduleOrScoreCommand = ScheduleCommand | ScoreCommand;

/**
 * The events for a schedule or a score. One whose status is not accepted is recorded too, so that the history is
 * complete.
 * @param present the current event
 */
export function decideScheduleOrScore(
  command: ScheduleOrScoreCommand,
  reportedPlacement: Placement<SportsEvent>,
  present: SportsEvent,
): SportsEventEvent[] {
  const placement =
    reportedPlacement.kind === 'reconfirmed' && wouldChange(command, present)
      ? ({ kind: 'newest' } as const)
      : reportedPlacement;
  if (placement.kind === 'duplicate') return [];
  const { at, source, identity } = command;
  if (placement.kind === 'repeated') {
    const data = { at, source, of: placement.of, ...identityWithOrigin(command) };
    const type = command.kind === 'schedule' ? 'ScheduleRepeated' : 'ScoreRepeated';
    return [createEvent(eventStream, identity.eventId, type, data)];
  }
  if (placement.kind === 'reconfirmed') {
    const data = { at, source, of: placement.of, ...identityWithOrigin(command) };
    const type = command.kind === 'schedule' ? 'ScheduleReconfirmed' : 'ScoreReconfirmed';
    return [createEvent(eventStream, identity.eventId, type, data)];
  }
  const lateAndCorrection = lateStateAndCorrection(command, placement, present);
  if (command.kind === 'schedule') {
    const data = { at, source, content: command.content, ...lateAndCorrection, ...identityWithOrigin(command) };
    return [createEvent(eventStream, identity.eventId, 'EventScheduled', data)];
  }
  const data = { at, source, content: command.content, ...lateAndCorrection, ...identityWithOrigin(command) };
  return [createEvent(eventStream, identity.eventId, 'ScoreChanged', data)];
}

/**
 * A repetition is recorded in compact form only if it changes nothing. Since the original, the other kind of report or
 * another source may have changed the status. Then the same content changes it back, or is accepted where it was not,
 * and a repetition of the current status adds its source.
 */
const wouldChange = (command: ScheduleOrScoreCommand, present: SportsEvent): boolean =>
  !isDeepStrictEqual(applyCommand(command, present), present);

/** The event after this command. */
function applyCommand(command: ScheduleOrScoreCommand, present: SportsEvent): SportsEvent {
  const event = structuredClone(present);
  return command.kind === 'schedule'
    ? applySchedule(event, withCanonicalTime<ScheduleContent>(command))
    : applyScore(event, withCanonicalTime<ScoreContent>(command));
}

/** The members of a record besides the report: the state if it is late, and whether it is a correction. */
function lateStateAndCorrection(
  command: ScheduleOrScoreCommand,
  placement: Placement<SportsEvent>,
  present: SportsEvent,
): { late?: SportsEvent; correction?: true } {
  if (placement.kind === 'late') {
    const { late } = placement;
    return isOver(present.status) && canonicalJson(late) !== canonicalJson(present)
      ? { late, correction: true }
      : { late };
  }
  const { source, content } = command;
  const { status } = content;
  if (status === undefined || !isStatusAccepted(present, status, source)) return {};
  if (status !== present.status && !isForwardTransition(present.status, status)) return { correction: true };
  if (!isOver(present.status)) return {};
  return outcomeOf(applyCommand(command, present)) === outcomeOf(present) ? {} : { correction: true };
}

/** The sources of a status are not part of the outcome. */
const outcomeOf = ({ statusSources: _, ...event }: SportsEvent): string => canonicalJson(event);

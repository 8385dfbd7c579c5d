import type { EventOfKind } from '../../src/domain/event-sourcing/stream-kind.ts';
import { type Naming, type Observation, timeOf } from '../../src/domain/observations/observation.ts';
import type { SourceReport } from '../../src/domain/observations/observation-history.ts';
import { formatTime } from '../../src/domain/primitives/time.ts';
import { type ScheduleContent, type ScoreContent, statusRank } from '../../src/domain/sports-events/sports-event.ts';
import type { EventIdentity, Origin } from '../../src/domain/streams/domain-events.ts';
import type { eventStream } from '../../src/domain/streams/stream-definitions.ts';
import type { ProfileFrom } from '../directory-decider.ts';

interface EventCommandBase {
  readonly identity: EventIdentity;
  readonly source: string;
}
interface ObservedCommand extends EventCommandBase {
  readonly at: string;
  readonly origin?: Origin;
}
export interface ScheduleCommand extends ObservedCommand {
  readonly kind: 'schedule';
  readonly content: ScheduleContent;
}
export interface ScoreCommand extends ObservedCommand {
  readonly kind: 'score';
  readonly content: ScoreContent;
}
export interface InjuriesCheckedCommand extends ObservedCommand {
  readonly kind: 'injuries checked';
}
/** `swapped`: the source has the sides in the opposite order. */
export interface BindingCommand extends EventCommandBase {
  readonly kind: 'binding';
  readonly at: string;
  readonly ref: string;
  readonly swapped: boolean;
}
export interface DescriptionCommand extends EventCommandBase {
  readonly kind: 'description';
  readonly side: string;
  readonly profiles: readonly ProfileFrom[];
}
export type EventCommand =
  | ScheduleCommand
  | ScoreCommand
  | InjuriesCheckedCommand
  | BindingCommand
  | DescriptionCommand;

export type SportsEventEvent = EventOfKind<typeof eventStream>;

/** At equal times a schedule comes before every score: an event is scheduled before it is played. */
const SCHEDULE_RANK = -100;

export const toScheduleReport = (
  report: Naming & { at: string; source: string; content: ScheduleContent },
): SourceReport<ScheduleContent> => ({
  at: report.at,
  source: report.source,
  content: report.content,
  rank: SCHEDULE_RANK + statusRank(report.content.status),
  origin: report.origin,
});
export const toScoreReport = (
  report: Naming & { at: string; source: string; content: ScoreContent },
): SourceReport<ScoreContent> => ({
  at: report.at,
  source: report.source,
  content: report.content,
  rank: statusRank(report.content.status),
  origin: report.origin,
});

/** The identity as records store it, with how the message identified the event. */
export const identityWithOrigin = ({
  identity,
  origin,
}: {
  identity: EventIdentity;
  origin?: Origin;
}): EventIdentity => ({
  eventId: identity.eventId,
  sport: identity.sport,
  league: identity.league,
  ...(origin === undefined ? {} : { origin }),
});

/** The observation with its time in canonical spelling. */
export const withCanonicalTime = <Content>({ at, source, content }: Observation<Content>): Observation<Content> => ({
  at: formatTime(timeOf(at)),
  source,
  content,
});

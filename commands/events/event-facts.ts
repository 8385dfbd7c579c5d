import type { EventIdentity, Origin } from '../../src/domain/domain-events.ts';
import type { Said } from '../../src/domain/history.ts';
import { type Observation, timeOf } from '../../src/domain/observation.ts';
import { type ScheduleContent, type ScoreContent, statusRank } from '../../src/domain/sports-event.ts';
import type { eventStream } from '../../src/domain/streams/sports-event-stream.ts';
import type { EventOfKind } from '../../src/domain/streams/stream-kind.ts';
import { formatTime } from '../../src/domain/time.ts';
import type { Standing } from '../directory/decider.ts';

interface Fact {
  readonly identity: EventIdentity;
  readonly source: string;
}
interface SaidFact extends Fact {
  readonly at: string;
  readonly origin?: Origin;
}
export interface ScheduleFact extends SaidFact {
  readonly kind: 'schedule';
  readonly content: ScheduleContent;
}
export interface ScoreFact extends SaidFact {
  readonly kind: 'score';
  readonly content: ScoreContent;
}
export interface InjuriesCheckedFact extends SaidFact {
  readonly kind: 'injuries checked';
}
/** `turned`: the source has the sides the other way round than the event. */
export interface BindingFact extends Fact {
  readonly kind: 'binding';
  readonly at: string;
  readonly ref: string;
  readonly turned: boolean;
}
export interface DescriptionFact extends Fact {
  readonly kind: 'description';
  readonly side: string;
  readonly standings: readonly Standing[];
}
export type EventFact = ScheduleFact | ScoreFact | InjuriesCheckedFact | BindingFact | DescriptionFact;

export type SportsEventEvent = EventOfKind<typeof eventStream>;

/** A schedule ranks before every score of the same time: an event is known before it is played. */
const SCHEDULE_RANK = -100;

export const scheduleSaid = (said: {
  at: string;
  source: string;
  content: ScheduleContent;
}): Said<ScheduleContent> => ({
  at: said.at,
  source: said.source,
  content: said.content,
  rank: SCHEDULE_RANK + statusRank(said.content.status),
});
export const scoreSaid = (said: { at: string; source: string; content: ScoreContent }): Said<ScoreContent> => ({
  at: said.at,
  source: said.source,
  content: said.content,
  rank: statusRank(said.content.status),
});

/** The identity as records carry it, with how this message named the event. */
export const named = ({ identity, origin }: { identity: EventIdentity; origin?: Origin }): EventIdentity => ({
  eventId: identity.eventId,
  sport: identity.sport,
  league: identity.league,
  ...(origin === undefined ? {} : { origin }),
});

/** What was said, with its time as the server spells it. */
export const spelled = <Content>({ at, source, content }: Observation<Content>): Observation<Content> => ({
  at: formatTime(timeOf(at)),
  source,
  content,
});

import {
  type Decider,
  type Decision,
  NEEDS_HISTORY,
  type StreamDecider,
} from '../../src/domain/event-sourcing/stream-decider.ts';
import type { RecordOf } from '../../src/domain/event-sourcing/stream-kind.ts';
import {
  type NewestObservation,
  type NewestPlacement,
  placeByNewest,
} from '../../src/domain/observations/newest-observation.ts';
import { type HistoryEntry, timeOf } from '../../src/domain/observations/observation.ts';
import {
  addReconfirmation,
  addToHistory,
  findPlacement,
  type ObservationHistory,
  type SourceReport,
} from '../../src/domain/observations/observation-history.ts';
import { formatTime } from '../../src/domain/primitives/time.ts';
import {
  applySchedule,
  applyScore,
  newSportsEvent,
  type ScheduleContent,
  type ScoreContent,
  type SportsEvent,
} from '../../src/domain/sports-events/sports-event.ts';
import { eventStream } from '../../src/domain/streams/stream-definitions.ts';
import { decideBindingOrDescription } from './bindings-and-descriptions.ts';
import {
  type EventCommand,
  type InjuriesCheckedCommand,
  type SportsEventEvent,
  toScheduleReport,
  toScoreReport,
} from './event-commands.ts';
import { type EventState, evolveEvent, initialEvent } from './event-state.ts';
import { decideScheduleOrScore, type EventPlacement } from './schedule-and-score.ts';

export type { EventCommand } from './event-commands.ts';
export type { EventState } from './event-state.ts';

function decide(fact: EventCommand, state: EventState): Decision<SportsEventEvent> {
  if (fact.kind === 'schedule' || fact.kind === 'score') {
    const { newest, event } = state;
    const place =
      fact.kind === 'schedule'
        ? placeByNewestOfBoth(toScheduleReport(fact), newest.schedule, newest.score)
        : placeByNewestOfBoth(toScoreReport(fact), newest.score, newest.schedule);
    return place.kind === 'unclear' ? NEEDS_HISTORY : decideScheduleOrScore(fact, place, event);
  }
  if (fact.kind === 'injuries checked') {
    const checked = isKnownCheck(fact, state);
    if (checked === 'unclear') return NEEDS_HISTORY;
    if (checked) return [];
  }
  return decideBindingOrDescription(fact, state);
}

/**
 * The event is the fold of schedules and scores: a report newer than the last of its own kind may be older than the
 * last of the other kind.
 */
function placeByNewestOfBoth(
  said: SourceReport<object>,
  own: NewestObservation | undefined,
  other: NewestObservation | undefined,
): NewestPlacement {
  const place = placeByNewest(own, said, { bySource: true });
  if (place.kind === 'known' || other === undefined) return place;
  const at = timeOf(said.at);
  const isBehind = at > other.at || (at === other.at && (said.rank ?? 0) > other.rank);
  return isBehind ? place : { kind: 'unclear' };
}

function isKnownCheck({ at, source }: InjuriesCheckedCommand, { checked }: EventState): boolean | 'unclear' {
  const last = checked.get(source);
  const time = timeOf(at);
  if (last === undefined || time > last) return false;
  return time === last ? true : 'unclear';
}

type ScheduleOrScore = { readonly schedule: ScheduleContent } | { readonly score: ScoreContent };

/** All reports on one sports event. */
interface EventWithHistory {
  readonly present: EventState;
  readonly history: ObservationHistory<ScheduleOrScore>;
  readonly checks: Set<string>;
}

/** One wrapper object per content, so that its canonical form is computed once. */
const wrappers = new WeakMap<object, ScheduleOrScore>();
function wrapContent<Content extends object>(
  kind: 'schedule' | 'score',
  said: SourceReport<Content>,
): SourceReport<ScheduleOrScore> {
  let content = wrappers.get(said.content);
  if (!content) {
    content = { [kind]: said.content } as unknown as ScheduleOrScore;
    wrappers.set(said.content, content);
  }
  return { ...said, content };
}

function apply(event: SportsEvent, { at, source, content }: HistoryEntry<ScheduleOrScore>): SportsEvent {
  const observation = { at: formatTime(at), source };
  return 'schedule' in content
    ? applySchedule(event, { ...observation, content: content.schedule })
    : applyScore(event, { ...observation, content: content.score });
}

function findEventPlacement(
  history: ObservationHistory<ScheduleOrScore>,
  kind: 'schedule' | 'score',
  said: SourceReport<ScheduleOrScore>,
): EventPlacement {
  const placement = findPlacement(history, said, { bySource: true, ofSubject: (content) => kind in content });
  if (placement.kind !== 'late') return placement;
  return { kind: 'late', late: placement.entries.reduce(apply, newSportsEvent()) };
}

/** Decides on reports older than others of the event. */
const lateEventDecider: Decider<EventWithHistory, EventCommand, SportsEventEvent> = {
  initial: () => ({ present: initialEvent(), history: [], checks: new Set() }),
  decide(fact, { present, history, checks }) {
    if (fact.kind === 'schedule') {
      return decideScheduleOrScore(
        fact,
        findEventPlacement(history, 'schedule', wrapContent('schedule', toScheduleReport(fact))),
        present.event,
      );
    }
    if (fact.kind === 'score') {
      return decideScheduleOrScore(
        fact,
        findEventPlacement(history, 'score', wrapContent('score', toScoreReport(fact))),
        present.event,
      );
    }
    const isKnown = fact.kind === 'injuries checked' && checks.has(`${fact.at}|${fact.source}`);
    return isKnown ? [] : decideBindingOrDescription(fact, present);
  },
  evolve(state: EventWithHistory, record: RecordOf<SportsEventEvent>) {
    const { history, checks } = state;
    const { data, revision, type } = record;
    if (type === 'EventScheduled') addToHistory(history, wrapContent('schedule', toScheduleReport(data)), revision);
    else if (type === 'ScoreChanged') addToHistory(history, wrapContent('score', toScoreReport(data)), revision);
    else if (type === 'ScheduleReconfirmed' || type === 'ScoreReconfirmed') addReconfirmation(history, data);
    else if (type === 'InjuriesChecked') checks.add(`${data.at}|${data.source}`);
    evolveEvent(state.present, record);
    return state;
  },
};

export const eventDecider: StreamDecider<EventState, EventCommand, SportsEventEvent> = {
  stream: eventStream,
  initial: initialEvent,
  decide,
  evolve: evolveEvent,
  lastReportedAt(fact, { newest, checked }) {
    if (fact.kind === 'schedule' || fact.kind === 'score') return newest[fact.kind]?.at;
    return fact.kind === 'injuries checked' ? checked.get(fact.source) : undefined;
  },
  history: lateEventDecider,
  stateVersion: 1,
};

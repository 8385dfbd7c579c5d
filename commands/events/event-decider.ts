import {
  type Decider,
  type Decision,
  NEEDS_HISTORY,
  type StreamDecider,
} from '../../src/domain/event-sourcing/stream-decider.ts';
import type { RecordOf } from '../../src/domain/event-sourcing/stream-kind.ts';
import {
  lastReportedAtBy,
  type NewestObservation,
  placeByNewest,
} from '../../src/domain/observations/newest-observation.ts';
import { calledOf, type HistoryEntry, type Naming, timeOf } from '../../src/domain/observations/observation.ts';
import {
  addReconfirmation,
  addToHistory,
  findPlacement,
  type ObservationHistory,
  type Placement,
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
import type { DomainEventData } from '../../src/domain/streams/domain-events.ts';
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
import { decideScheduleOrScore } from './schedule-and-score.ts';

export type { EventCommand } from './event-commands.ts';
export type { EventState } from './event-state.ts';

function decide(command: EventCommand, state: EventState): Decision<SportsEventEvent> {
  if (command.kind === 'schedule' || command.kind === 'score') {
    const { newest, event } = state;
    const placement =
      command.kind === 'schedule'
        ? placeByNewestOfBoth(toScheduleReport(command), newest.schedule, newest.score)
        : placeByNewestOfBoth(toScoreReport(command), newest.score, newest.schedule);
    return placement === NEEDS_HISTORY ? NEEDS_HISTORY : decideScheduleOrScore(command, placement, event);
  }
  if (command.kind === 'injuries checked') {
    const isKnown = isKnownCheck(command, state);
    if (isKnown === NEEDS_HISTORY) return NEEDS_HISTORY;
    if (isKnown) return [];
  }
  return decideBindingOrDescription(command, state);
}

/**
 * The event is the fold of schedules and scores: a report newer than the last of its own kind may be older than the
 * last of the other kind.
 */
function placeByNewestOfBoth(
  report: SourceReport<object>,
  newestOfKind: NewestObservation | undefined,
  newestOfOtherKind: NewestObservation | undefined,
): ReturnType<typeof placeByNewest> {
  const placement = placeByNewest(newestOfKind, report, { bySource: true });
  const isKnown = placement !== NEEDS_HISTORY && (placement.kind === 'duplicate' || placement.kind === 'repeated');
  if (placement === NEEDS_HISTORY || isKnown || newestOfOtherKind === undefined) return placement;
  const at = timeOf(report.at);
  const isNewestOfBoth =
    at > newestOfOtherKind.at || (at === newestOfOtherKind.at && (report.rank ?? 0) > newestOfOtherKind.rank);
  return isNewestOfBoth ? placement : NEEDS_HISTORY;
}

function isKnownCheck(
  { at, source }: InjuriesCheckedCommand,
  { checked: isKnown }: EventState,
): boolean | typeof NEEDS_HISTORY {
  const last = isKnown.get(source);
  const time = timeOf(at);
  if (last === undefined || time > last) return false;
  // It may be known under another name of the event alone.
  return NEEDS_HISTORY;
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
  report: SourceReport<Content>,
): SourceReport<ScheduleOrScore> {
  let content = wrappers.get(report.content);
  if (!content) {
    content = { [kind]: report.content } as unknown as ScheduleOrScore;
    wrappers.set(report.content, content);
  }
  return { ...report, content };
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
  report: SourceReport<ScheduleOrScore>,
): Placement<SportsEvent> {
  const placement = findPlacement(history, report, { bySource: true, ofSubject: (content) => kind in content });
  if (placement.kind !== 'late') return placement;
  return { kind: 'late', late: placement.late.reduce(apply, newSportsEvent()) };
}

const REPEATING: ReadonlySet<string> = new Set<SportsEventEvent['type']>([
  'ScheduleReconfirmed',
  'ScheduleRepeated',
  'ScoreReconfirmed',
  'ScoreRepeated',
]);

const checkKeyOf = (check: Naming & { readonly at: string; readonly source: string }): string =>
  `${check.at}|${check.source}|${calledOf(check)}`;

/** Decides on reports older than others of the event. */
const lateEventDecider: Decider<EventWithHistory, EventCommand, SportsEventEvent> = {
  initial: () => ({ present: initialEvent(), history: [], checks: new Set() }),
  decide(command, { present, history, checks }) {
    if (command.kind === 'schedule') {
      return decideScheduleOrScore(
        command,
        findEventPlacement(history, 'schedule', wrapContent('schedule', toScheduleReport(command))),
        present.event,
      );
    }
    if (command.kind === 'score') {
      return decideScheduleOrScore(
        command,
        findEventPlacement(history, 'score', wrapContent('score', toScoreReport(command))),
        present.event,
      );
    }
    const isKnown = command.kind === 'injuries checked' && checks.has(checkKeyOf(command));
    return isKnown ? [] : decideBindingOrDescription(command, present);
  },
  evolve(state: EventWithHistory, record: RecordOf<SportsEventEvent>) {
    const { history, checks } = state;
    const { data, revision, type } = record;
    if (type === 'EventScheduled') addToHistory(history, wrapContent('schedule', toScheduleReport(data)), revision);
    else if (type === 'ScoreChanged') addToHistory(history, wrapContent('score', toScoreReport(data)), revision);
    else if (REPEATING.has(type)) addReconfirmation(history, data as DomainEventData['ScoreReconfirmed']);
    else if (type === 'InjuriesChecked') checks.add(checkKeyOf(data));
    evolveEvent(state.present, record);
    return state;
  },
};

export const eventDecider: StreamDecider<EventState, EventCommand, SportsEventEvent> = {
  stream: eventStream,
  initial: initialEvent,
  decide,
  evolve: evolveEvent,
  lastReportedAt(command, { newest, checked: isKnown }) {
    if (command.kind === 'schedule' || command.kind === 'score') return lastReportedAtBy(newest[command.kind], command);
    return command.kind === 'injuries checked' ? isKnown.get(command.source) : undefined;
  },
  history: lateEventDecider,
  stateVersion: 4,
};

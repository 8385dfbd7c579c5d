import type { RecordOf } from '../../src/domain/event-sourcing/stream-kind.ts';
import {
  type NewestObservation,
  reconfirmNewest,
  repeatNewest,
  updateNewest,
} from '../../src/domain/observations/newest-observation.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import {
  applySchedule,
  applyScore,
  type EventSide,
  gameNumberOf,
  newSportsEvent,
  type Profile,
  profileFromSchedule,
  type SportsEvent,
  sameProfile,
} from '../../src/domain/sports-events/sports-event.ts';
import type { DomainEventData, EventIdentity } from '../../src/domain/streams/domain-events.ts';
import type { ProfileFrom } from '../directory-decider.ts';
import { type SportsEventEvent, toScheduleReport, toScoreReport, withCanonicalTime } from './event-commands.ts';

/** The write-side state of one sports event (stream `event-ID`). */
export interface EventState {
  identity: EventIdentity | null;
  event: SportsEvent;
  /** The newest schedule and the newest score. */
  newest: { schedule?: NewestObservation; score?: NewestObservation };
  /** Time of the earliest schedule, in milliseconds. */
  firstSchedule: number | null;
  /** Ids of the event by source. */
  refs: Map<string, Set<string>>;
  /** The newest schedule of each source. */
  schedules: Map<string, SourceSchedule & { readonly at: number }>;
  /** The descriptions of each side, by rank and time; the last one of equal rank and time counts. */
  described: Map<string, Map<string, ProfileFrom>>;
  /** The profile of each side from schedules; null if schedules disagree. */
  own: Map<string, Profile | null>;
  /** Time of each source's last injury check that found nothing new; milliseconds. */
  checked: Map<string, number>;
}

export const initialEvent = (): EventState => ({
  identity: null,
  event: newSportsEvent(),
  newest: {},
  firstSchedule: null,
  refs: new Map(),
  schedules: new Map(),
  described: new Map(),
  own: new Map(),
  checked: new Map(),
});

export function evolveEvent(state: EventState, record: RecordOf<SportsEventEvent>): EventState {
  const { newest } = state;
  switch (record.type) {
    case 'EventScheduled': {
      const { data, revision } = record;
      const { eventId, sport, league } = data;
      state.identity ??= { eventId, sport, league };
      addRefOf(state, data);
      for (const side of data.content.sides) addScheduledProfile(state, side);
      const at = timeOf(data.at);
      noteSchedule(state, data);
      if (state.firstSchedule === null || at < state.firstSchedule) state.firstSchedule = at;
      newest.schedule = updateNewest(newest.schedule, toScheduleReport(data), revision);
      // Copy the late state: later records change it, and must not change the record.
      state.event = data.late ? structuredClone(data.late) : applySchedule(state.event, withCanonicalTime(data));
      return state;
    }
    case 'ScoreChanged': {
      const { data, revision } = record;
      newest.score = updateNewest(newest.score, toScoreReport(data), revision);
      state.event = data.late ? structuredClone(data.late) : applyScore(state.event, withCanonicalTime(data));
      return state;
    }
    case 'ScheduleReconfirmed': {
      const reconfirmed = reconfirmNewest(newest.schedule, record.data);
      if (reconfirmed) newest.schedule = reconfirmed;
      addRefOf(state, record.data);
      return state;
    }
    case 'ScheduleRepeated': {
      const repeated = repeatNewest(newest.schedule, record.data);
      if (repeated) newest.schedule = repeated;
      addRefOf(state, record.data);
      return state;
    }
    case 'ScoreRepeated': {
      const repeated = repeatNewest(newest.score, record.data);
      if (repeated) newest.score = repeated;
      return state;
    }
    case 'ScoreReconfirmed': {
      const reconfirmed = reconfirmNewest(newest.score, record.data);
      if (reconfirmed) newest.score = reconfirmed;
      return state;
    }
    case 'EventBound':
      addRef(state, record.data.source, record.data.ref);
      return state;
    case 'ParticipantDescribed':
      addDescription(state, record.data.side, record.data);
      return state;
    case 'InjuriesChecked': {
      const { source } = record.data;
      const at = timeOf(record.data.at);
      state.checked.set(source, Math.max(at, state.checked.get(source) ?? at));
      return state;
    }
    default:
      return state;
  }
}

/** What one source said of an event in its last schedule. */
export interface SourceSchedule {
  /** Milliseconds. */
  readonly startsAt: number;
  /** The start is not known yet (`tbd`). */
  readonly isOpen: boolean;
  readonly gameNumber: number | null;
  /** The key of the side that this source names first. */
  readonly firstSide: string;
}

function noteSchedule({ schedules }: EventState, data: DomainEventData['EventScheduled']): void {
  const at = timeOf(data.at);
  if (at < (schedules.get(data.source)?.at ?? at)) return;
  const { starts_at, starts_at_qualifier, sides } = data.content;
  schedules.set(data.source, {
    at,
    startsAt: timeOf(starts_at),
    isOpen: starts_at_qualifier === 'tbd',
    gameNumber: gameNumberOf(data.content),
    firstSide: sides[data.origin?.turned ? 1 : 0].key,
  });
}

/** A schedule tells what its source calls the event. */
function addRefOf(state: EventState, { source, origin }: EventIdentity & { readonly source: string }): void {
  if (origin?.ref !== undefined) addRef(state, source, origin.ref);
}

function addRef(state: EventState, source: string, ref: string): void {
  const refs = state.refs.get(source);
  if (refs) refs.add(ref);
  else state.refs.set(source, new Set([ref]));
}

function addScheduledProfile({ own }: EventState, side: EventSide): void {
  const reported = profileFromSchedule(side);
  const current = own.get(side.key);
  if (current === undefined) own.set(side.key, reported);
  else if (current !== null && !sameProfile(current, reported)) own.set(side.key, null);
}

function addDescription({ described }: EventState, side: string, { rank, at, profile }: ProfileFrom): void {
  const descriptions = described.get(side) ?? new Map<string, ProfileFrom>();
  described.set(side, descriptions.set(descriptionKey({ rank, at }), { rank, at, profile }));
}

/** Descriptions of equal rank and time share a key: the last one counts. */
export const descriptionKey = ({ rank, at }: Pick<ProfileFrom, 'rank' | 'at'>): string => `${rank}|${at}`;

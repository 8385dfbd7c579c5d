import type { RecordOf } from '../../src/domain/event-sourcing/stream-kind.ts';
import {
  type NewestObservation,
  reconfirmNewest,
  updateNewest,
} from '../../src/domain/observations/newest-observation.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import {
  applySchedule,
  applyScore,
  type EventSide,
  newSportsEvent,
  type Profile,
  profileFromSchedule,
  type SportsEvent,
  sameProfile,
} from '../../src/domain/sports-events/sports-event.ts';
import type { EventIdentity } from '../../src/domain/streams/domain-events.ts';
import type { ProfileFrom } from '../directory-decider.ts';
import { type SportsEventEvent, toScheduleReport, toScoreReport, withCanonicalTime } from './event-commands.ts';

/** What the write side knows of one sports event (stream `event-ID`). */
export interface EventState {
  identity: EventIdentity | null;
  event: SportsEvent;
  /** The newest that schedules and scores said. */
  newest: { schedule?: NewestObservation; score?: NewestObservation };
  /** Milliseconds: the earliest time of which a schedule tells. */
  firstSchedule: number | null;
  /** The sources' own ids of it. */
  refs: Map<string, Set<string>>;
  /** What the directory was told to say of each side, by rank and time; of one rank and time the last. */
  described: Map<string, Map<string, ProfileFrom>>;
  /** What schedules said of each side; null when they did not agree. */
  own: Map<string, Profile | null>;
  /** When each source last looked for injuries and found nothing new; milliseconds. */
  checked: Map<string, number>;
}

export const initialEvent = (): EventState => ({
  identity: null,
  event: newSportsEvent(),
  newest: {},
  firstSchedule: null,
  refs: new Map(),
  described: new Map(),
  own: new Map(),
  checked: new Map(),
});

export function evolveEvent(state: EventState, record: RecordOf<SportsEventEvent>): EventState {
  const { newest } = state;
  switch (record.type) {
    case 'EventScheduled': {
      const { data, revision } = record;
      const { eventId, sport, league, origin, source } = data;
      state.identity ??= { eventId, sport, league };
      if (origin?.ref !== undefined) addRef(state, source, origin.ref);
      for (const side of data.content.sides) addScheduledProfile(state, side);
      const at = timeOf(data.at);
      if (state.firstSchedule === null || at < state.firstSchedule) state.firstSchedule = at;
      newest.schedule = updateNewest(newest.schedule, toScheduleReport(data), revision);
      // What is folded on is changed: the record keeps its own.
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
      const repeated = reconfirmNewest(newest.schedule, record.data);
      if (repeated) newest.schedule = repeated;
      return state;
    }
    case 'ScoreReconfirmed': {
      const repeated = reconfirmNewest(newest.score, record.data);
      if (repeated) newest.score = repeated;
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

function addRef(state: EventState, source: string, ref: string): void {
  const refs = state.refs.get(source);
  if (refs) refs.add(ref);
  else state.refs.set(source, new Set([ref]));
}

function addScheduledProfile({ own }: EventState, side: EventSide): void {
  const said = profileFromSchedule(side);
  const present = own.get(side.key);
  if (present === undefined) own.set(side.key, said);
  else if (present !== null && !sameProfile(present, said)) own.set(side.key, null);
}

function addDescription({ described }: EventState, side: string, { rank, at, profile }: ProfileFrom): void {
  const told = described.get(side) ?? new Map<string, ProfileFrom>();
  described.set(side, told.set(descriptionKey({ rank, at }), { rank, at, profile }));
}

/** Of what the directory says of a side: of one rank and time the last counts. */
export const descriptionKey = ({ rank, at }: Pick<ProfileFrom, 'rank' | 'at'>): string => `${rank}|${at}`;

import type { EventIdentity } from '../../src/domain/domain-events.ts';
import { type Newest, newestAfter, newestRepeated } from '../../src/domain/newest.ts';
import { timeOf } from '../../src/domain/observation.ts';
import {
  applySchedule,
  applyScore,
  type EventSide,
  newSportsEvent,
  ownProfile,
  type Profile,
  type SportsEvent,
  sameProfile,
} from '../../src/domain/sports-event.ts';
import type { RecordOf } from '../../src/domain/streams/stream-kind.ts';
import type { Standing } from '../directory/decider.ts';
import { type SportsEventEvent, scheduleSaid, scoreSaid, spelled } from './event-facts.ts';

/** What the write side knows of one sports event (stream `event-ID`). */
export interface EventState {
  identity: EventIdentity | null;
  event: SportsEvent;
  /** The newest that schedules and scores said. */
  newest: { schedule?: Newest; score?: Newest };
  /** Milliseconds: the earliest time of which a schedule tells. */
  firstSchedule: number | null;
  /** The sources' own ids of it. */
  refs: Map<string, Set<string>>;
  /** What the directory was told to say of each side, by rank and time; of one rank and time the last. */
  described: Map<string, Map<string, Standing>>;
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
      for (const side of data.content.sides) addOwn(state, side);
      const at = timeOf(data.at);
      if (state.firstSchedule === null || at < state.firstSchedule) state.firstSchedule = at;
      newest.schedule = newestAfter(newest.schedule, scheduleSaid(data), revision);
      // What is folded on is changed: the record keeps its own.
      state.event = data.late ? structuredClone(data.late) : applySchedule(state.event, spelled(data));
      return state;
    }
    case 'ScoreChanged': {
      const { data, revision } = record;
      newest.score = newestAfter(newest.score, scoreSaid(data), revision);
      state.event = data.late ? structuredClone(data.late) : applyScore(state.event, spelled(data));
      return state;
    }
    case 'ScheduleReconfirmed': {
      const repeated = newestRepeated(newest.schedule, record.data);
      if (repeated) newest.schedule = repeated;
      return state;
    }
    case 'ScoreReconfirmed': {
      const repeated = newestRepeated(newest.score, record.data);
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

function addOwn({ own }: EventState, side: EventSide): void {
  const said = ownProfile(side);
  const present = own.get(side.key);
  if (present === undefined) own.set(side.key, said);
  else if (present !== null && !sameProfile(present, said)) own.set(side.key, null);
}

function addDescription({ described }: EventState, side: string, { rank, at, profile }: Standing): void {
  const told = described.get(side) ?? new Map<string, Standing>();
  described.set(side, told.set(placeKey({ rank, at }), { rank, at, profile }));
}

/** Of what the directory says of a side: of one rank and time the last counts. */
export const placeKey = ({ rank, at }: Pick<Standing, 'rank' | 'at'>): string => `${rank}|${at}`;

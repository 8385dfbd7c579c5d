import { type Decider, NEEDS_HISTORY, type StreamDecider } from '../../src/domain/decider.ts';
import type { BoxContent, EventIdentity, LineupContent } from '../../src/domain/domain-events.ts';
import { type Newest, newestAfter, newestRepeated, placeAfter } from '../../src/domain/newest.ts';
import type { Observation, Reconfirmation } from '../../src/domain/observation.ts';
import { boxStream, lineupStream } from '../../src/domain/streams/statistics-streams.ts';
import { type EventOfKind, happened } from '../../src/domain/streams/stream-kind.ts';
import { addRepeated, addSaid, nothingSaid, placeAmong, type SaidBefore } from './said-before.ts';

/** What was said of one event's statistics (stream `box-ID`) or lineups (stream `lineup-ID`). */
export interface StatisticsState {
  newest: Newest | undefined;
}

export interface StatisticsFact<Content> {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: Content;
}

type BoxEvent = EventOfKind<typeof boxStream>;
type LineupEvent = EventOfKind<typeof lineupStream>;
/** `late`: other than what stands, and older. It is recorded as it is: projections put it in its place themselves. */
type Place = { readonly kind: 'known' | 'newest' | 'late' } | { readonly kind: 'repeated'; readonly of: number };

function boxTold({ identity, at, source, content }: StatisticsFact<BoxContent>, place: Place): BoxEvent[] {
  const { eventId } = identity;
  if (place.kind === 'known') return [];
  if (place.kind === 'repeated') {
    return [happened(boxStream, eventId, 'BoxReconfirmed', { at, source, of: place.of, ...identity })];
  }
  return [happened(boxStream, eventId, 'BoxChanged', { at, source, content, ...identity })];
}

function lineupTold({ identity, at, source, content }: StatisticsFact<LineupContent>, place: Place): LineupEvent[] {
  const { eventId } = identity;
  if (place.kind === 'known') return [];
  if (place.kind === 'repeated') {
    return [happened(lineupStream, eventId, 'LineupReconfirmed', { at, source, of: place.of, ...identity })];
  }
  return [happened(lineupStream, eventId, 'LineupChanged', { at, source, content, ...identity })];
}

/** What stands in both streams: what was said, and what repeats it. */
interface StatisticsRecord<Content> {
  readonly data: Observation<Content> | Reconfirmation;
  readonly revision: number;
}

function statisticsDecider<Content extends object, Event extends BoxEvent | LineupEvent>(
  stream: StreamDecider['stream'],
  told: (fact: StatisticsFact<Content>, place: Place) => Event[],
): StreamDecider<StatisticsState, StatisticsFact<Content>, Event> {
  /** Decides on what is older than others of the event. */
  const history: Decider<SaidBefore<Content>, StatisticsFact<Content>, Event> = {
    initial: () => nothingSaid(),
    decide: (fact, state) => told(fact, placeAmong(state, fact)),
    evolve(state, record) {
      const { data, revision } = record as unknown as StatisticsRecord<Content>;
      if ('content' in data) addSaid(state, data, revision);
      else addRepeated(state, data);
      return state;
    },
  };
  return {
    stream,
    initial: () => ({ newest: undefined }),
    decide(fact, { newest }) {
      const place = placeAfter(newest, fact);
      return place.kind === 'unclear' ? NEEDS_HISTORY : told(fact, place);
    },
    evolve(state, record) {
      const { data, revision } = record as unknown as StatisticsRecord<Content>;
      state.newest = 'content' in data ? newestAfter(state.newest, data, revision) : newestRepeated(state.newest, data);
      return state;
    },
    lastSaid: (_, { newest }) => newest?.at,
    history,
    stateVersion: 1,
  };
}

export const boxDecider = statisticsDecider(boxStream, boxTold);
export const lineupDecider = statisticsDecider(lineupStream, lineupTold);

import type { StreamDecider } from '../../src/domain/decider.ts';
import type { BoxContent, EventIdentity, LineupContent } from '../../src/domain/domain-events.ts';
import { addRepetition, addToHistory, type History, placeIn } from '../../src/domain/history.ts';
import type { Reconfirmation } from '../../src/domain/observation.ts';
import type { LogRecord } from '../../src/domain/record.ts';
import { boxStream, lineupStream } from '../../src/domain/streams/statistics-streams.ts';
import { type EventOfKind, happened } from '../../src/domain/streams/stream-kind.ts';

/** What was said of one event's statistics (stream `box-ID`) or lineups (stream `lineup-ID`). */
export type StatisticsState<Content extends object> = History<Content>;

export interface StatisticsFact<Content> {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: Content;
}

type StatisticsDecider<Content extends object, Kind> = StreamDecider<
  StatisticsState<Content>,
  StatisticsFact<Content>,
  EventOfKind<Kind>
>;

export const boxDecider: StatisticsDecider<BoxContent, typeof boxStream> = {
  stream: boxStream,
  initial: () => [],
  decide(fact, state) {
    const said = saidAnew(fact, state);
    if (!said) return [];
    const { eventId } = fact.identity;
    if ('of' in said) return [happened(boxStream, eventId, 'BoxReconfirmed', said)];
    return [happened(boxStream, eventId, 'BoxChanged', said)];
  },
  evolve: (state, record) =>
    record.type === 'BoxChanged' ? withContent(state, record) : withRepetition(state, record.data),
};

export const lineupDecider: StatisticsDecider<LineupContent, typeof lineupStream> = {
  stream: lineupStream,
  initial: () => [],
  decide(fact, state) {
    const said = saidAnew(fact, state);
    if (!said) return [];
    const { eventId } = fact.identity;
    if ('of' in said) return [happened(lineupStream, eventId, 'LineupReconfirmed', said)];
    return [happened(lineupStream, eventId, 'LineupChanged', said)];
  },
  evolve: (state, record) =>
    record.type === 'LineupChanged' ? withContent(state, record) : withRepetition(state, record.data),
};

/** What the record of this fact says: in short, where it only repeats; undefined where it is known. */
function saidAnew<Content extends object>(
  { identity, at, source, content }: StatisticsFact<Content>,
  state: StatisticsState<Content>,
) {
  const placement = placeIn(state, { at, source, content });
  if (placement.kind === 'known') return undefined;
  if (placement.kind === 'repeated') return { at, source, of: placement.of, ...identity };
  return { at, source, content, ...identity };
}

function withContent<Content extends object>(
  state: StatisticsState<Content>,
  { data, revision }: LogRecord<string, { at: string; source: string; content: Content }>,
) {
  addToHistory(state, data, revision);
  return state;
}

function withRepetition<Content extends object>(state: StatisticsState<Content>, data: Reconfirmation) {
  addRepetition(state, data);
  return state;
}

import {
  type BoxContent,
  CURRENT_VERSIONS,
  type DomainEvent,
  type DomainRecord,
  type EventIdentity,
  type LineupContent,
  partitions,
} from '../../src/domain/domain-events.ts';
import { addRepetition, addToHistory, type History, placeIn } from '../../src/domain/history.ts';

/** What was said of one event's statistics (stream `box-ID`) or lineups (stream `lineup-ID`). */
export type StatisticsState = History<object>;

export const initialStatistics = (): StatisticsState => [];

export interface StatisticsFact<Content> {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: Content;
}

export const decideBox = (fact: StatisticsFact<BoxContent>, state: StatisticsState): DomainEvent[] =>
  decide(fact, state, 'BoxChanged', 'BoxReconfirmed');

export const decideLineup = (fact: StatisticsFact<LineupContent>, state: StatisticsState): DomainEvent[] =>
  decide(fact, state, 'LineupChanged', 'LineupReconfirmed');

function decide(
  { identity, at, source, content }: StatisticsFact<object>,
  state: StatisticsState,
  changed: 'BoxChanged' | 'LineupChanged',
  reconfirmed: 'BoxReconfirmed' | 'LineupReconfirmed',
): DomainEvent[] {
  const meta = { partition: partitions.event(identity.eventId) };
  const placement = placeIn(state, { at, source, content });
  if (placement.kind === 'known') return [];
  if (placement.kind === 'repeated') {
    const data = { at, source, of: placement.of, ...identity };
    return [{ type: reconfirmed, version: CURRENT_VERSIONS[reconfirmed], data, meta }];
  }
  const data = { at, source, content, ...identity };
  return [{ type: changed, version: CURRENT_VERSIONS[changed], data, meta } as DomainEvent];
}

/** Folds a record of the stream onto the state. Changes and returns it. */
export function evolveStatistics(state: StatisticsState, record: DomainRecord): StatisticsState {
  if (record.type === 'BoxChanged' || record.type === 'LineupChanged')
    addToHistory(state, record.data, record.revision);
  else if (record.type === 'BoxReconfirmed' || record.type === 'LineupReconfirmed') addRepetition(state, record.data);
  return state;
}

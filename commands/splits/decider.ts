import {
  CURRENT_VERSIONS,
  type DomainEvent,
  type DomainRecord,
  type EventIdentity,
  partitions,
} from '../../src/domain/domain-events.ts';
import { addRepetition, addToHistory, type History, placeIn } from '../../src/domain/history.ts';
import { applySplits, newSplits, type SplitsContent } from '../../src/domain/splits.ts';
import { formatTime } from '../../src/domain/time.ts';

/** What the write side knows of the splits of one event (stream `splits-ID`). */
export type SplitsState = History<SplitsContent>;

export const initialSplits = (): SplitsState => [];

export interface SplitsFact {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: SplitsContent;
}

/** Splits that came in time; the caller has checked that they did (`splitsCloseAt`). */
export function decideSplits(fact: SplitsFact, state: SplitsState): DomainEvent[] {
  const { identity, at, source, content } = fact;
  const meta = { partition: partitions.event(identity.eventId) };
  const placement = placeIn(state, fact);
  switch (placement.kind) {
    case 'known':
      return [];
    case 'repeated': {
      const data = { at, source, of: placement.of, ...identity };
      return [{ type: 'SplitsReconfirmed', version: CURRENT_VERSIONS.SplitsReconfirmed, data, meta }];
    }
    case 'newest': {
      const data = { at, source, content, ...identity };
      return [{ type: 'SplitsChanged', version: CURRENT_VERSIONS.SplitsChanged, data, meta }];
    }
    case 'late': {
      const late = placement.entries.reduce(
        (splits, entry) =>
          applySplits(splits, { at: formatTime(entry.at), source: entry.source, content: entry.content }),
        newSplits(),
      );
      const data = { at, source, content, late, ...identity };
      return [{ type: 'SplitsChanged', version: CURRENT_VERSIONS.SplitsChanged, data, meta }];
    }
  }
}

/** Folds a record of the stream onto the state. Changes and returns it. */
export function evolveSplits(state: SplitsState, record: DomainRecord): SplitsState {
  if (record.type === 'SplitsChanged') addToHistory(state, record.data, record.revision);
  else if (record.type === 'SplitsReconfirmed') addRepetition(state, record.data);
  return state;
}

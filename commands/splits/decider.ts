import type { StreamDecider } from '../../src/domain/decider.ts';
import type { EventIdentity } from '../../src/domain/domain-events.ts';
import { addRepetition, addToHistory, type History, placeIn } from '../../src/domain/history.ts';
import { applySplits, newSplits, type SplitsContent } from '../../src/domain/splits.ts';
import { splitsStream } from '../../src/domain/streams/splits-stream.ts';
import { type EventOfKind, happened, type RecordOf } from '../../src/domain/streams/stream-kind.ts';
import { formatTime } from '../../src/domain/time.ts';

/** What the write side knows of the splits of one event (stream `splits-ID`). */
export type SplitsState = History<SplitsContent>;

type SplitsEvent = EventOfKind<typeof splitsStream>;

export interface SplitsFact {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: SplitsContent;
}

/** Splits that came in time; the caller has checked that they did (`splitsCloseAt`). */
function decide(fact: SplitsFact, state: SplitsState): SplitsEvent[] {
  const { identity, at, source, content } = fact;
  const placement = placeIn(state, fact);
  switch (placement.kind) {
    case 'known':
      return [];
    case 'repeated': {
      const data = { at, source, of: placement.of, ...identity };
      return [happened(splitsStream, identity.eventId, 'SplitsReconfirmed', data)];
    }
    case 'newest':
      return [happened(splitsStream, identity.eventId, 'SplitsChanged', { at, source, content, ...identity })];
    case 'late': {
      const late = placement.entries.reduce(
        (splits, entry) =>
          applySplits(splits, { at: formatTime(entry.at), source: entry.source, content: entry.content }),
        newSplits(),
      );
      const data = { at, source, content, late, ...identity };
      return [happened(splitsStream, identity.eventId, 'SplitsChanged', data)];
    }
  }
}

function evolve(state: SplitsState, record: RecordOf<SplitsEvent>): SplitsState {
  if (record.type === 'SplitsChanged') addToHistory(state, record.data, record.revision);
  else if (record.type === 'SplitsReconfirmed') addRepetition(state, record.data);
  return state;
}

export const splitsDecider: StreamDecider<SplitsState, SplitsFact, SplitsEvent> = {
  stream: splitsStream,
  initial: () => [],
  decide,
  evolve,
};

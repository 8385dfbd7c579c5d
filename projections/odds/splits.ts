import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { applySplits, type EventSplits, knownSplits, newSplits } from '../../src/domain/odds/betting-splits.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** The public's bets on one event. */
export const splits: Projection<EventSplits> = {
  name: 'splits',
  version: 2,
  types: ['SplitsChanged', 'SplitsReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as Extract<DomainRecord, { type: 'SplitsChanged' | 'SplitsReconfirmed' }>;
    const present = document ?? newSplits();
    if (record.type === 'SplitsReconfirmed') return { ...present, capturedAt: record.data.at };
    const { late } = record.data;
    return late ? knownSplits(late) : applySplits(present, record.data);
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.splits(key)],
};

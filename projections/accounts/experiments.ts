import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import {
  type ExperimentRecord,
  type ExperimentVerdict,
  experimentStream,
  experimentsStream,
} from '../../src/domain/experiments/experiment-events.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';

/** Where an experiment stands. What its account wrote stands in the log alone. */
export interface ExperimentDocument {
  readonly id: string;
  readonly accountId: number;
  /** When it is to be closed, in milliseconds; null: it is closed. */
  readonly closesAt: number | null;
  /** When it was ended early, ISO 8601; null: it was not. */
  readonly endedAt: string | null;
  readonly closedAt: string | null;
  readonly verdict: ExperimentVerdict | null;
}

export const experimentKey = (accountId: number, id: string): string => `${accountId}:${id}`;

export const experiments: Projection<ExperimentDocument> = {
  name: 'experiments',
  version: 1,
  types: ['ExperimentPosted', 'ExperimentEnded', 'ExperimentClosed'],
  key: ({ data }) => experimentKey(data.accountId, data.id),
  apply(document, untyped) {
    const record = untyped as ExperimentRecord;
    const { id, accountId, at } = record.data;
    const before = document ?? { id, accountId, closesAt: null, endedAt: null, closedAt: null, verdict: null };
    switch (record.type) {
      case 'ExperimentPosted':
        return { ...before, closesAt: timeOf(record.data.definition.to) };
      case 'ExperimentEnded':
        return { ...before, closesAt: timeOf(at), endedAt: at };
      case 'ExperimentClosed':
        return { ...before, closesAt: null, closedAt: at, verdict: record.data.verdict };
    }
  },
  streams: (key) => {
    const colon = key.indexOf(':');
    return [experimentsStream(Number(key.slice(0, colon))), experimentStream(key.slice(colon + 1))];
  },
  fields: {
    closes_at: { kind: 'number', of: ({ closesAt }) => closesAt },
  },
  indexes: [['closes_at']],
};

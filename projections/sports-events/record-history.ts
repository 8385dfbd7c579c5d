import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import type { DomainRecord } from '../../src/domain/streams/domain-events.ts';

/** All records about the subject of a document. */
interface RecordHistory {
  /** In log order. */
  records: DomainRecord[];
}

/** A reconfirmation, in order of observation, stands for the content that it repeats. */
const RECONFIRMATIONS = ['ScheduleReconfirmed', 'ScoreReconfirmed', 'BoxReconfirmed', 'PricesReconfirmed'];

/**
 * Not stored as a read model, because it grows with the history. For questions by two clocks: takes the records known
 * by one clock, to be sorted by the other.
 */
export function recordHistoryOf({ name, types, streams }: Projection): Projection<RecordHistory> {
  return {
    name: `${name}-records`,
    version: 1,
    holdsRecords: true,
    types: [...new Set([...types, ...RECONFIRMATIONS])],
    key: ({ data }) => String(data.eventId),
    apply(document, record) {
      const next = document ?? { records: [] };
      next.records.push(record as DomainRecord);
      return next;
    },
    fields: {},
    indexes: [],
    streams: streams!,
  };
}

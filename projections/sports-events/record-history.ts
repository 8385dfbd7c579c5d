import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import type { DomainRecord } from '../../src/domain/streams/domain-events.ts';

/** All that was said of what a document is about. */
interface RecordHistory {
  /** In the order of the log. */
  records: DomainRecord[];
}

/** A reconfirmation, as it was observed, is what it repeats. */
const RECONFIRMATIONS = ['ScheduleReconfirmed', 'ScoreReconfirmed', 'BoxReconfirmed', 'PricesReconfirmed'];

/**
 * No read model: it grows with the history, so nobody stores it. Who asks what was known of something by two clocks at
 * once has its records as one of them knew them, and puts them in the order of the other.
 */
export function recordHistoryOf({ name, types, streams }: Projection): Projection<RecordHistory> {
  return {
    name: `${name}-records`,
    version: 1,
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

import type { DomainRecord } from '../src/domain/domain-events.ts';
import type { Projection } from '../src/domain/projection.ts';
import { games } from './games.ts';

/** All that was said of one game. */
export interface GameRecords {
  /** In the order of the log. */
  records: DomainRecord[];
}

/**
 * No read model: it grows with the history, so nobody stores it. Who asks what was known of a game by two clocks at
 * once has its records as one of them knew them, and puts them in the order of the other.
 */
export const gameRecords: Projection<GameRecords> = {
  name: 'game-records',
  version: 1,
  // A reconfirmation, as it was observed, is what it repeats.
  types: [...games.types, 'ScheduleReconfirmed', 'ScoreReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, record) {
    const next = document ?? { records: [] };
    next.records.push(record as DomainRecord);
    return next;
  },
  fields: {},
  indexes: [],
  streams: games.streams!,
};

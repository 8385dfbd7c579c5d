import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { lineupReconfirmed, lineupWith, type ToldLineup } from '../src/domain/lineup.ts';
import type { Projection } from '../src/domain/projection.ts';

/** Who plays in one event; `lineupOf` tells it of a side. */
export interface LineupDocument {
  told: ToldLineup;
}

export const lineups: Projection<LineupDocument> = {
  name: 'lineups',
  version: 1,
  types: ['LineupChanged', 'LineupReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'LineupChanged' | 'LineupReconfirmed' }>;
    const before = document?.told ?? [];
    if ('of' in data) return { told: lineupReconfirmed(before, data) };
    const { at, source, content } = data;
    return { told: lineupWith(before, { at, source, content }) };
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.lineup(key)],
};

import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { addLineupReport, type LineupReports, reconfirmLineup } from '../../src/domain/statistics/event-lineup.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** The lineups of one event; `currentLineup` computes that of a side. */
export interface LineupDocument {
  told: LineupReports;
}

export const lineups: Projection<LineupDocument> = {
  name: 'lineups',
  version: 1,
  types: ['LineupChanged', 'LineupReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'LineupChanged' | 'LineupReconfirmed' }>;
    const before = document?.told ?? [];
    if ('of' in data) return { told: reconfirmLineup(before, data) };
    const { at, source, content } = data;
    return { told: addLineupReport(before, { at, source, content }) };
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.lineup(key)],
};

import { isDeepStrictEqual } from 'node:util';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { type Provenance, provenanceOf } from '../../src/domain/sports-events/provenance.ts';
import { addBoxReport, type BoxReports, currentBox, reconfirmBox } from '../../src/domain/statistics/box-score.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** The statistics of one event; `currentBox` computes the current ones. */
export interface BoxDocument {
  told: BoxReports;
  /** The record that last changed the players' statistics. */
  ground: Provenance;
}

export const boxes: Projection<BoxDocument> = {
  name: 'boxes',
  version: 2,
  types: ['BoxChanged', 'BoxReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as Extract<DomainRecord, { type: 'BoxChanged' | 'BoxReconfirmed' }>;
    const { data } = record;
    const before = document?.told ?? [];
    const { at, source } = data;
    const reports =
      'of' in data ? reconfirmBox(before, data) : addBoxReport(before, { at, source, content: data.content });
    const isNew = !document || !isDeepStrictEqual(settlingParts(before), settlingParts(reports));
    return { told: reports, ground: isNew ? provenanceOf(record) : document.ground };
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.box(key)],
};

/** The parts by which player props are settled. */
function settlingParts(reports: BoxReports) {
  const { players, final } = currentBox(reports) ?? {};
  return [players, final];
}

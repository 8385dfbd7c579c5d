import { boxReconfirmed, boxWith, type ToldBox } from '../src/domain/box.ts';
import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import type { Projection } from '../src/domain/projection.ts';

/** The statistics of one event; `boxOf` tells how they stand. */
export interface BoxDocument {
  told: ToldBox;
}

export const boxes: Projection<BoxDocument> = {
  name: 'boxes',
  version: 1,
  types: ['BoxChanged', 'BoxReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'BoxChanged' | 'BoxReconfirmed' }>;
    const before = document?.told ?? [];
    if ('of' in data) return { told: boxReconfirmed(before, data) };
    const { at, source, content } = data;
    return { told: boxWith(before, { at, source, content }) };
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.box(key)],
};

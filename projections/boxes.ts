import { isDeepStrictEqual } from 'node:util';
import { boxOf, boxReconfirmed, boxWith, type ToldBox } from '../src/domain/box.ts';
import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { type Ground, groundOf } from '../src/domain/grounds.ts';
import type { Projection } from '../src/domain/projection.ts';

/** The statistics of one event; `boxOf` tells how they stand. */
export interface BoxDocument {
  told: ToldBox;
  /** The record that made the players' statistics what they are. */
  ground: Ground;
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
    const told = 'of' in data ? boxReconfirmed(before, data) : boxWith(before, { at, source, content: data.content });
    const isNew = !document || !isDeepStrictEqual(settling(before), settling(told));
    return { told, ground: isNew ? groundOf(record) : document.ground };
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.box(key)],
};

/** What the props of players are settled by. */
function settling(told: ToldBox) {
  const { players, final } = boxOf(told) ?? {};
  return [players, final];
}

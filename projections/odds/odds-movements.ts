import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import {
  addMovements,
  noMovements,
  type PackedMovements,
  packMovements,
} from '../../src/domain/odds/packed-movements.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** The line movements of one bookmaker on one event; see `unpackMovements`. */
export interface MovementsDocument extends PackedMovements {
  eventId: number;
  bookmaker: string;
}

export const movementsKey = (eventId: number, bookmaker: string): string => `${eventId}:${bookmaker}`;

/** The event of a key from `movementsKey`. */
export const eventOfMovements = (key: string): number => Number(key.slice(0, key.indexOf(':')));

export const oddsMovements: Projection<MovementsDocument> = {
  name: 'odds-movements',
  version: 3,
  types: ['PricesChanged'],
  key: ({ data }) => movementsKey(data.eventId, data.content.bookmaker),
  apply(document, untyped) {
    const record = untyped as Extract<DomainRecord, { type: 'PricesChanged' }>;
    const { eventId, content, late } = record.data;
    if (late) return { eventId, bookmaker: content.bookmaker, ...packMovements(late.movements) };
    const next = document ?? { eventId, bookmaker: content.bookmaker, ...noMovements() };
    addMovements(next, record.data);
    return next;
  },
  fields: { event_id: { kind: 'number', of: ({ eventId }) => eventId } },
  indexes: [['event_id']],
  streams: (key) => [streams.odds(eventOfMovements(key))],
};

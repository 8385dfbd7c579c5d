import type { DomainRecord } from '../src/domain/domain-events.ts';
import { streams } from '../src/domain/domain-events.ts';
import { timeOf } from '../src/domain/observation.ts';
import { isMainMarket, type PricedMarket } from '../src/domain/prices.ts';
import type { Projection } from '../src/domain/projection.ts';
import { applySides, type EventSides, newSides } from '../src/domain/side-names.ts';
import { applySchedule, applyScore, newSportsEvent, type SportsEvent } from '../src/domain/sports-event.ts';

/** What a bookmaker said of the main lines of an event. */
export interface ToldContent {
  readonly bookmaker: string;
  readonly markets: readonly PricedMarket[];
}

/** All that was said of the main lines of one event. */
export interface ToldPrices extends EventSides {
  sport: string;
  event: SportsEvent;
  /** By the revision of the record that holds it. */
  contents: Record<number, ToldContent>;
  /** In the order of the records: when it was said, in milliseconds, and by the record of which revision. */
  told: [at: number, revision: number][];
}

/**
 * No read model: it grows with the history, so nobody stores it. Who needs the whole story of an event's prices has it
 * folded from the log.
 */
export const toldPrices: Projection<ToldPrices> = {
  name: 'told-prices',
  version: 1,
  types: ['EventScheduled', 'ScoreChanged', 'ParticipantDescribed', 'PricesChanged', 'PricesReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? begin(record);
    switch (record.type) {
      case 'EventScheduled':
        // A late record brings the whole state, which later records change: it must not be the record's own.
        next.event = record.data.late ? structuredClone(record.data.late) : applySchedule(next.event, record.data);
        break;
      case 'ScoreChanged':
        next.event = record.data.late ? structuredClone(record.data.late) : applyScore(next.event, record.data);
        break;
      case 'PricesChanged': {
        const { at, content } = record.data;
        const { bookmaker } = content;
        next.contents[record.revision] = { bookmaker, markets: content.markets.filter(isMainMarket) };
        next.told.push([timeOf(at), record.revision]);
        break;
      }
      case 'PricesReconfirmed':
        next.told.push([timeOf(record.data.at), record.data.of]);
        break;
    }
    applySides(next, record);
    return next;
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.event(key), streams.odds(key)],
};

function begin({ data }: DomainRecord): ToldPrices {
  const { sport } = data as { sport: string };
  return { sport, event: newSportsEvent(), contents: {}, told: [], ...newSides() };
}

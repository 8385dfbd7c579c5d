import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { isMainMarket, type PricedMarket } from '../../src/domain/odds/bookmaker-prices.ts';
import { applySides, type EventSides, newSides } from '../../src/domain/side-profiles.ts';
import { newSportsEvent, type SportsEvent } from '../../src/domain/sports-events/sports-event.ts';
import type { DomainRecord } from '../../src/domain/streams/domain-events.ts';
import { streams } from '../../src/domain/streams/domain-events.ts';
import { applyEventRecord } from '../sports-events/event-documents.ts';

/** A bookmaker's report on the main lines of an event. */
interface MainLinePrices {
  readonly bookmaker: string;
  readonly markets: readonly PricedMarket[];
}

/** All reports on the main lines of one event. */
export interface PriceHistory extends EventSides {
  sport: string;
  event: SportsEvent;
  /** By revision of the record. */
  contents: Record<number, MainLinePrices>;
  /** In record order: the time of each report in milliseconds, and the revision of the record with its content. */
  reports: [at: number, revision: number][];
}

/** Not stored as a read model, because it grows with the history. It is folded from the log on request. */
export const priceHistory: Projection<PriceHistory> = {
  name: 'price-history',
  version: 1,
  types: ['EventScheduled', 'ScoreChanged', 'ParticipantDescribed', 'PricesChanged', 'PricesReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? newDocument(record);
    next.event = applyEventRecord(next.event, record);
    switch (record.type) {
      case 'PricesChanged': {
        const { at, content } = record.data;
        const { bookmaker } = content;
        next.contents[record.revision] = { bookmaker, markets: content.markets.filter(isMainMarket) };
        next.reports.push([timeOf(at), record.revision]);
        break;
      }
      case 'PricesReconfirmed':
        next.reports.push([timeOf(record.data.at), record.data.of]);
        break;
    }
    applySides(next, record);
    return next;
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.event(key), streams.odds(key)],
};

function newDocument({ data }: DomainRecord): PriceHistory {
  const { sport } = data as { sport: string };
  return { sport, event: newSportsEvent(), contents: {}, reports: [], ...newSides() };
}

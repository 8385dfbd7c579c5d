import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { isWatchedMarketName } from '../../src/domain/odds/bookmaker-prices.ts';
import { applySides, type EventSides, hasKnownSides, newSides } from '../../src/domain/side-profiles.ts';
import { newSportsEvent, type SportsEvent } from '../../src/domain/sports-events/sports-event.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';
import { applyEventRecord, eventIdentityOf } from '../sports-events/event-documents.ts';
import { applyQuotes, type QuotesByBook } from './timed-quotes.ts';

/** The watched markets of one event with their times, for readers that scan all upcoming events. */
export interface MainQuotesDocument extends EventSides {
  id: number;
  sport: string;
  league: string;
  event: SportsEvent;
  books: QuotesByBook;
}

export const mainQuotes: Projection<MainQuotesDocument> = {
  name: 'main-quotes',
  version: 3,
  types: ['EventScheduled', 'ScoreChanged', 'ParticipantDescribed', 'PricesChanged', 'PricesReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? newDocument(record);
    next.event = applyEventRecord(next.event, record);
    applyQuotes(next.books, record, isWatchedMarketName);
    applySides(next, record);
    return next;
  },
  fields: {
    sport: { kind: 'string', of: ({ sport }) => sport },
    league: { kind: 'string', of: ({ league }) => league },
    /** The start of an event that has not begun and has a quote; null for all other events. */
    opens_at: { kind: 'number', of: opensAt },
  },
  indexes: [
    ['sport', 'opens_at'],
    ['league', 'opens_at'],
  ],
  streams: (key) => [streams.event(key), streams.odds(key)],
};

function newDocument(record: DomainRecord): MainQuotesDocument {
  return { ...eventIdentityOf(record), event: newSportsEvent(), books: {}, ...newSides() };
}

function opensAt(document: MainQuotesDocument): number | null {
  const { status, schedule } = document.event;
  if (!schedule || (status !== 'scheduled' && status !== 'delayed') || !hasKnownSides(document)) return null;
  const isQuoted = Object.values(document.books).some(({ markets }) => Object.keys(markets).length > 0);
  return isQuoted ? timeOf(schedule.starts_at) : null;
}

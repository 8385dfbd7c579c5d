import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { applySides, type EventSides, hasKnownSides, newSides } from '../../src/domain/side-profiles.ts';
import {
  applySchedule,
  applyScore,
  newSportsEvent,
  type SportsEvent,
} from '../../src/domain/sports-events/sports-event.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';
import { applyQuotes, type QuotesByBook } from './timed-quotes.ts';

/** The main lines of one event with their times, for readers that scan all upcoming events. */
export interface MainQuotesDocument extends EventSides {
  id: number;
  sport: string;
  league: string;
  event: SportsEvent;
  books: QuotesByBook;
}

export const mainQuotes: Projection<MainQuotesDocument> = {
  name: 'main-quotes',
  version: 1,
  types: ['EventScheduled', 'ScoreChanged', 'ParticipantDescribed', 'PricesChanged', 'PricesReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? newDocument(record);
    switch (record.type) {
      case 'EventScheduled':
        // Copy the late state: later records change it, and must not change the record.
        next.event = record.data.late ? structuredClone(record.data.late) : applySchedule(next.event, record.data);
        break;
      case 'ScoreChanged':
        next.event = record.data.late ? structuredClone(record.data.late) : applyScore(next.event, record.data);
        break;
    }
    applyQuotes(next.books, record, isMainName);
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

const MAIN: ReadonlySet<string> = new Set(['h2h', 'spreads', 'totals']);
const isMainName = (name: string): boolean => MAIN.has(name);

function newDocument({ data }: DomainRecord): MainQuotesDocument {
  const { eventId, sport, league } = data as { eventId: number; sport: string; league: string };
  return { id: eventId, sport, league, event: newSportsEvent(), books: {}, ...newSides() };
}

function opensAt(document: MainQuotesDocument): number | null {
  const { status, schedule } = document.event;
  if (!schedule || (status !== 'scheduled' && status !== 'delayed') || !hasKnownSides(document)) return null;
  const isQuoted = Object.values(document.books).some(({ markets }) => Object.keys(markets).length > 0);
  return isQuoted ? timeOf(schedule.starts_at) : null;
}

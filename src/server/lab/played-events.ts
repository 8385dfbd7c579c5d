import { LRUCache } from 'lru-cache';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { createFold } from '../../domain/event-sourcing/document-fold.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { mainMarketsOf } from '../../domain/odds/bookmaker-prices.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { expandReconfirmation } from '../../domain/streams/observed-order.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { QuoteBoard } from '../../intelligence/prices/quote-board.ts';
import { entriesAtMost } from '../../platform/cache-bounds.ts';
import { comparePlaces, type Place, type PlayOrder, placeOf } from './play-order.ts';
import { type PricedRow, PricedSeries } from './priced-series.ts';

/** An event as the run has reached it: from what was observed so far, and nothing else. */
export interface PlayedEvent {
  readonly id: number;
  /** Undefined until its schedule is known. */
  readonly document: EventDocument | undefined;
  /** Prices of every bookmaker; undefined until there is one. */
  readonly board: QuoteBoard | undefined;
}

export interface PlayedEvents {
  /** The event just before the present place; it changes as the run goes on. */
  find(eventId: number): Promise<PlayedEvent>;
  /** The record with the contents that it repeats. */
  expand(record: DomainRecord): Promise<DomainRecord>;
  /** Folds an expanded record of the event's schedule or score. @returns the document with it */
  applyScore(record: DomainRecord): Promise<EventDocument | undefined>;
  /** Folds an expanded record of prices. @returns a row for each outcome of its main lines */
  applyPrices(record: DomainRecord): Promise<readonly PricedRow[]>;
  /** The run has come to a place: records before it are folded when an event is read again. */
  reach(place: Place): void;
}

type PlayedLog = Pick<EventLog, 'readStream' | 'readStreams' | 'replacements'>;

/** Events that are kept; one that was dropped is folded again. */
const MAX_EVENTS = 3000;
/** Contents of reports that may be repeated. */
const MAX_ORIGINALS = 20_000;

class FoldedEvent implements PlayedEvent {
  readonly id: number;
  readonly documents = new Map<string, EventDocument>();
  board: QuoteBoard | undefined;
  readonly series = new PricedSeries();
  constructor(id: number) {
    this.id = id;
  }
  get document(): EventDocument | undefined {
    return this.documents.get(String(this.id));
  }
}

const fold = createFold(events);
type PricesRecord = Extract<DomainRecord, { type: 'PricesChanged' }>;
const isPrices = (record: DomainRecord): record is PricesRecord => record.type === 'PricesChanged';

/** What a message made of suspect prices is news once: a repetition at a later time holds nothing back. */
function withoutOldNews(repeated: DomainRecord, original: DomainRecord | undefined): DomainRecord {
  if (repeated.type !== 'PricesChanged' || !repeated.data.suspect || !original) return repeated;
  const { suspect, ...data } = repeated.data;
  const isLater = timeOf(data.at) > timeOf(original.data.at);
  const still = !isLater && suspect.held ? { suspect: { held: suspect.held } } : {};
  return { ...repeated, data: { ...data, ...still } };
}

export function createPlayedEvents(log: PlayedLog, order: Pick<PlayOrder, 'beginsWithin'>): PlayedEvents {
  const known = new LRUCache<number, FoldedEvent>(entriesAtMost(MAX_EVENTS));
  const originals = new LRUCache<string, DomainRecord>(entriesAtMost(MAX_ORIGINALS));
  /** Events that were met once: from then on they have records before the present place. */
  const met = new Set<number>();
  let present: Place | undefined;

  const keyOf = (stream: string, revision: number) => `${revision} ${stream}`;

  async function expand(record: DomainRecord): Promise<DomainRecord> {
    const { data, stream, revision } = record;
    if (!('of' in data)) {
      const expanded = expandReconfirmation(record, undefined);
      if ('content' in data) originals.set(keyOf(stream, revision), expanded);
      return expanded;
    }
    const key = keyOf(stream, data.of);
    let original = originals.get(key);
    if (!original) {
      [original] = (await log.readStream(stream, { fromRevision: data.of, limit: 1 })) as readonly DomainRecord[];
      if (original) originals.set(key, original);
    }
    return withoutOldNews(expandReconfirmation(record, original), original);
  }

  function foldPrices(event: FoldedEvent, { data }: PricesRecord): readonly PricedRow[] {
    const { at, content, sport, suspect } = data;
    const markets = mainMarketsOf(content.markets, 'match');
    event.board ??= new QuoteBoard(isSoccer(sport));
    event.board.apply({ at: timeOf(at), bookmaker: content.bookmaker, markets });
    return event.series.apply(content, at, suspect);
  }

  async function load(id: number): Promise<FoldedEvent> {
    const event = new FoldedEvent(id);
    const place = present;
    if (!place) return event;
    const names = [...new Set([...events.streams!(String(id)), streams.odds(id)])];
    const read = await log.readStreams(names.map((name) => log.replacements.current(name)));
    const before = (read.flat() as DomainRecord[])
      .map((record) => ({ record, at: placeOf(record) }))
      .filter(({ at }) => comparePlaces(at, place) < 0)
      .sort((a, b) => comparePlaces(a.at, b.at));
    for (const { record } of before) {
      const expanded = await expand(record);
      if (isPrices(expanded)) foldPrices(event, expanded);
      else if (fold.handles(expanded.type)) fold.applyInto(event.documents, expanded);
    }
    return event;
  }

  async function find(id: number): Promise<FoldedEvent> {
    const found = known.get(id);
    if (found) return found;
    // Nothing of it comes before its first record.
    const isNew = order.beginsWithin(id) && !met.has(id);
    const event = isNew ? new FoldedEvent(id) : await load(id);
    known.set(id, event);
    return event;
  }

  const eventOf = (record: DomainRecord): Promise<FoldedEvent> => {
    const { eventId } = record.data as { readonly eventId: number };
    return find(eventId).then((event) => {
      met.add(eventId);
      return event;
    });
  };

  return {
    find,
    expand,
    async applyScore(record) {
      const event = await eventOf(record);
      if (fold.handles(record.type)) fold.applyInto(event.documents, record);
      return event.document;
    },
    async applyPrices(record) {
      const event = await eventOf(record);
      return isPrices(record) ? foldPrices(event, record) : [];
    },
    reach(place) {
      present = place;
    },
  };
}

import { type EventDocument, events, startSortKey } from '../../../projections/sports-events/events.ts';
import { splitsCloseAt } from '../../domain/sports-events/sports-event.ts';
import type { DomainEventType, DomainRecord } from '../../domain/streams/domain-events.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { findPages } from '../../read-models/store/query-pages.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';

/** What changes bets, or what they rest on. */
export const AFFECTING_TYPES: ReadonlySet<string> = new Set<DomainEventType>([
  ...(['PricesChanged', 'PricesReconfirmed', 'EventScheduled', 'ScoreChanged', 'ParticipantDescribed'] as const),
  ...(['BoxChanged', 'LineupChanged', 'PlayerChanged'] as const),
]);

/** Of an event: the records of its odds with which it goes on, or that it has to be followed anew. */
export type EventUpdate = readonly DomainRecord[] | 'anew';

/** Records of odds of one event that are kept for the next look; beyond them it is followed anew. */
const MAX_RECORDS_PER_EVENT = 256;
/** Records and ids of all events that are kept until somebody looks. */
const MAX_PENDING = 10_000;

interface PendingUpdates {
  readonly events: Map<number, EventUpdate>;
  readonly results: readonly number[];
  readonly ranked: readonly number[];
  readonly turned: readonly string[];
}

/** Which events records concern, until somebody looks. */
export class AffectedEvents {
  readonly #events = new Map<number, DomainRecord[] | 'anew'>();
  /** Events of which a result may have become known. */
  readonly #results = new Set<number>();
  /** Players whose ranking is another one. */
  readonly #ranked = new Set<number>();
  /** Sports of which other markets are published. */
  readonly #turned = new Set<string>();
  /** Kept in all. */
  #records = 0;

  get isEmpty(): boolean {
    return this.#events.size + this.#results.size + this.#ranked.size + this.#turned.size === 0;
  }

  /** Whoever adds should wait: so much is kept until somebody looks. */
  get isFull(): boolean {
    return this.#records + this.#events.size + this.#results.size + this.#ranked.size > MAX_PENDING;
  }

  add(record: DomainRecord): void {
    const { type, data } = record;
    switch (type) {
      case 'PricesChanged':
      case 'PricesReconfirmed':
        this.#price(data.eventId, record);
        break;
      case 'ScoreChanged':
        if (data.content.status === 'final' || data.correction) this.#results.add(data.eventId);
        break;
      case 'EventScheduled':
        this.reopen(data.eventId);
        this.#results.add(data.eventId);
        break;
      case 'BoxChanged':
        this.#results.add(data.eventId);
        break;
      case 'LineupChanged':
      case 'ParticipantDescribed':
        this.reopen(data.eventId);
        break;
      case 'PlayerChanged':
        if (data.content.facts.tennis_ranking !== undefined) this.#ranked.add(data.playerId);
    }
  }

  /** This event has to be followed anew. */
  reopen(id: number): void {
    this.#events.set(id, 'anew');
  }

  /** Edges and tiers of this sport are shown at other times than before. */
  addSport(sport: string): void {
    this.#turned.add(sport);
  }

  /** Everything that was added, which is then no longer here. */
  take(): PendingUpdates {
    const taken = {
      ...{ events: new Map(this.#events), results: [...this.#results] },
      ...{ ranked: [...this.#ranked], turned: [...this.#turned] },
    };
    this.#events.clear();
    this.#results.clear();
    this.#ranked.clear();
    this.#turned.clear();
    this.#records = 0;
    return taken;
  }

  /** Puts back what could not be looked at. */
  putBack({ events: some, results, ranked, turned }: PendingUpdates): void {
    for (const id of some.keys()) this.reopen(id);
    for (const id of results) this.#results.add(id);
    for (const id of ranked) this.#ranked.add(id);
    for (const sport of turned) this.#turned.add(sport);
  }

  #price(id: number, record: DomainRecord): void {
    const known = this.#events.get(id);
    if (known === 'anew') return;
    this.#records += 1;
    if (!known) this.#events.set(id, [record]);
    else if (known.length < MAX_RECORDS_PER_EVENT) known.push(record);
    else this.reopen(id);
  }
}

type Finder = Pick<ReadStore, 'find' | 'getMany'>;

/** The events of a page. */
const PAGE = 100;
/** Statuses of events that may be to come. */
const TO_COME = ['scheduled', 'delayed', 'postponed'];

/** Pages of the ids of all events that start after a moment (milliseconds), by their start; of one sport or league where told. */
export async function* upcomingEvents(
  store: Finder,
  now: number,
  of?: { readonly sport: string } | { readonly sport: string; readonly league: string },
): AsyncGenerator<number[]> {
  const query = {
    range: { field: 'starts_at', from: now },
    order: { field: 'starts_at', direction: 'asc' },
    where: { ...of },
    limit: PAGE,
  } as const;
  for await (const page of findPages(store, events.name, query, startSortKey)) {
    yield page.map(({ document }) => document.id);
  }
}

/**
 * The events to come that rest on one of these results, or on a ranking: those of the same sides; and all of a sport of
 * which other markets are published.
 * @param isFirst whether a league has forecasts since these results: then all its events have changed
 */
export async function findAffectedEvents(
  store: Finder,
  { results, ranked, turned }: Omit<PendingUpdates, 'events'>,
  now: number,
  isFirst: (event: EventDocument) => boolean,
): Promise<Set<number>> {
  const found = new Set<number>();
  for (const sport of turned) {
    for await (const ids of upcomingEvents(store, now, { sport })) for (const id of ids) found.add(id);
  }
  const sides = { team_ids: new Set<number>(), player_ids: new Set(ranked) };
  for (let from = 0; from < results.length; from += PAGE) {
    const page = results.slice(from, from + PAGE).map(String);
    for (const stored of await store.getMany<EventDocument>(events.name, page)) {
      if (stored?.document.event.status !== 'final') continue;
      if (isFirst(stored.document)) {
        const { sport, league } = stored.document;
        for await (const ids of upcomingEvents(store, now, { sport, league })) for (const id of ids) found.add(id);
      }
      for (const { id, key } of stored.document.sides ?? []) {
        if (id !== null) sides[key.startsWith('team:') ? 'team_ids' : 'player_ids'].add(id);
      }
    }
    await yieldToEventLoop();
  }
  for (const field of ['team_ids', 'player_ids'] as const) {
    for (const side of sides[field]) {
      for (const id of await upcomingEventsOfSide(store, field, side, now)) found.add(id);
      await yieldToEventLoop();
    }
  }
  return found;
}

/** Beyond so many events of one side, those that come later hear of a result with the next fact of their own. */
const MAX_EVENTS_PER_SIDE = 400;

async function upcomingEventsOfSide(store: Finder, field: string, side: number, now: number): Promise<number[]> {
  const found = await store.find<EventDocument>(events.name, {
    where: { [field]: side },
    range: { field: 'starts_at', from: now },
    order: { field: 'starts_at', direction: 'asc' },
    limit: MAX_EVENTS_PER_SIDE,
  });
  return found.filter(({ document }) => TO_COME.includes(document.event.status)).map(({ document }) => document.id);
}

/** Those of the events that may be to come: those that have begun, by what the read models show, are left out. */
export async function filterUpcoming(store: Finder, ids: readonly number[], now: number): Promise<number[]> {
  const stored = await store.getMany<EventDocument>(events.name, ids.map(String));
  return ids.filter((_, place) => {
    const event = stored[place]?.document.event;
    return !event || splitsCloseAt(event) > now;
  });
}

import { type EventDocument, events, startSortKey } from '../../../projections/sports-events/events.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import { marketsCloseAt } from '../../domain/sports-events/sports-event.ts';
import type { DomainEventType, DomainRecord } from '../../domain/streams/domain-events.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { findPages } from '../../read-models/store/query-pages.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';

/** The types of records that change bets or the forecasts that bets rest on. */
export const AFFECTING_TYPES: ReadonlySet<string> = new Set<DomainEventType>([
  ...(['PricesChanged', 'PricesReconfirmed', 'EventScheduled', 'ScoreChanged', 'ParticipantDescribed'] as const),
  ...(['BoxChanged', 'LineupChanged', 'PlayerChanged', 'EventRestated'] as const),
]);

/** What to do with an event: apply these records of its odds, or open it again from its first record. */
export type EventUpdate = readonly DomainRecord[] | 'reopen';

/**
 * The maximum number of odds records of one event that are kept until the next run. With more, the event is opened
 * again.
 */
const MAX_RECORDS_PER_EVENT = 256;
/** The maximum number of records and ids of all events that are kept until the next run. */
const MAX_PENDING = 10_000;

interface PendingUpdates {
  readonly events: Map<number, EventUpdate>;
  readonly results: readonly number[];
  readonly rankedPlayers: readonly number[];
  readonly changedSports: readonly string[];
}

/** Collects the events that records affect, until the next run of the publisher. */
export class AffectedEvents {
  readonly #events = new Map<number, DomainRecord[] | 'reopen'>();
  /** Events for which a result may have become known. */
  readonly #results = new Set<number>();
  /** Players whose ranking has changed. */
  readonly #rankedPlayers = new Set<number>();
  /** Sports in which other markets are published now. */
  readonly #changedSports = new Set<string>();
  /** The number of records that are kept. */
  #records = 0;

  get isEmpty(): boolean {
    return this.#events.size + this.#results.size + this.#rankedPlayers.size + this.#changedSports.size === 0;
  }

  /** The caller should wait before it adds more. */
  get isFull(): boolean {
    return this.#records + this.#events.size + this.#results.size + this.#rankedPlayers.size > MAX_PENDING;
  }

  add(record: DomainRecord): void {
    if (isReplayed(record)) return;
    const { type, data } = record;
    switch (type) {
      case 'PricesChanged':
      case 'PricesReconfirmed':
        this.#addPrice(data.eventId, record);
        break;
      case 'ScoreChanged':
        if (data.content.status === 'final' || data.correction) this.#results.add(data.eventId);
        break;
      case 'EventScheduled':
      case 'EventRestated':
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
        if (data.content.facts.tennis_ranking !== undefined) this.#rankedPlayers.add(data.playerId);
    }
  }

  /** Marks an event to be opened again. */
  reopen(id: number): void {
    this.#events.set(id, 'reopen');
  }

  /** Marks a sport: the times at which its edges and tiers are shown, or the weights of its books, have changed. */
  addSport(sport: string): void {
    this.#changedSports.add(sport);
  }

  /** Returns everything that was added, and empties the collection. */
  take(): PendingUpdates {
    const pending = {
      events: new Map(this.#events),
      results: [...this.#results],
      rankedPlayers: [...this.#rankedPlayers],
      changedSports: [...this.#changedSports],
    };
    this.#events.clear();
    this.#results.clear();
    this.#rankedPlayers.clear();
    this.#changedSports.clear();
    this.#records = 0;
    return pending;
  }

  /** Puts back what a failed run could not process. */
  putBack({ events: updates, results, rankedPlayers, changedSports }: PendingUpdates): void {
    for (const id of updates.keys()) this.reopen(id);
    for (const id of results) this.#results.add(id);
    for (const id of rankedPlayers) this.#rankedPlayers.add(id);
    for (const sport of changedSports) this.#changedSports.add(sport);
  }

  #addPrice(id: number, record: DomainRecord): void {
    const known = this.#events.get(id);
    if (known === 'reopen') return;
    this.#records += 1;
    if (!known) this.#events.set(id, [record]);
    else if (known.length < MAX_RECORDS_PER_EVENT) known.push(record);
    else this.reopen(id);
  }
}

type Finder = Pick<ReadStore, 'find' | 'getMany'>;

/** The number of events in a page. */
const PAGE = 100;
/** The statuses of events that may be upcoming. */
const UPCOMING_STATUSES = ['scheduled', 'delayed', 'postponed'];

/**
 * The ids of all events that start after a moment (milliseconds), in pages, by their start. Only of one sport or league
 * if given.
 */
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
 * The upcoming events that these changes affect: events of the same sides as a result or ranking, and all events of a
 * sport in which other markets are published.
 * @param isFirst whether a league has forecasts only since these results: then all its events are affected
 */
export async function findAffectedEvents(
  store: Finder,
  { results, rankedPlayers, changedSports }: Omit<PendingUpdates, 'events'>,
  now: number,
  isFirst: (event: EventDocument) => boolean,
): Promise<Set<number>> {
  const found = new Set<number>();
  for (const sport of changedSports) {
    for await (const ids of upcomingEvents(store, now, { sport })) for (const id of ids) found.add(id);
  }
  const sides = { team_ids: new Set<number>(), player_ids: new Set(rankedPlayers) };
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

/** Later events of a side than this number learn of a result with the next fact of their own. */
const MAX_EVENTS_PER_SIDE = 400;

async function upcomingEventsOfSide(store: Finder, field: string, side: number, now: number): Promise<number[]> {
  const found = await store.find<EventDocument>(events.name, {
    where: { [field]: side },
    range: { field: 'starts_at', from: now },
    order: { field: 'starts_at', direction: 'asc' },
    limit: MAX_EVENTS_PER_SIDE,
  });
  return found
    .filter(({ document }) => UPCOMING_STATUSES.includes(document.event.status))
    .map(({ document }) => document.id);
}

/** Filters out events that have begun, according to the read models. */
export async function filterUpcoming(store: Finder, ids: readonly number[], now: number): Promise<number[]> {
  const stored = await store.getMany<EventDocument>(events.name, ids.map(String));
  return ids.filter((_, index) => {
    const event = stored[index]?.document.event;
    return !event || marketsCloseAt(event) > now;
  });
}

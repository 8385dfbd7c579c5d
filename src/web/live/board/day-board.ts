import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { readDate } from '../../../api/operations/shared/parameters.ts';
import { EVENT_STATUSES, type EventStatus, SPORTS } from '../../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { DAY, formatDate, formatTime } from '../../../domain/primitives/time.ts';
import { isInPlay } from '../../../domain/sports-events/event-results.ts';
import { isOver } from '../../../domain/sports-events/sports-event.ts';
import type { DocumentReader } from '../../../read-models/store/document-reader.ts';
import type { Board, BoardEvent, BoardSport } from '../answers/live-page-answers.ts';
import type { BoardCache, BoardEntry } from './board-cache.ts';
import type { CachedEvent } from './event-cache.ts';

/** More events than any day of all sports has. */
const MAX_EVENTS = 2000;

type EventFinder = Pick<DocumentReader, 'find'>;

const ofLeague = (league: string | null) => (league === null ? {} : { where: { league } });

/**
 * The ids of a day's events by start.
 * @param start of the day in milliseconds
 * @param league its slug; null for all leagues
 */
export async function eventsOfDay(store: EventFinder, start: number, league: string | null = null): Promise<number[]> {
  const found = await store.find<EventDocument>(events.name, {
    ...ofLeague(league),
    range: { field: 'starts_at', from: start, to: start + DAY - 1 },
    order: { field: 'starts_at', direction: 'asc' },
    limit: MAX_EVENTS,
  });
  return found.map(({ key }) => Number(key));
}

/**
 * The first day at or after a moment (or the last day before it) that has events, as its start; null if there is none.
 */
async function nearestDay(
  store: EventFinder,
  direction: 'before' | 'from',
  moment: number,
  league: string | null = null,
): Promise<number | null> {
  const [found] = await store.find<EventDocument>(events.name, {
    ...ofLeague(league),
    range: { field: 'starts_at', ...(direction === 'from' ? { from: moment } : { to: moment - 1 }) },
    order: { field: 'starts_at', direction: direction === 'from' ? 'asc' : 'desc' },
    limit: 1,
  });
  return found ? startOfDay(timeOf(found.document.event.schedule!.starts_at)) : null;
}

const startOfDay = (time: number): number => Math.floor(time / DAY) * DAY;

/**
 * Finds the day to show: the requested one, or today, if it has events. Otherwise the nearest day with events, and the
 * later one of two. If there are no events at all, the wanted day itself. Returns its start in milliseconds.
 * @param league its slug, if days without its events do not count
 * @throws ApiError bad_request for an invalid date
 */
export async function resolveDay(
  store: EventFinder,
  requested: string | undefined,
  now: number,
  league: string | null = null,
): Promise<number> {
  const wanted = requested === undefined ? startOfDay(now) : readDate('date', requested);
  const after = await nearestDay(store, 'from', wanted, league);
  if (after === wanted) return wanted;
  const before = await nearestDay(store, 'before', wanted, league);
  if (after === null || before === null) return after ?? before ?? wanted;
  return after - wanted <= wanted - before ? after : before;
}

/** The dates of the nearest days with events before and after a day; null if there are none. */
export async function neighboursOf(store: EventFinder, day: number, league: string | null = null) {
  const [before, after] = await Promise.all([
    nearestDay(store, 'before', day, league),
    nearestDay(store, 'from', day + DAY, league),
  ]);
  return {
    previous: before === null ? null : formatDate(before),
    next: after === null ? null : formatDate(after),
  };
}

/** The JSON of a day's `Board`. */
export async function renderDayBoard(
  { store, cache }: { readonly store: EventFinder; readonly cache: BoardCache },
  day: number,
  now: number,
): Promise<string> {
  const [ids, { previous, next }] = await Promise.all([eventsOfDay(store, day), neighboursOf(store, day)]);
  const entries = [...(await cache.read(ids)).values()].sort(compareEntries);
  const board: Omit<Board, 'events'> = {
    date: formatDate(day),
    previous_date: previous,
    next_date: next,
    generated_at: formatTime(now),
    simulated: entries.some(({ event }) => event.simulated),
    sports: sportsOf(entries),
  };
  // The cache has the JSON of each event.
  return `${JSON.stringify(board).slice(0, -1)},"events":[${entries.map(({ json }) => json).join(',')}]}`;
}

const TO_COME: ReadonlySet<EventStatus> = new Set(['scheduled', 'delayed']);

/** Live, upcoming, ended, and last the events that will not take place on this day. */
const STATUS_RANKS = new Map(
  EVENT_STATUSES.map((status) => {
    if (isInPlay(status)) return [status, 0];
    if (TO_COME.has(status)) return [status, 1];
    return [status, isOver(status) && status !== 'cancelled' ? 2 : 3];
  }),
);

type OrderedEntry = CachedEvent<Pick<BoardEvent, 'id' | 'status' | 'starts_at'>>;

/** The order of the board. */
export function compareEntries({ event: a }: OrderedEntry, { event: b }: OrderedEntry): number {
  const rank = ({ status }: Pick<BoardEvent, 'status'>) => STATUS_RANKS.get(status)!;
  return rank(a) - rank(b) || timeOf(a.starts_at) - timeOf(b.starts_at) || a.id - b.id;
}

function sportsOf(entries: readonly BoardEntry[]): BoardSport[] {
  const leagues = new Set(entries.map(({ event }) => event.league));
  return SPORTS.map(({ slug, name, leagues: all }) => ({
    slug,
    name,
    leagues: all
      .filter((league) => leagues.has(league.slug))
      .map((league) => ({ slug: league.slug, name: league.name, abbreviation: league.abbreviation })),
  })).filter((sport) => sport.leagues.length > 0);
}

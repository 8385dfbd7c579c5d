import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { type ListingDocument, listings } from '../../../projections/sports-events/listings.ts';
import type { EventStatus } from '../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { hexEventId } from '../../domain/primitives/hex-ids.ts';
import { DAY, MINUTE } from '../../domain/primitives/time.ts';
import { hasPlaceholder } from '../../domain/side-profiles.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import type { Query } from '../../read-models/store/document-reader.ts';
import { findPages } from '../../read-models/store/query-pages.ts';
import type { OperationContext } from '../calls/operation/operation.ts';
import { grantsSport } from '../calls/scopes.ts';
import { readDocument } from '../operations/shared/read-documents.ts';
import { LEAGUE_SPORTS, type OddsApiSport, sportOfEvent, TOURS } from './sport-keys.ts';

/** An event with the sport it is listed under. */
export interface ListedEvent {
  readonly document: EventDocument;
  readonly sport: OddsApiSport;
}

/** The time of a query: now, or in the past with `asOf`. Milliseconds. */
export interface Moment {
  readonly at: number;
  readonly asOf: AsOf | undefined;
}

/** One sport, or all that the API key covers. */
type SportQuery = OddsApiSport | 'upcoming';

type Reader = Pick<OperationContext, 'store' | 'histories' | 'principal' | 'replacements'>;

const OPEN_STATUSES: readonly EventStatus[] = ['scheduled', 'delayed', 'inprogress', 'suspended'];
const OVER_STATUSES: readonly EventStatus[] = ['final', 'walkover'];
/** Documents in one read. */
const PAGE = 200;
/** Upcoming events in the list `upcoming`, beside the live ones. */
const MAX_UPCOMING = 8;
/** How far a source's clock may be ahead of the server's. */
const AHEAD = 5 * MINUTE;

export const startOf = ({ event }: EventDocument): number => timeOf(event.schedule!.starts_at);
export const isOver = ({ event }: EventDocument): boolean => OVER_STATUSES.includes(event.status);

/** Whether the event is upcoming or live. */
const isOpen = (document: EventDocument, { at }: Moment): boolean =>
  OPEN_STATUSES.includes(document.event.status) && startOf(document) >= at - DAY;

/** The events of a list, in order. @param daysFrom days back for finished events; 0: no finished events */
export async function readListedEvents(
  context: Reader,
  query: SportQuery,
  moment: Moment,
  daysFrom = 0,
): Promise<readonly ListedEvent[]> {
  const leagues = leaguesOf(context, query);
  const found = moment.asOf
    ? await readEventsAsOf(context, leagues, moment)
    : await readEventsNow(context, leagues, moment, daysFrom);
  const listed: ListedEvent[] = [];
  for (const document of found) {
    const sport = listedSportOf(document);
    if (!sport || (query !== 'upcoming' && sport.key !== query.key)) continue;
    const isRecent = isOver(document) && startOf(document) >= moment.at - daysFrom * DAY && daysFrom > 0;
    if (isOpen(document, moment) || isRecent) listed.push({ document, sport });
  }
  listed.sort((a, b) => startOf(a.document) - startOf(b.document) || a.document.id - b.document.id);
  return query === 'upcoming' ? upcoming(listed, moment) : listed;
}

/** The sport of an event, if its start and both sides are known; only such an event can be listed. */
const listedSportOf = (document: EventDocument): OddsApiSport | undefined =>
  document.event.schedule && !hasPlaceholder(document) ? sportOfEvent(document) : undefined;

/** Live events, finished events, and the next upcoming ones. A scheduled event whose start has passed is left out. */
function upcoming(listed: readonly ListedEvent[], { at }: Moment): readonly ListedEvent[] {
  let next = 0;
  return listed.filter(({ document }) => {
    const { status } = document.event;
    if (status !== 'scheduled' && status !== 'delayed') return true;
    if (status === 'scheduled' && startOf(document) < at) return false;
    return next++ < MAX_UPCOMING;
  });
}

function leaguesOf({ principal }: Reader, query: SportQuery): readonly string[] {
  if (query !== 'upcoming') return [query.league];
  const team = LEAGUE_SPORTS.filter(({ sport }) => grantsSport(principal, sport)).map(({ league }) => league);
  return grantsSport(principal, 'tennis') ? [...team, ...Object.keys(TOURS)] : team;
}

async function readEventsNow(
  { store }: Reader,
  leagues: readonly string[],
  { at }: Moment,
  daysFrom: number,
): Promise<readonly EventDocument[]> {
  const found: EventDocument[] = [];
  const of = async (status: readonly EventStatus[], from: number): Promise<void> => {
    for (const league of leagues) {
      const query = { where: { league, status }, range: { field: 'starts_at', from }, order: BY_START } as const;
      for await (const page of pagesOf<EventDocument>(store, events.name, query, startOf)) found.push(...page);
    }
  };
  await of(OPEN_STATUSES, at - DAY);
  if (daysFrom > 0) await of(OVER_STATUSES, at - daysFrom * DAY);
  return found;
}

const BY_START = { field: 'starts_at', direction: 'asc' } as const;

/** Events as they were known at the moment. Reads all that may have been listed then; the caller filters. */
async function readEventsAsOf(context: Reader, leagues: readonly string[], moment: Moment): Promise<EventDocument[]> {
  const found: EventDocument[] = [];
  const order = { field: 'until', direction: 'asc' } as const;
  for (const league of leagues) {
    const query = { where: { league }, range: { field: 'until', from: moment.at - DAY }, order } as const;
    for await (const page of pagesOf<ListingDocument>(context.store, listings.name, query, ({ until }) => until)) {
      for (const { id, from } of page) {
        // The event was not known yet.
        if (from > moment.at + AHEAD) continue;
        for (const then of [id, ...mergedSince(context, id, moment)]) {
          const document = await readDocument(context, events, String(then), moment.asOf);
          if (document) found.push(document);
          await yieldToEventLoop();
        }
      }
    }
  }
  return found;
}

/** Yields the results of a query page by page, and yields to the event loop in between. */
async function* pagesOf<Doc extends { readonly id: number }>(
  store: OperationContext['store'],
  projection: string,
  query: Omit<Query, 'limit' | 'after'>,
  orderOf: (document: Doc) => number,
): AsyncGenerator<readonly Doc[]> {
  const sortKeyOf = (last: Doc) => ({ value: orderOf(last), id: last.id });
  for await (const page of findPages(store, projection, { ...query, limit: PAGE }, sortKeyOf)) {
    yield page.map(({ document }) => document);
    await yieldToEventLoop();
  }
}

/** When the answers of the moment were recorded, in milliseconds; undefined: what is known now counts. */
const recordedByOf = ({ asOf }: Moment): number | undefined => (asOf?.basis === 'recorded' ? asOf.at : undefined);

/** The ids that were merged into this event after the moment: then they were events of their own. */
function mergedSince({ replacements }: Pick<Reader, 'replacements'>, id: number, moment: Moment): readonly number[] {
  const recordedBy = recordedByOf(moment);
  if (recordedBy === undefined) return [];
  return replacements
    .mergedInto('event', id)
    .filter((merged) => replacements.meaningOf('event', merged, recordedBy) === merged);
}

/** The events of these hex ids, which may be ours or the provider's. */
interface MeantEvents {
  readonly ids: ReadonlySet<number>;
  /** Those into which others were merged that the hex ids name. */
  readonly mergedInto: readonly number[];
}

export async function findIdsOfHexIds(
  context: Pick<Reader, 'store' | 'replacements'>,
  hexIds: readonly string[],
  moment: Moment,
): Promise<MeantEvents> {
  const { store, replacements } = context;
  const named = new Set(hexIds);
  const found = new Set<number>();
  const mergedInto = new Set<number>();
  for (const id of replacements.mergedIds('event')) {
    if (!named.has(hexEventId(id))) continue;
    const meaning = replacements.meaningOf('event', id, recordedByOf(moment));
    found.add(meaning);
    if (meaning !== id) mergedInto.add(meaning);
  }
  for (let first = 0; first < hexIds.length; first += PAGE) {
    const queries = hexIds.slice(first, first + PAGE).map((hex_ids) => ({ where: { hex_ids }, limit: 10 }));
    for (const some of await store.findEach<ListingDocument>(listings.name, queries)) {
      for (const { document } of some) {
        found.add(document.id);
        // What the provider calls so may have been an event of its own then.
        if (!named.has(hexEventId(document.id))) {
          for (const id of mergedSince(context, document.id, moment)) found.add(id);
        }
      }
    }
  }
  return { ids: found, mergedInto: [...mergedInto] };
}

/** The listed event with this hex id in this sport; undefined if there is none. */
export async function readListedEvent(
  context: Reader,
  sport: OddsApiSport,
  hexId: string,
  moment: Moment,
): Promise<(Pick<MeantEvents, 'mergedInto'> & { readonly document: EventDocument }) | undefined> {
  const { ids, mergedInto } = await findIdsOfHexIds(context, [hexId], moment);
  for (const id of ids) {
    const document = await readDocument(context, events, String(id), moment.asOf);
    if (!document || listedSportOf(document)?.key !== sport.key) continue;
    if (isOpen(document, moment)) return { document, mergedInto };
  }
  return undefined;
}

/** Yields the sport of each listed event of a league. The caller may stop early. */
export async function* findOpenSports(
  { store }: Pick<Reader, 'store'>,
  league: string,
  at: number,
): AsyncGenerator<OddsApiSport> {
  const query = {
    where: { league, status: OPEN_STATUSES },
    range: { field: 'starts_at', from: at - DAY },
    order: BY_START,
  } as const;
  for await (const page of pagesOf<EventDocument>(store, events.name, query, startOf)) {
    for (const document of page) {
      const sport = listedSportOf(document);
      if (sport) yield sport;
    }
  }
}

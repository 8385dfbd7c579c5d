import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { hexEventId, isHexId } from '../../src/domain/primitives/hex-ids.ts';
import { type DomainEventData, type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/**
 * The time range in which an event could be in a list of upcoming events, at any moment of knowledge, and its ids of 32
 * hex digits. So a query about a past moment need not fold the history of all events of a league.
 */
export interface ListingDocument {
  id: number;
  league: string;
  /** Time of the first report. Milliseconds. */
  from: number;
  /** The latest start ever announced. Milliseconds. */
  until: number;
  /** The ids of the event at The Odds API, sorted. */
  refs: readonly string[];
}

type ListedEventData = DomainEventData['EventScheduled' | 'ScheduleReconfirmed' | 'EventBound'];

const SOURCE = 'the-odds-api';

export const listings: Projection<ListingDocument> = {
  name: 'listings',
  version: 1,
  types: ['EventScheduled', 'ScheduleReconfirmed', 'EventBound'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const data = record.data as ListedEventData;
    const { eventId, league } = data;
    const next = document ?? { id: eventId, league, from: timeOf(data.at), until: 0, refs: [] };
    // The time of a binding depends on which report came first, so it does not count.
    if (record.type !== 'EventBound') next.from = Math.min(next.from, timeOf(data.at));
    if (record.type === 'EventScheduled') next.until = Math.max(next.until, timeOf(record.data.content.starts_at));
    const added = refsOf(data).filter((ref) => isHexId(ref) && !next.refs.includes(ref));
    if (added.length > 0) next.refs = [...next.refs, ...added].sort();
    return next;
  },
  // Lists as of an earlier moment still need the times from before an operator mended the event.
  restate(before, folded) {
    if (!before || !folded) return before ?? folded;
    const { from, until } = before;
    return { ...folded, from: Math.min(from, folded.from), until: Math.max(until, folded.until) };
  },
  fields: {
    league: { kind: 'string', of: ({ league }) => league },
    until: { kind: 'number', of: ({ until }) => until },
    hex_ids: { kind: 'many', of: ({ id, refs }) => [hexEventId(id), ...refs] },
  },
  indexes: [['league', 'until'], ['hex_ids']],
  streams: (key) => [streams.event(key)],
};

/** The ids of the event at The Odds API in a record. */
function refsOf(data: ListedEventData): readonly string[] {
  const { origin } = data;
  const own = 'ref' in data ? data.ref : origin?.ref;
  return [
    ...(data.source === SOURCE && own !== undefined ? [own] : []),
    ...(origin?.refs?.[SOURCE] === undefined ? [] : [origin.refs[SOURCE]]),
  ];
}

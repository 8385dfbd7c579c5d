import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { hexEventId, isHexId } from '../../src/domain/primitives/hex-ids.ts';
import { type DomainEventData, type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/**
 * When an event may have stood in a list of what is to come, whatever was known of it at which moment; and its ids of 32
 * hex digits. It says all of the past in a line, so that nobody has to fold the stories of all events of a league to find
 * those that a moment had.
 */
export interface ListingDocument {
  id: number;
  league: string;
  /** When a source first told of it. Milliseconds. */
  from: number;
  /** The latest start that was ever announced. Milliseconds. */
  until: number;
  /** The ids that The Odds API has for it, sorted. */
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
    // A binding tells when a name was learned, which hangs on what came first.
    if (record.type !== 'EventBound') next.from = Math.min(next.from, timeOf(data.at));
    if (record.type === 'EventScheduled') next.until = Math.max(next.until, timeOf(record.data.content.starts_at));
    const added = refsOf(data).filter((ref) => isHexId(ref) && !next.refs.includes(ref));
    if (added.length > 0) next.refs = [...next.refs, ...added].sort();
    return next;
  },
  fields: {
    league: { kind: 'string', of: ({ league }) => league },
    until: { kind: 'number', of: ({ until }) => until },
    hex_ids: { kind: 'many', of: ({ id, refs }) => [hexEventId(id), ...refs] },
  },
  indexes: [['league', 'until'], ['hex_ids']],
  streams: (key) => [streams.event(key)],
};

/** The source's own names of the event that the record tells. */
function refsOf(data: ListedEventData): readonly string[] {
  const { origin } = data;
  const own = 'ref' in data ? data.ref : origin?.ref;
  return [
    ...(data.source === SOURCE && own !== undefined ? [own] : []),
    ...(origin?.refs?.[SOURCE] === undefined ? [] : [origin.refs[SOURCE]]),
  ];
}

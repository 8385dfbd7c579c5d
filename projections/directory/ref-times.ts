import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** When each id of a thing at a source was first recorded, by `refTimeName`. */
type RefTimes = Record<string, string>;

export const refTimeName = (source: string, ref: string): string => `${source} ${ref}`;

/** The streams of things with ids at sources. */
const STREAMS = { event: streams.event, team: streams.team, player: streams.player };

/** The document key of a thing. */
export const refTimesKey = (kind: keyof typeof STREAMS, id: number): string => `${kind}:${id}`;

/**
 * Not stored as a read model. The registry of refs records the time of each new binding. For bindings by earlier
 * versions only the log has the time, if a message about the thing itself had the ref; this projection is folded on
 * request for them.
 */
export const refTimes: Projection<RefTimes> = {
  name: 'ref-times',
  version: 1,
  types: ['EventScheduled', 'EventBound', 'TeamChanged', 'PlayerChanged', 'PlayerReconfirmed'],
  key(untyped) {
    const { data } = untyped as DomainRecord;
    if ('teamId' in data) return refTimesKey('team', data.teamId);
    if ('playerId' in data) return refTimesKey('player', data.playerId);
    return 'eventId' in data ? refTimesKey('event', data.eventId) : undefined;
  },
  apply(document, untyped) {
    const { type, data, recordedAt } = untyped as DomainRecord;
    const times: RefTimes = document ?? {};
    const addTime = (source: string, ref: string | undefined) => {
      if (ref !== undefined) times[refTimeName(source, ref)] ??= recordedAt;
    };
    if (type === 'EventScheduled') {
      const { ref, refs = {} } = data.origin ?? {};
      addTime(data.source, ref);
      for (const [source, other] of Object.entries(refs)) addTime(source, other);
    } else if ('ref' in data) addTime(data.source, data.ref);
    return times;
  },
  fields: {},
  indexes: [],
  streams(key) {
    const [kind, id] = key.split(':') as [keyof typeof STREAMS, string];
    return [STREAMS[kind](id)];
  },
};

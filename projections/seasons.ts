import { findLeagueById } from '../src/domain/catalogue.ts';
import { type DomainEventData, type DomainRecord, streams } from '../src/domain/domain-events.ts';
import type { Projection } from '../src/domain/projection.ts';

/** A season of a league, with what was given of it. Its phase, and dates not given, follow from its events. */
export interface SeasonDocument {
  id: number;
  given: DomainEventData['SeasonDescribed']['season'];
}

export const seasons: Projection<SeasonDocument> = {
  name: 'seasons',
  version: 1,
  types: ['SeasonDescribed'],
  key: ({ data }) => String(data.seasonId),
  apply(_, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'SeasonDescribed' }>;
    return { id: data.seasonId, given: data.season };
  },
  fields: {
    sport: { kind: 'string', of: ({ id }) => findLeagueById(Math.floor(id / 10_000))?.sport ?? null },
  },
  indexes: [['sport']],
  streams: (key) => [streams.season(key)],
};

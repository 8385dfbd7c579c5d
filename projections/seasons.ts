import { findLeagueById } from '../src/domain/catalogue.ts';
import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import type { Projection } from '../src/domain/projection.ts';
import { applySeason, type GivenSeason, newSeason } from '../src/domain/seasons.ts';

/** A season of a league, with what was given of it. Its phase, and dates not given, follow from its events. */
export interface SeasonDocument extends GivenSeason {
  readonly id: number;
}

export const seasons: Projection<SeasonDocument> = {
  name: 'seasons',
  version: 2,
  types: ['SeasonDescribed'],
  key: ({ data }) => String(data.seasonId),
  apply(document, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'SeasonDescribed' }>;
    return { id: data.seasonId, ...applySeason(document ?? newSeason, data) };
  },
  fields: {
    sport: { kind: 'string', of: ({ id }) => findLeagueById(Math.floor(id / 10_000))?.sport ?? null },
  },
  indexes: [['sport']],
  streams: (key) => [streams.season(key)],
};

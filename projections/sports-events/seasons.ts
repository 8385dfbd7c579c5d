import { findLeagueById } from '../../src/domain/catalogue/catalogue.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { applySeason, type DatedSeasonFacts, EMPTY_SEASON } from '../../src/domain/sports-events/season-facts.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** A season of a league, with its reported data. Its phase and missing dates are computed from its events. */
export interface SeasonDocument extends DatedSeasonFacts {
  readonly id: number;
  /** Of a league of CONFIG. */
  readonly sport?: string;
}

export const seasons: Projection<SeasonDocument> = {
  name: 'seasons',
  version: 2,
  types: ['SeasonDescribed'],
  key: ({ data }) => String(data.seasonId),
  apply(document, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'SeasonDescribed' }>;
    const sport = data.sport ?? document?.sport;
    return {
      id: data.seasonId,
      ...(sport === undefined ? {} : { sport }),
      ...applySeason(document ?? EMPTY_SEASON, data),
    };
  },
  fields: {
    sport: { kind: 'string', of: ({ id, sport }) => sport ?? findLeagueById(Math.floor(id / 10_000))?.sport ?? null },
  },
  indexes: [['sport']],
  streams: (key) => [streams.season(key)],
};

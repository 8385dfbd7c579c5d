import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { applyOutrights, type OutrightBook } from '../../src/domain/odds/outright-prices.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** The prices of one bookmaker on one market of a season. */
export interface OutrightsDocument extends OutrightBook {
  readonly seasonId: number;
  readonly market: string;
  readonly bookmaker: string;
}

/** Without market and bookmaker: the beginning of the keys of a season. */
export const outrightsKey = (seasonId: number, market = '', bookmaker = ''): string =>
  `${seasonId}:${market}:${bookmaker}`;

export const outrights: Projection<OutrightsDocument> = {
  name: 'outrights',
  version: 1,
  types: ['OutrightPricesChanged', 'OutrightPricesReconfirmed'],
  key: ({ data }) => {
    const { market, bookmaker } = data.content ?? data;
    return outrightsKey(data.seasonId, market, bookmaker);
  },
  apply(document, untyped) {
    const { type, data } = untyped as Extract<DomainRecord, { type: `OutrightPrices${string}` }>;
    // A reconfirmation names a record of the same stream, which made the document.
    if (type === 'OutrightPricesReconfirmed') return { ...document!, capturedAt: data.at };
    const { seasonId, content, late } = data;
    const { market, bookmaker } = content;
    // A copy: later records change it.
    return { seasonId, market, bookmaker, ...(late ? structuredClone(late) : applyOutrights(document, data)) };
  },
  fields: { season_id: { kind: 'number', of: ({ seasonId }) => seasonId } },
  indexes: [['season_id']],
  streams: (key) => [streams.outrights(key.slice(0, key.indexOf(':')))],
};

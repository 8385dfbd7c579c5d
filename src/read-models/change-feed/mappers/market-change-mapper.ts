import { isMoneyline } from '../../../domain/odds/three-way.ts';
import { hasPlaceholder } from '../../../domain/side-profiles.ts';
import type { DomainRecord } from '../../../domain/streams/domain-events.ts';
import { labelOfMarket, outcomeName, renderMovement } from '../../rendering/render-odds.ts';
import type { ChangeMapper, ChangeMapperParts, ClientChange, MapRecord } from '../change-mapper.ts';
import { eventBefore } from '../event-streams.ts';
import { createFoldedStreams } from '../folded-streams.ts';
import { marketWatch } from '../market-watch.ts';

export const marketChangeMapper: ChangeMapper = {
  changeTypes: ['steam', 'new_price'],
  recordTypes: ['PricesChanged'],
  create: mapMarkets,
};

/** Two markets of one record never share an index. */
const STEAM_INDEX = 100;

/**
 * `new_price` for each market that a bookmaker opens, `steam` for each that bookmakers move together. A suspect price is
 * neither, until it is released.
 */
function mapMarkets({ log, foldCache, events, breathe }: ChangeMapperParts): MapRecord {
  const watches = createFoldedStreams(marketWatch, log, foldCache, breathe);
  return async (record, isWanted, committed) => {
    const { eventId, sport, league, at } = (record as Extract<DomainRecord, { type: 'PricesChanged' }>).data;
    const wantsSteam = isWanted('steam', sport, eventId);
    const wantsPrices = isWanted('new_price', sport, eventId);
    if (!wantsSteam && !wantsPrices) return [];
    const { opened, steam } = await watches.after(record);
    if (opened.length === 0 && steam.length === 0) return [];
    const { recordedAt, position } = record;
    const event = await eventBefore(events, record, committed);
    if (!event || hasPlaceholder(event)) return [];
    const base = { eventId, sport, league, observedAt: at, at: recordedAt, position };
    const changes: ClientChange[] = [];
    if (wantsPrices) {
      for (const [index, { bookmaker, market: key, outcomes: priced }] of opened.entries()) {
        const outcomes = priced.map(({ outcome, price, point = null }) => ({
          outcome: outcomeName(event, outcome),
          price,
          point: isMoneyline(key) ? null : point,
        }));
        const data = { event_id: eventId, bookmaker, market: labelOfMarket(key), market_key: key, outcomes };
        changes.push({ ...base, eventType: 'new_price', data, index });
      }
    }
    if (wantsSteam) {
      for (const [index, { movement, bookmakers }] of steam.entries()) {
        const { bookmaker: _, ...moved } = renderMovement(event, bookmakers.at(-1)!, movement);
        const data = { event_id: eventId, bookmakers, ...moved };
        changes.push({ ...base, eventType: 'steam', data, index: STEAM_INDEX + index });
      }
    }
    return changes;
  };
}

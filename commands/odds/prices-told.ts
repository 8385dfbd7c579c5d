import type { EventIdentity } from '../../src/domain/domain-events.ts';
import type { HistoryPlace } from '../../src/domain/history.ts';
import { applyMovements, type BookMovements } from '../../src/domain/movements.ts';
import type { Entry } from '../../src/domain/observation.ts';
import { applyPrices, type BookPrices, type PricesContent } from '../../src/domain/prices.ts';
import { oddsStream } from '../../src/domain/streams/odds-stream.ts';
import { type EventOfKind, happened } from '../../src/domain/streams/stream-kind.ts';
import { formatTime } from '../../src/domain/time.ts';

export type OddsEvent = EventOfKind<typeof oddsStream>;

export interface PricesFact {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: PricesContent;
}

/** One bookmaker's prices. The same prices again are recorded in a compact form. */
export function pricesTold(
  { identity, at, source, content }: PricesFact,
  place: HistoryPlace<PricesContent>,
): OddsEvent[] {
  const { bookmaker } = content;
  switch (place.kind) {
    case 'known':
      return [];
    case 'repeated': {
      const data = { at, source, of: place.of, bookmaker, ...identity };
      return [happened(oddsStream, identity.eventId, 'PricesReconfirmed', data)];
    }
    case 'newest':
      return [happened(oddsStream, identity.eventId, 'PricesChanged', { at, source, content, ...identity })];
    case 'late': {
      const data = { at, source, content, late: foldHistory(place.entries), ...identity };
      return [happened(oddsStream, identity.eventId, 'PricesChanged', data)];
    }
  }
}

/** What a late message leaves: the prices that stand, and the movements with their neighbours linked anew. */
function foldHistory(entries: readonly Entry<PricesContent>[]): { prices: BookPrices; movements: BookMovements } {
  let prices: BookPrices | undefined;
  let movements: BookMovements | undefined;
  for (const { at, source, content } of entries) {
    const said = { at: formatTime(at), source, content };
    prices = applyPrices(prices, said);
    movements = applyMovements(movements, said);
  }
  return { prices: prices!, movements: movements! };
}

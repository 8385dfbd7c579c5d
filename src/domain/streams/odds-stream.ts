import type { BookMovements } from '../movements.ts';
import type { Observation, Reconfirmation } from '../observation.ts';
import type { BookPrices, PricesContent } from '../prices.ts';
import type { EventIdentity } from './event-identity.ts';
import { defineStream } from './stream-kind.ts';

interface OddsData {
  PricesChanged: Observation<PricesContent, { prices: BookPrices; movements: BookMovements }> & EventIdentity;
  PricesReconfirmed: Reconfirmation & EventIdentity & { readonly bookmaker: string };
}

/** `odds-ID`: the bookmakers' prices of a sports event. */
export const oddsStream = defineStream<OddsData>()({
  name: 'odds',
  partition: 'event',
  versions: { PricesChanged: 1, PricesReconfirmed: 1 },
});

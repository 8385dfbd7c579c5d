import { defineStream } from '../event-sourcing/stream-kind.ts';
import type { Observation, Reconfirmation } from '../observations/observation.ts';
import type { OutrightBook, OutrightContent } from '../odds/outright-prices.ts';

interface SeasonOfLeague {
  readonly seasonId: number;
  readonly sport: string;
  readonly league: string;
}

interface OutrightsData {
  OutrightPricesChanged: Observation<OutrightContent, OutrightBook> & SeasonOfLeague;
  OutrightPricesReconfirmed: Reconfirmation & SeasonOfLeague & Pick<OutrightContent, 'market' | 'bookmaker'>;
}

/** `outrights-SEASONID`: the prices of bookmakers on how a season ends. */
export const outrightsStream = defineStream<OutrightsData>()({
  name: 'outrights',
  partition: 'season',
  versions: { OutrightPricesChanged: 1, OutrightPricesReconfirmed: 1 },
});

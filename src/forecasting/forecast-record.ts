import type { SeasonRow } from '../intelligence/judging/market-record.ts';
import type { QuotedMarket } from '../intelligence/prices/quotes.ts';

/** What the server's own forecasts were worth: the port behind the record, and what decides whether edges are shown. */
export interface ForecastRecord {
  /**
   * All leagues and seasons of a sport and market, the newest season first, then by league. Counted are the facts of
   * before the last UTC midnight. Waits a while where nothing was counted yet. @throws Unavailable
   */
  rows(sport: string, market: QuotedMarket): Promise<readonly SeasonRow[]>;
  /**
   * Whether edges and tiers of a sport and market are shown, as the UTC midnight before a moment has decided.
   * @param moment milliseconds: the clock of the answer. False while nothing was counted yet
   */
  isPublished(sport: string, market: QuotedMarket, moment: number): boolean;
  /** Of a sport's forecasts: `established` once those of a market are published. */
  reliabilityOf(sport: string, moment: number): 'emerging' | 'established';
}

import type { SeasonRow } from '../../intelligence/evaluation/market-record.ts';
import type { PublicationTimes } from '../../intelligence/evaluation/publication-rule.ts';
import type { QuotedMarket } from '../../intelligence/prices/quotes.ts';

/** What the server's own forecasts were worth: the port behind the record, and what decides whether edges are shown. */
export interface TrackRecord {
  /**
   * All leagues and seasons of a sport and market, the newest season first, then by league. Counted are the facts of
   * before the last UTC midnight. Waits a while where nothing was counted yet. @throws Unavailable
   */
  rows(sport: string, market: QuotedMarket): Promise<readonly SeasonRow[]>;
  /** When edges and tiers of a sport are shown; never, while nothing was counted yet. */
  publicationsOf(sport: string): PublicationTimes;
  /** Tells of sports of which that has become otherwise. @returns ends it */
  onPublications(listener: (sports: readonly string[]) => void): () => void;
  /** Of a sport's forecasts: `established` once those of a market are published. */
  reliabilityOf(sport: string, moment: number): 'emerging' | 'established';
}

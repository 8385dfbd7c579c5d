import type { BlendTurns } from '../../intelligence/evaluation/blend-weight.ts';
import type { SeasonRow } from '../../intelligence/evaluation/market-record.ts';
import type { MonthlyRecord } from '../../intelligence/evaluation/monthly-record.ts';
import type { PublicationTimes } from '../../intelligence/evaluation/publication-rule.ts';
import type { QuotedMarket } from '../../intelligence/prices/quotes.ts';

/** The track record of the server's own forecasts. It also decides whether edges are shown. */
export interface TrackRecord {
  /**
   * All leagues and seasons of a sport and market, the newest season first, then by league. Counts the facts before the
   * last UTC midnight. Waits for a limited time if nothing was counted yet.
   * @throws UnavailableError
   */
  rows(sport: string, market: QuotedMarket): Promise<readonly SeasonRow[]>;
  /** What a sport's and market's selections were worth by month, the oldest first; as `rows` otherwise. */
  months(sport: string, market: QuotedMarket): Promise<readonly MonthlyRecord[]>;
  /** When the edges and tiers of a sport are shown; never before the first count. */
  publicationsOf(sport: string): PublicationTimes;
  /** The weights of a sport's blends; null before the first count. */
  blendTurnsOf(sport: string): BlendTurns | null;
  /**
   * The same, but waits for the first count as `rows` does; null for an unknown sport.
   * @throws UnavailableError
   */
  countedBlendTurnsOf(sport: string): Promise<BlendTurns | null>;
  /**
   * Calls the listener with the sports whose publication times have changed.
   * @returns the function that removes the listener
   */
  onPublications(listener: (sports: readonly string[]) => void): () => void;
  /** How reliable a sport's forecasts are: `established` once those of a market are published. */
  reliabilityOf(sport: string, moment: number): 'emerging' | 'established';
}

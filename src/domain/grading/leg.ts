import type { LegScope } from './leg-scope.ts';

export const LEG_SIDES = ['home', 'away', 'over', 'under', 'draw'] as const;
export type LegSide = (typeof LEG_SIDES)[number];

/**
 * A leg of a slip: one bet on one sports event, complete. `market_key` is canonical: `h2h`, `spreads`, `totals`,
 * `team_total`, else the name of a statistic.
 */
export interface Leg {
  readonly event_id: number;
  readonly market_key: string;
  readonly side: LegSide;
  /** Signed for the side on spreads; null for h2h. */
  readonly line: number | null;
  /** For props, else null. */
  readonly player_id: number | null;
  /** For team totals; for other markets only if given. */
  readonly team_id: number | null;
  /** The part of the event that the leg is on; absent: the whole event. */
  readonly scope?: LegScope;
}

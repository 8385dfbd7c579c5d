import { isSoccer, isTennis } from '../../domain/catalogue/sport-rules.ts';
import { type MarketSide, outcomesOf, type QuotedMarket } from './quotes.ts';

export const BET_SIDES = ['home', 'away', 'p1', 'p2', 'draw', 'over', 'under'] as const;

/** One bet of a market, in the names of the API. */
export interface BetToken {
  /** `ML_P1`, `SPREAD_AWAY`, `OVER`, ... */
  readonly bet_type: string;
  readonly side: (typeof BET_SIDES)[number];
  /** The index of the event's side; null for a bet on the match. */
  readonly index: 0 | 1 | null;
}

/** The bets of a market in a sport, in the order of the market's outcomes. */
export const betTokensOf = (sport: string, market: QuotedMarket): readonly BetToken[] =>
  outcomesOf(market, isSoccer(sport)).map((side) => tokenOf(sport, market === 'h2h' ? 'ML' : 'SPREAD', side));

function tokenOf(sport: string, prefix: 'ML' | 'SPREAD', side: MarketSide): BetToken {
  if (side === 'over' || side === 'under') return { bet_type: side.toUpperCase(), side, index: null };
  if (side === 'draw') return { bet_type: 'ML_DRAW', side, index: null };
  const index = side === 'home' ? 0 : 1;
  const role = isSoccer(sport) ? side.toUpperCase() : (['P1', 'P2'] as const)[index];
  return { bet_type: `${prefix}_${role}`, side: isTennis(sport) ? (['p1', 'p2'] as const)[index] : side, index };
}

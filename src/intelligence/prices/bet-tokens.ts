import { isSoccer, isTennis } from '../../domain/catalogue/sport-rules.ts';
import type { WatchedMarket } from '../../domain/odds/bookmaker-prices.ts';
import { type MarketSide, outcomesOf } from './quotes.ts';

export const BET_SIDES = ['home', 'away', 'p1', 'p2', 'draw', 'over', 'under'] as const;

/** One bet of a market, in the names of the API. */
export interface BetToken {
  /** `ML_P1`, `SPREAD_AWAY`, `OVER`, ...; `ML3_P1` is of the moneyline of regular time, beside that of the game. */
  readonly bet_type: string;
  readonly side: (typeof BET_SIDES)[number];
  /** The index of the event's side; null for a bet on the match. */
  readonly index: 0 | 1 | null;
}

/** The bets of a market in a sport, in the order of the market's outcomes. */
export const betTokensOf = (sport: string, market: WatchedMarket): readonly BetToken[] =>
  outcomesOf(market, isSoccer(sport)).map((side) => tokenOf(sport, PREFIXES[market], side));

const PREFIXES = { h2h: 'ML', h2h_3_way: 'ML3', spreads: 'SPREAD', totals: '' } as const;

function tokenOf(sport: string, prefix: (typeof PREFIXES)[WatchedMarket], side: MarketSide): BetToken {
  if (side === 'over' || side === 'under') return { bet_type: side.toUpperCase(), side, index: null };
  if (side === 'draw') return { bet_type: `${prefix}_DRAW`, side, index: null };
  const index = side === 'home' ? 0 : 1;
  const role = isSoccer(sport) ? side.toUpperCase() : (['P1', 'P2'] as const)[index];
  return { bet_type: `${prefix}_${role}`, side: isTennis(sport) ? (['p1', 'p2'] as const)[index] : side, index };
}

import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { hasThreeWay, THREE_WAY } from '../../domain/odds/three-way.ts';
import { isPropKey, propOf } from './player-props.ts';

/** A market key of The Odds API in the terms of the feed contract. */
export interface MarketKey {
  readonly key: string;
  readonly scope?: '1H' | 'F5' | 'S1';
  readonly alternate?: true;
  /** A player's statistic. */
  readonly prop?: true;
  /** A yes-or-no market: its `Yes` is over 0.5 of the statistic, its `No` under it. */
  readonly isYesNo?: true;
  /** Other markets have prices of the same statistic, so that this one alone withdraws none. */
  readonly shared?: true;
}

export const MAIN_KEYS = ['h2h', 'spreads', 'totals', 'team_totals'];
/** Key suffixes of markets that do not cover the whole match. */
export const SCOPE_SUFFIXES: Readonly<Record<string, MarketKey['scope']>> = {
  _h1: '1H',
  _1st_5_innings: 'F5',
  _s1: 'S1',
};
const MAIN_KEY = new RegExp(`^(${MAIN_KEYS.join('|')})(${Object.keys(SCOPE_SUFFIXES).join('|')})?$`);
/** Alternate lines: `alternate_spreads_h1`, `player_points_alternate`. */
const ALTERNATE = /^alternate_|_alternate$/g;

/** Undefined for a market that the feed contract cannot express: other periods, both teams to score, lay prices, and
 *  props that are no count over a player's whole game. */
export function marketOf(given: string, sport: SportSlug): MarketKey | undefined {
  const key = given.replace(ALTERNATE, '');
  const alternate = key === given ? {} : { alternate: true as const };
  if (given === THREE_WAY) return hasThreeWay(sport) ? { key: THREE_WAY } : undefined;
  const main = MAIN_KEY.exec(key);
  if (main) return { key: main[1]!, ...(main[2] ? { scope: SCOPE_SUFFIXES[main[2]] } : {}), ...alternate };
  const prop = isPropKey(key) ? propOf(key, sport) : undefined;
  if (!prop) return undefined;
  const { stat, ...yesNoStat } = prop;
  return { key: stat, prop: true, ...yesNoStat, ...alternate };
}

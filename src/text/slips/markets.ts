import type { Leg } from './leg.ts';

/** What the market of a leg is settled as. A period market is none that slips settle. */
export type LegKind = 'h2h' | 'spreads' | 'totals' | 'team_total' | 'prop' | 'period';

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['moneyline', 'h2h'],
  ['ml', 'h2h'],
  ['spread', 'spreads'],
  ['total', 'totals'],
  ['ou', 'totals'],
  ['team totals', 'team_total'],
  ['team_totals', 'team_total'],
  ['tt', 'team_total'],
]);

/** As the rules of markets name it, in lower case: `ML` is `h2h`. */
export function canonicalMarket(key: string): string {
  const lower = key.toLowerCase();
  return ALIASES.get(lower) ?? lower;
}

const GAME_MARKETS: ReadonlySet<string> = new Set(['h2h', 'spreads', 'totals', 'team_total']);

/** @param market canonical */
export function kindOf(market: string): LegKind {
  if (GAME_MARKETS.has(market)) return market as LegKind;
  return /^first_(?:half|five|set)_/.test(market) ? 'period' : 'prop';
}

/** Which members a leg must have, and may not have, and which sides it can take; see the rules in `legProblems`. */
interface KindRules {
  readonly needs: readonly (keyof Leg)[];
  readonly forbids: readonly (keyof Leg)[];
  readonly sides: readonly Leg['side'][];
}

export const KIND_RULES: Readonly<Record<LegKind, KindRules>> = {
  h2h: { needs: [], forbids: ['line', 'player_id', 'team_id'], sides: ['home', 'away', 'draw'] },
  spreads: { needs: ['line'], forbids: ['player_id'], sides: ['home', 'away'] },
  totals: { needs: ['line'], forbids: ['player_id'], sides: ['over', 'under'] },
  team_total: { needs: ['line', 'team_id'], forbids: ['player_id'], sides: ['over', 'under'] },
  prop: { needs: ['line', 'player_id'], forbids: [], sides: ['over', 'under'] },
  period: { needs: [], forbids: [], sides: ['home', 'away', 'over', 'under', 'draw'] },
};

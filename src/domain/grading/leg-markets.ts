import { playsLike } from '../catalogue/added-leagues.ts';
import { hasOwnRules } from '../catalogue/game-rules.ts';
import { isTennis } from '../catalogue/sport-rules.ts';
import { THREE_WAY } from '../odds/three-way.ts';
import type { Leg } from './leg.ts';
import { hasScope } from './leg-scope.ts';

/** The kind of market by which a leg is settled. A leg on a part of an event names its `scope`; markets
 * named for their period are not settled. */
type LegKind = 'h2h' | typeof THREE_WAY | 'spreads' | 'totals' | 'team_total' | 'prop' | 'period';

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

/** The canonical name of a market, in lower case: `ML` becomes `h2h`. */
export function canonicalMarket(key: string): string {
  const lower = key.toLowerCase();
  return ALIASES.get(lower) ?? lower;
}

const GAME_MARKETS: ReadonlySet<string> = new Set(['h2h', THREE_WAY, 'spreads', 'totals', 'team_total']);

/** @param market canonical */
export function legKindOf(market: string): LegKind {
  if (GAME_MARKETS.has(market)) return market as LegKind;
  return /^first_(?:half|five|set)_/.test(market) ? 'period' : 'prop';
}

/** The required and forbidden members of a leg, and its possible sides; checked in `slip-body.ts`. */
interface KindRules {
  readonly needs: readonly (keyof Leg)[];
  readonly forbids: readonly (keyof Leg)[];
  readonly sides: readonly Leg['side'][];
}

export const KIND_RULES: Readonly<Record<LegKind, KindRules>> = {
  h2h: { needs: [], forbids: ['line', 'player_id', 'team_id'], sides: ['home', 'away', 'draw'] },
  [THREE_WAY]: { needs: [], forbids: ['line', 'player_id', 'team_id', 'scope'], sides: ['home', 'away', 'draw'] },
  spreads: { needs: ['line'], forbids: ['player_id'], sides: ['home', 'away'] },
  totals: { needs: ['line'], forbids: ['player_id'], sides: ['over', 'under'] },
  team_total: { needs: ['line', 'team_id'], forbids: ['player_id'], sides: ['over', 'under'] },
  prop: { needs: ['line', 'player_id'], forbids: [], sides: ['over', 'under'] },
  period: { needs: [], forbids: [], sides: ['home', 'away', 'over', 'under', 'draw'] },
};

/** The data of an event that determine whether it can have a leg. */
interface LegEvent {
  readonly sport: string;
  readonly league: string;
  readonly teamIds: readonly [number | null, number | null];
  /** For props: the box or lineup has the player, or his current team plays in the event. */
  readonly hasPlayer: boolean;
}

const TEAM_TOTAL_SPORTS: ReadonlySet<string> = new Set(['nfl', 'ncaaf', 'mlb', 'soccer']);

/** Why the event cannot have this leg, as one sentence; null if it can. */
export function unmappedReason({ market_key, side, team_id, scope }: Leg, event: LegEvent): string | null {
  const kind = legKindOf(market_key);
  const { sport, teamIds } = event;
  if (kind === 'period') return `The period market ${market_key} is not graded.`;
  if (scope !== undefined && !hasScope(event, scope))
    return `The scope ${scope} is not graded in ${hasOwnRules(event.league) ? event.league : sport}.`;
  if (kind === THREE_WAY && isTennis(sport)) return 'No match of tennis ends in a draw.';
  if (side === 'draw' && kind === 'h2h' && playsLike(sport) !== 'soccer')
    return `A draw is graded in soccer only, and the event is one of ${sport}.`;
  if (kind === 'team_total' && !TEAM_TOTAL_SPORTS.has(playsLike(sport)))
    return `Team totals of ${sport} are not graded.`;
  if (kind === 'prop' && isTennis(sport)) return 'Player props of tennis are not graded.';
  if (team_id !== null && !teamIds.includes(team_id)) return `Team ${team_id} does not play in the event.`;
  if (kind === 'spreads' && team_id !== null && team_id !== teamIds[side === 'home' ? 0 : 1]) {
    return `Team ${team_id} is not the ${side} side of the event.`;
  }
  return kind === 'prop' && !event.hasPlayer ? 'The player is not in the event.' : null;
}

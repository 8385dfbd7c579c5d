import { isTennis } from '../../domain/sides.ts';
import type { Leg } from './leg.ts';
import { kindOf } from './markets.ts';

/** What of an event tells whether it can have a leg. */
export interface LegEvent {
  readonly sport: string;
  readonly teamIds: readonly [number | null, number | null];
  /** Of a prop: its box or lineup names the player, or his present team plays in it. */
  readonly hasPlayer: boolean;
}

const TEAM_TOTAL_SPORTS: ReadonlySet<string> = new Set(['nfl', 'ncaaf', 'mlb', 'soccer']);

/** Why the event cannot have this leg, in one sentence; null where it can. */
export function whyUnmapped({ market_key, side, team_id }: Leg, event: LegEvent): string | null {
  const kind = kindOf(market_key);
  const { sport, teamIds } = event;
  if (kind === 'period') return `The period market ${market_key} is not graded.`;
  if (side === 'draw' && sport !== 'soccer')
    return `A draw is graded in soccer only, and the event is one of ${sport}.`;
  if (kind === 'team_total' && !TEAM_TOTAL_SPORTS.has(sport)) return `Team totals of ${sport} are not graded.`;
  if (kind === 'prop' && isTennis(sport)) return 'Player props of tennis are not graded.';
  if (team_id !== null && !teamIds.includes(team_id)) return `Team ${team_id} does not play in the event.`;
  if (kind === 'spreads' && team_id !== null && team_id !== teamIds[side === 'home' ? 0 : 1]) {
    return `Team ${team_id} is not the ${side} side of the event.`;
  }
  return kind === 'prop' && !event.hasPlayer ? 'The player is not in the event.' : null;
}

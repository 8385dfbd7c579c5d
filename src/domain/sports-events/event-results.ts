import type { EventStatus, ResultType } from '../catalogue/catalogue.ts';
import { extraPlayOf, periodOrder } from '../catalogue/period-order.ts';
import { rulesOf } from '../catalogue/sport-rules.ts';
import type { SideState, SportsEvent } from './sports-event.ts';

/** A sports event with its sport and league, which determine the rules. */
export interface EventWithSport {
  readonly sport: string;
  readonly league: string;
  readonly event: SportsEvent;
}

/** Who won and how is the same in all leagues of a sport, so projections keep it. */
type SportAndEvent = Pick<EventWithSport, 'sport' | 'event'>;

const BEFORE_PLAY: ReadonlySet<EventStatus> = new Set(['scheduled', 'delayed', 'postponed']);

/** Whether score, period and clock have a meaning: not before the start, and not without play. */
export const hasPlayBegun = (status: EventStatus): boolean => !BEFORE_PLAY.has(status) && status !== 'walkover';

export const isInPlay = (status: EventStatus): boolean => status === 'inprogress' || status === 'suspended';

interface PeriodScore {
  readonly period: string;
  readonly score: number;
  readonly tiebreak: number | null;
  readonly confirmed: boolean;
}

/** Scores by period. A score is confirmed when a later period has begun, or the event is final. */
export function periodScores({ event }: Pick<EventWithSport, 'event'>, index: 0 | 1): PeriodScore[] {
  if (!hasPlayBegun(event.status)) return [];
  const begun = event.sides.flatMap(({ period_scores = [] }) => period_scores.map(({ period }) => period));
  if (event.period !== undefined) begun.push(event.period);
  const last = Math.max(...begun.map((period) => periodOrder(period) ?? 0));
  return (event.sides[index].period_scores ?? []).map(({ period, score, tiebreak = null }) => ({
    period,
    score,
    tiebreak,
    confirmed: event.status === 'final' || (periodOrder(period) ?? Number.POSITIVE_INFINITY) < last,
  }));
}

/**
 * Whether this side won: by the source's statement, else by the scores. Null until the game is over, and if neither is
 * known.
 */
export function isWinner({ sport, event }: SportAndEvent, index: 0 | 1): boolean | null {
  if (event.status !== 'final' && event.status !== 'walkover') return null;
  const [own, other] = index === 0 ? event.sides : [event.sides[1], event.sides[0]];
  if (own.is_winner !== undefined) return own.is_winner;
  // If one side is stated to have won, the other did not. If one is stated not to have won, it may be a draw.
  if (other.is_winner === true) return false;
  if (event.status === 'walkover') return other.is_winner === false ? true : null;
  const difference = rulesOf(sport).score === 'sets' ? setDifference(own, other) : scoreDifference(own, other);
  if (difference === null) return other.is_winner === false ? true : null;
  return difference > 0;
}

/** By how many points, goals or sets the first side leads; negative if it trails, null if no scores tell. */
export function leadOfFirst({ sport, event: { sides } }: SportAndEvent): number | null {
  return rulesOf(sport).score === 'sets' ? setDifference(...sides) : scoreDifference(...sides);
}

function scoreDifference(own: SideState, other: SideState): number | null {
  const [ownScore, theirs] = [Number(own.score), Number(other.score)];
  if (!own.score || !other.score || Number.isNaN(ownScore) || Number.isNaN(theirs)) return null;
  return ownScore - theirs || (shootoutScore(own) ?? 0) - (shootoutScore(other) ?? 0);
}

const shootoutScore = ({ period_scores = [] }: SideState): number | undefined =>
  period_scores.find(({ period }) => period === 'PKs' || period === 'SO')?.score;

/**
 * The difference in sets won, from the games in each set; null if level: a match that stopped at equal sets has no
 * known winner.
 */
function setDifference(own: SideState, other: SideState): number | null {
  const games = (side: SideState) => side.score?.trim().split(/\s+/).map(Number);
  const [ownScore, theirs] = [games(own), games(other)];
  if (!ownScore || !theirs || ownScore.length !== theirs.length || [...ownScore, ...theirs].some(Number.isNaN))
    return null;
  const ahead = ownScore.reduce((sum, score, set) => sum + Math.sign(score - theirs[set]!), 0);
  return ahead === 0 ? null : ahead;
}

/** How the event ended; null before that, and if the source does not state it. */
export function resultType({ sport, event }: SportAndEvent): ResultType | null {
  if (event.status === 'walkover') return 'walkover';
  if (event.status !== 'final') return null;
  const periods = event.sides.flatMap(({ period_scores = [] }) => period_scores.map(({ period }) => period));
  if (event.period !== undefined) periods.push(event.period);
  const { extraPlay } = rulesOf(sport);
  if (extraPlay === 'regulation') {
    const extra = event.result_type === 'overtime' || periods.some((period) => (periodOrder(period) ?? 0) >= 10);
    return extra ? 'regulation' : (event.result_type ?? null);
  }
  if (event.result_type !== undefined) return event.result_type;
  return extraPlay === 'none' ? null : extraPlayOf(periods);
}

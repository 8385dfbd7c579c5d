import { periodPlace } from '../period-order.ts';
import type { Played } from '../results.ts';
import { pointsIn, pointsOf, sumOfAll } from './points.ts';

/** Periods from here on are played beyond the regular time. */
const EXTRA_FROM = 101;

/** Whether a match of soccer has gone into extra time, or to penalties. */
export function hasExtraTime({ sport, event }: Played): boolean {
  if (sport !== 'soccer') return false;
  if (event.result_type === 'overtime' || event.result_type === 'shootout') return true;
  const periods = event.sides.flatMap(({ period_scores = [] }) => period_scores.map(({ period }) => period));
  if (event.period !== undefined) periods.push(event.period);
  return periods.some((period) => (periodPlace(period) ?? 0) >= EXTRA_FROM);
}

/**
 * The points that a side's bets settle on: in soccer those of the regular time, in all other sports overtime and extra
 * innings count. Null where they are not known, or there are none yet.
 */
export function settlingPoints(played: Played, index: 0 | 1): number | null {
  const points = pointsOf(played, index);
  if (points === null || !hasExtraTime(played)) return points;
  const side = played.event.sides[index];
  return sumOfAll([pointsIn(side, '1H', '1'), pointsIn(side, '2H', '2')]);
}

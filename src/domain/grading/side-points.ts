import { parseNumber } from '../primitives/decimals.ts';
import { type EventWithSport, hasPlayBegun } from '../sports-events/event-results.ts';
import type { SideState } from '../sports-events/sports-event.ts';

/** The points of a side, for sports with one number as score; null if there is no score yet. */
export function pointsOf({ event }: Pick<EventWithSport, 'event'>, index: 0 | 1): number | null {
  return hasPlayBegun(event.status) ? parseNumber(event.sides[index].score) : null;
}

/** Whether home has more points than the other side. */
export function isHomeAhead(played: Pick<EventWithSport, 'event'>): boolean {
  const [home, away] = [pointsOf(played, 0), pointsOf(played, 1)];
  return home !== null && away !== null && home > away;
}

/** The points of a side in one period, which may have several names; null if not stated. */
export function pointsInPeriod({ period_scores = [] }: SideState, ...names: readonly string[]): number | null {
  for (const name of names) {
    const found = period_scores.find(({ period }) => period === name);
    if (found) return found.score;
  }
  return null;
}

/** The sum; null if any part is missing. */
export const sumIfComplete = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0);

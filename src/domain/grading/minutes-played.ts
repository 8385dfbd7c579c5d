import { playsLike } from '../catalogue/added-leagues.ts';
import { periodOrder } from '../catalogue/period-order.ts';
import type { EventWithSport } from '../sports-events/event-results.ts';

/** How many periods a game has, and how many minutes each. */
const PERIODS: ReadonlyMap<string, readonly [count: number, minutes: number]> = new Map([
  ['nfl', [4, 15]],
  ['ncaaf', [4, 15]],
  ['nba', [4, 12]],
  ['ncaab', [2, 20]],
  ['nhl', [3, 20]],
]);

/**
 * The minutes that a game lasted, by its period and clock; null if they do not tell. They tell only if the last period
 * with a score is that period: a later source may state the end without them.
 */
export function minutesPlayed({ sport, event }: EventWithSport): number | null {
  const [count, minutes] = PERIODS.get(playsLike(sport)) ?? [0, 0];
  const number = event.period === undefined ? null : periodOrder(event.period);
  const left = /^(\d{1,2}):(\d\d)$/.exec(event.clock ?? '');
  if (!left || number === null || !Number.isInteger(number) || number < 1 || number > count) return null;
  const last = Math.max(
    0,
    ...event.sides.flatMap(({ period_scores = [] }) => period_scores.map(({ period }) => periodOrder(period) ?? 0)),
  );
  return last === number ? number * minutes - Number(left[1]) - Number(left[2]) / 60 : null;
}

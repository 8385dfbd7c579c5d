import { gameRulesOf } from '../catalogue/game-rules.ts';
import { periodOrder } from '../catalogue/period-order.ts';
import type { EventWithSport } from '../sports-events/event-results.ts';

/**
 * The minutes that a game lasted, by its period and clock; null if they do not tell. They tell only if the last period
 * with a score is that period: a later source may state the end without them.
 */
export function minutesPlayed(played: EventWithSport): number | null {
  const { event } = played;
  const { clock, periods, periodMinutes: minutes } = gameRulesOf(played);
  if (clock !== 'down' || minutes === null) return null;
  const number = event.period === undefined ? null : periodOrder(event.period);
  const left = /^(\d{1,2}):(\d\d)$/.exec(event.clock ?? '');
  if (!left || number === null || !Number.isInteger(number) || number < 1 || number > periods.length) return null;
  const last = Math.max(
    0,
    ...event.sides.flatMap(({ period_scores = [] }) => period_scores.map(({ period }) => periodOrder(period) ?? 0)),
  );
  return last === number ? number * minutes - Number(left[1]) - Number(left[2]) / 60 : null;
}

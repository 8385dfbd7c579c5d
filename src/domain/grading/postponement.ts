import { timeOf } from '../observations/observation.ts';
import { DAY, HOUR } from '../primitives/time.ts';
import type { SportsEvent } from '../sports-events/sports-event.ts';

/**
 * By how many hours the start of an event was put off; 0 if it was not. A start that was changed more than a day before
 * it is a new schedule and no postponement.
 */
export function hoursPostponed({ starts, schedule }: Pick<SportsEvent, 'starts' | 'schedule'>): number {
  if (!schedule) return 0;
  const postponed = starts.find(({ starts_at }, index) => {
    const next = starts[index + 1];
    return next !== undefined && timeOf(next.at) >= timeOf(starts_at) - DAY;
  });
  return postponed ? (timeOf(schedule.starts_at) - timeOf(postponed.starts_at)) / HOUR : 0;
}

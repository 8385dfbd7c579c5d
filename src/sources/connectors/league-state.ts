import type { EventStatus } from '../../domain/catalogue/catalogue.ts';
import { DAY, HOUR, MINUTE } from '../../domain/primitives/time.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';
import type { KnownEvent, LeagueState } from '../provider-base/provider.ts';

export const UNDER_WAY: readonly EventStatus[] = ['inprogress', 'suspended', 'delayed'];

/** The state of a league, from its next game. @param now milliseconds */
export function leagueState(events: Iterable<Pick<KnownEvent, 'status' | 'startsAt'>>, now: number): LeagueState {
  let next = Number.POSITIVE_INFINITY;
  for (const { status, startsAt } of events) {
    if (UNDER_WAY.includes(status)) return 'live';
    if (isOver(status)) continue;
    if (startsAt <= now + 10 * MINUTE && startsAt >= now - 6 * HOUR) return 'live';
    if (startsAt > now) next = Math.min(next, startsAt);
  }
  if (next <= now + 6 * HOUR) return 'soon';
  return next <= now + 7 * DAY ? 'later' : 'idle';
}

import { DAY, HOUR } from '../../domain/primitives/time.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';
import { type EasternDay, easternDays, isWithin } from '../provider-base/eastern-day.ts';
import type { LeagueView, ProviderRequest } from '../provider-base/provider.ts';
import { actionNetworkLeague } from './scoreboard.ts';

/** Seconds between two requests, by state of the league; an idle league has no requests. */
const EVERY = { live: 600, soon: 600, later: 3600 } as const;
/** Later days change slowly, whatever happens in today's games. */
const DAYS_AHEAD_EVERY = EVERY.later;
const UNDER_WAY_FOR = 6 * HOUR;

/** What the requests depend on since the start of the server. */
export interface StartupState {
  /** Leagues that were not idle at some time; leagues that are not idle now are added. */
  readonly active: Set<string>;
  /** The day of the first requests. */
  firstDay: string | undefined;
}

/** One scoreboard for each league and each US Eastern day with a game of the league. */
export function actionNetworkRequests(
  leagues: readonly LeagueView[],
  now: number,
  start: StartupState,
): ProviderRequest[] {
  const { active } = start;
  const { yesterday, today, ahead } = easternDays(now);
  start.firstDay ??= today.name;
  const days = [yesterday, today, ...ahead];
  return leagues.flatMap((view) => {
    const name = actionNetworkLeague(view.league);
    if (name === undefined) return [];
    const request = (
      { name: date }: EasternDay,
      intervalSeconds: ProviderRequest['intervalSeconds'],
    ): ProviderRequest => ({
      key: `action-network:${view.league}:${date}`,
      kind: 'scoreboard',
      league: view.league,
      path: `/web/v2/scoreboard/${name}`,
      query: { date },
      intervalSeconds,
      urgency: view.state,
    });
    if (view.state === 'idle') {
      // The first round requests every league once, because the log may not know its games yet.
      const isFirst = today.name === start.firstDay && !active.has(view.league);
      return isFirst ? [request(today, 'once')] : [];
    }
    active.add(view.league);
    const every = EVERY[view.state];
    return days
      .filter((day) => day === today || view.events.some((event) => isAhead(event) && isWithin(day, event.startsAt)))
      .map((day) => request(day, day.from > today.from ? DAYS_AHEAD_EVERY : every));
  });

  function isAhead({ status, startsAt }: LeagueView['events'][number]): boolean {
    const near = startsAt >= now - UNDER_WAY_FOR && startsAt <= now + 7 * DAY;
    return near && !isOver(status) && status !== 'postponed';
  }
}

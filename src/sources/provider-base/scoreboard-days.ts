import { MINUTE } from '../../domain/primitives/time.ts';
import { type EasternDay, easternDays, isWithin } from './eastern-day.ts';
import type { KnownEvent, LeagueState, LeagueView } from './provider.ts';

/** Seconds between two requests for today's games, by state of the league. */
const TODAY_EVERY: Readonly<Record<LeagueState, number>> = { live: 15, soon: 60, later: 600, idle: 3600 };
/** A result is corrected within this time, if at all. */
const CORRECTED_WITHIN = 10 * MINUTE;

/** Seconds between two requests for today's games: after an end as often as in play, since the result may be wrong. */
export function todayEvery({ state, events }: LeagueView, now: number): number {
  const hasJustEnded = events.some(({ overSince }) => overSince !== undefined && now - overSince <= CORRECTED_WITHIN);
  return TODAY_EVERY[hasJustEnded ? 'live' : state];
}

/** Seconds between two requests for the games of the days ahead. */
export const AHEAD_EVERY: Readonly<Record<LeagueState, number>> = { live: 3600, soon: 3600, later: 3600, idle: 21_600 };

/** The days whose games are requested often: today, and yesterday while one of its games is not over. */
export function currentDays(view: LeagueView, now: number): readonly EasternDay[] {
  const { yesterday, today } = easternDays(now);
  const isOpen = view.events.some((event) => isWithin(yesterday, event.startsAt) && isUnfinished(event));
  return isOpen ? [today, yesterday] : [today];
}

/** A postponed game is no longer played on that day. */
const isUnfinished = ({ overSince, status }: KnownEvent): boolean => overSince === undefined && status !== 'postponed';

/** A day as `YYYY-MM-DD`. */
export const isoDay = ({ name }: EasternDay): string => `${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6)}`;

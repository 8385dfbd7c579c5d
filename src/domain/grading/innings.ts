import { gameRulesOf } from '../catalogue/game-rules.ts';
import type { EventWithSport } from '../sports-events/event-results.ts';
import type { SideState } from '../sports-events/sports-event.ts';
import { isHomeAhead } from './side-points.ts';

/** The number of innings played: 8.5 if the home side did not bat in the ninth. Null if no source stated it. */
export function inningsPlayed({ event }: Pick<EventWithSport, 'event'>): number | null {
  const [home, away] = event.sides.map(lastInning) as [number, number];
  if (home > 0 && away > 0) return home >= away ? home : away - 0.5;
  const part = /^(Top|Mid|Bot|End) (\d{1,3})$/.exec(event.period ?? '');
  if (!part) return null;
  const inning = Number(part[2]);
  return part[1] === 'Top' || part[1] === 'Mid' ? inning - 0.5 : inning;
}

const lastInning = ({ period_scores = [] }: SideState): number =>
  Math.max(0, ...period_scores.map(({ period }) => (/^\d{1,3}$/.test(period) ? Number(period) : 0)));

/**
 * Whether a finished game reached this many innings. The home side does not have to bat in the last inning if it is
 * ahead. An unknown length counts as enough.
 */
export function hasReachedInnings(played: Pick<EventWithSport, 'event'>, innings: number): boolean {
  const length = inningsPlayed(played);
  return length === null || length >= innings || (length >= innings - 0.5 && isHomeAhead(played));
}

/**
 * Whether a finished game had all of its innings: spreads, totals and team totals need them, and so do the props of
 * `gradePlayerStat`. The props of slips do not.
 */
export function isFullGame(played: EventWithSport): boolean {
  const { unit, periods } = gameRulesOf(played);
  return unit !== 'inning' || hasReachedInnings(played, periods.length);
}

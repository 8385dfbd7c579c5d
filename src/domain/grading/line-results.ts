import { decimalsOf } from '../primitives/decimals.ts';
import type { EventWithSport } from '../sports-events/event-results.ts';
import { isOver } from '../sports-events/sports-event.ts';
import { isFullGame } from './innings.ts';
import { settlingPoints } from './settling-score.ts';

/** Compares results with lines. Exact: no rounding of the given numbers. */

export type TotalResult = 'over' | 'under' | 'push';
export type SpreadResult = 'won' | 'lost' | 'push';

export function gradeTotal(current: number, line: number): TotalResult {
  if (current === line) return 'push';
  return current > line ? 'over' : 'under';
}

/**
 * @param lead the lead of the side; negative if behind
 * @param line signed for the same side: -3.5 means that the side must win by more than 3.5
 */
export function gradeSpread(lead: number, line: number): SpreadResult {
  if (lead === -line) return 'push';
  return lead > -line ? 'won' : 'lost';
}

/** `current / line x 100` to one decimal, halves rounded up; null if the line is 0. */
export function percentOfLine(current: number | null, line: number): number | null {
  if (current === null || line === 0) return null;
  const scale = 10 ** Math.max(decimalsOf(current), decimalsOf(line));
  // Use integers, because binary fractions are not exact.
  const [part, whole] = [Math.round(current * scale), Math.round(line * scale)];
  const sign = whole < 0 ? -1 : 1;
  const tenths = Math.floor((2000 * sign * part + sign * whole) / (2 * sign * whole));
  return Number.isFinite(tenths) ? tenths / 10 : null;
}

/** A line of .25 or .75: half of the stake is on the half point below, half on the one above. */
export const isQuarterLine = (line: number): boolean => Number.isInteger(line * 4) && !Number.isInteger(line * 2);

/** The lines of the two half stakes. */
export const splitQuarterLine = (line: number): readonly [number, number] => [line - 0.25, line + 0.25];

interface GradedTotal<Result extends string = TotalResult> {
  readonly current: number | null;
  /** `in_progress` until the event is over; null if it is not graded. */
  readonly result: Result | 'in_progress' | null;
}

/** Grades the points of one side against a line. */
export function gradeTeamTotal(played: EventWithSport, index: 0 | 1, line: number): GradedTotal {
  const current = settlingPoints(played, index);
  const { status } = played.event;
  if (status !== 'final') return { current, result: isOver(status) ? null : 'in_progress' };
  return { current, result: current !== null && isFullGame(played) ? gradeTotal(current, line) : null };
}

/** Whether bets are settled by this result. */
export const isSettledResult = (result: string | null): boolean =>
  result === 'over' || result === 'under' || result === 'push' || result === 'won' || result === 'lost';

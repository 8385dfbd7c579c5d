import type { Played } from '../results.ts';
import { isOver } from '../sports-event.ts';
import { type TotalResult, totalResult } from './comparison.ts';
import { isFullGame } from './innings.ts';
import { settlingPoints } from './regular-time.ts';

export interface GradedTotal<Result extends string = TotalResult> {
  readonly current: number | null;
  /** `in_progress` while the event is not over; null where nothing is graded. */
  readonly result: Result | 'in_progress' | null;
}

/** The points of one side against a line. */
export function gradeTeamTotal(played: Played, index: 0 | 1, line: number): GradedTotal {
  const current = settlingPoints(played, index);
  const { status } = played.event;
  if (status !== 'final') return { current, result: isOver(status) ? null : 'in_progress' };
  return { current, result: current !== null && isFullGame(played) ? totalResult(current, line) : null };
}

/** Whether a result is one that bets are settled by. */
export const isSettling = (result: string | null): boolean =>
  result === 'over' || result === 'under' || result === 'push' || result === 'won' || result === 'lost';

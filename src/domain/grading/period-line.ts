import type { EventStatus } from '../catalogue.ts';
import { isOver } from '../sports-event.ts';
import { type SpreadResult, spreadResult, type TotalResult, totalResult } from './comparison.ts';
import type { ScopeState } from './scope.ts';

/** Home and away together; null unless both are known. */
export const scopeTotal = ({ scores: [home, away] }: ScopeState): number | null =>
  home === null || away === null ? null : home + away;

/** How far home is ahead; null unless both are known. */
export const scopeMargin = ({ scores: [home, away] }: ScopeState): number | null =>
  home === null || away === null ? null : home - away;

/** `in_progress` until the scope is complete; null where nothing is graded. */
export function gradeScopeTotal(
  state: ScopeState,
  status: EventStatus,
  line: number,
): TotalResult | 'in_progress' | null {
  if (!state.isComplete) return isOver(status) ? null : 'in_progress';
  const total = scopeTotal(state);
  return total === null ? null : totalResult(total, line);
}

/** @param line signed to home @returns of home and away; null until the scope is complete, and where nothing is graded */
export function gradeScopeSpread(state: ScopeState, line: number): readonly [SpreadResult | null, SpreadResult | null] {
  const margin = scopeMargin(state);
  if (!state.isComplete || margin === null) return [null, null];
  return [spreadResult(margin, line), spreadResult(-margin, -line)];
}

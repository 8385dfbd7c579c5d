import type { LegSide } from '../../domain/grading/leg.ts';
import { isSettledLeg, type LegResult } from '../../domain/grading/leg-result.ts';

/** The status of a slip: all legs settled, some settled, none settled but some pending, none can be settled. */
export const SLIP_STATUSES = ['graded', 'partial', 'pending', 'unmapped'] as const;
type SlipStatus = (typeof SLIP_STATUSES)[number];

interface GradedSide {
  readonly result: LegResult | null;
  readonly side: LegSide | null;
}

/** `graded` is the sum of the last four; `graded`, `pending` and `unmapped` add up to all legs. */
export function summarizeSlip(legs: readonly GradedSide[]) {
  const count = (holds: (leg: GradedSide) => boolean): number => legs.filter(holds).length;
  const pushes = count(({ result }) => result === 'push');
  const voids = count(({ result }) => result === 'void' || result === 'dnp');
  const hits = count(({ result, side }) => result === 'won' || (isTotal(result) && result === side));
  const graded = count(({ result }) => isSettledLeg(result));
  return {
    graded,
    pending: count(({ result }) => result === 'in_progress' || result === 'no_stat'),
    unmapped: count(({ result }) => result === null),
    hits,
    misses: graded - hits - pushes - voids,
    pushes,
    voids,
  };
}

const isTotal = (result: LegResult | null): boolean => result === 'over' || result === 'under';

export function slipStatus({ graded, pending, unmapped }: ReturnType<typeof summarizeSlip>): SlipStatus {
  if (graded > 0) return pending + unmapped === 0 ? 'graded' : 'partial';
  return pending > 0 ? 'pending' : 'unmapped';
}

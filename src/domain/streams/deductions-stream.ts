import { defineStream } from '../event-sourcing/stream-kind.ts';
import type { DeductionReport } from '../sports-events/deduction-reports.ts';

interface DeductionsData {
  PointsDeducted: DeductionReport & {
    readonly seasonId: number;
    readonly sport: string;
    readonly league: string;
    /** How the message named the team. */
    readonly origin: { readonly team: string; readonly team_ref?: string };
  };
}

/** `deductions-SEASONID`: the points that a league has taken from teams in a season. */
export const deductionsStream = defineStream<DeductionsData>()({
  name: 'deductions',
  partition: 'season',
  versions: { PointsDeducted: 1 },
});

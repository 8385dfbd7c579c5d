import { timeOf } from '../observations/observation.ts';

/** A source says how many points one decision takes from a team; 0: none any more. */
export interface DeductionReport {
  readonly at: string;
  readonly source: string;
  readonly teamId: number;
  readonly points: number;
  readonly reason: string;
}

/** The order of `at`, then of points: the order of arrival does not matter. */
const inOrder = (a: DeductionReport, b: DeductionReport): number => timeOf(a.at) - timeOf(b.at) || a.points - b.points;

const isSameDecision = (a: DeductionReport, b: DeductionReport): boolean =>
  a.source === b.source && a.teamId === b.teamId && a.reason === b.reason;

/**
 * Whether the very report is known. A repetition at another time is none: a late report between the two may make it the
 * one that counts.
 */
export const isKnownDeduction = (reports: readonly DeductionReport[], report: DeductionReport): boolean =>
  reports.some(
    (one) => isSameDecision(one, report) && timeOf(one.at) === timeOf(report.at) && one.points === report.points,
  );

/**
 * The points taken from each team. The decisions that one source reports on a team add up, each with its newest number.
 * Of several sources on a team the one counts whose report is the newest, since each may tell of the same decision in
 * its own words.
 */
export function deductedPoints(reports: readonly DeductionReport[]): ReadonlyMap<number, number> {
  const byTeam = new Map<number, Map<string, SourceReports>>();
  for (const { teamId, source, reason, at, points } of [...reports].sort(inOrder)) {
    const bySource = byTeam.get(teamId) ?? new Map();
    byTeam.set(teamId, bySource);
    const said = bySource.get(source) ?? { newest: 0, byReason: new Map() };
    bySource.set(source, said);
    // A repetition does not make a source newer than one that has said something new since.
    if (said.byReason.get(reason) === points) continue;
    said.newest = timeOf(at);
    said.byReason.set(reason, points);
  }
  return new Map([...byTeam].map(([teamId, bySource]) => [teamId, sumOfNewest(bySource)]));
}

interface SourceReports {
  newest: number;
  readonly byReason: Map<string, number>;
}

function sumOfNewest(bySource: ReadonlyMap<string, SourceReports>): number {
  const inTurn = [...bySource].sort(([a, one], [b, other]) => other.newest - one.newest || (a < b ? -1 : 1));
  return [...inTurn[0]![1].byReason.values()].reduce((sum, points) => sum + points, 0);
}

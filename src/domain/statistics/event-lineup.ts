import { playsLike } from '../catalogue/added-leagues.ts';
import {
  addReport,
  newestReportWith,
  reconfirmNewestReport,
  type StoredReport,
} from '../observations/partial-reports.ts';
import type { LineupContent } from '../streams/stream-definitions.ts';

export type LineupSide = NonNullable<LineupContent['teams']['home']>;
type ProbableStarter = NonNullable<NonNullable<LineupContent['probable_starters']>['home']>;
/** The `lineup` messages of one event that still count; see `addReport`. */
export type LineupReports = readonly StoredReport<LineupContent>[];

/** The current lineup of one side. */
export interface Lineup {
  readonly team: LineupSide;
  /** The source of the `ref`s. */
  readonly source: string;
}

const SIDES = ['home', 'away'] as const;

function partsOf({ teams, probable_starters }: LineupContent): string[] {
  return SIDES.flatMap((side) => [
    ...(teams[side] ? [`teams.${side}`] : []),
    ...(probable_starters?.[side] ? [`probable_starters.${side}`] : []),
  ]);
}

/** Applies a record; the records of an event may come in any order of `at`. */
export const addLineupReport = (reports: LineupReports, report: StoredReport<LineupContent>): LineupReports =>
  addReport(reports, report, partsOf);

/** Applies a reconfirmation. */
export const reconfirmLineup = (
  reports: LineupReports,
  reconfirmation: { readonly at: string; readonly source: string },
): LineupReports => reconfirmNewestReport(reports, reconfirmation, partsOf);

/** The lineup of a side from the newest report with it; undefined without one. */
export function currentLineup(reports: LineupReports, index: 0 | 1): Lineup | undefined {
  const side = SIDES[index];
  const report = newestReportWith(reports, `teams.${side}`, partsOf);
  return report && { team: report.content.teams[side]!, source: report.source };
}

/** The expected starter of a side. */
export function currentProbableStarter(reports: LineupReports, index: 0 | 1): ProbableStarter | undefined {
  const side = SIDES[index];
  return newestReportWith(reports, `probable_starters.${side}`, partsOf)?.content.probable_starters?.[side];
}

/** The position of the player who matters most in a game of the sport, as abbreviated in lineups. */
const KEY_POSITIONS: Readonly<Record<string, readonly string[]>> = { mlb: ['SP', 'P'], nfl: ['QB'], ncaaf: ['QB'] };

/** The starting pitcher or quarterback of a side: as announced, else from the lineup. */
export function findKeyStarter(
  sport: string,
  reports: LineupReports,
  index: 0 | 1,
): { readonly name: string } | undefined {
  const announced = currentProbableStarter(reports, index);
  const positions = KEY_POSITIONS[playsLike(sport)];
  if (announced || !positions) return announced;
  const starters = currentLineup(reports, index)?.team.players.filter(
    ({ starter, position }) => starter && position !== undefined && positions.includes(position.toUpperCase()),
  );
  return starters?.length === 1 ? starters[0] : undefined;
}

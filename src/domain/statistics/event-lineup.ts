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
export const addLineupReport = (kept: LineupReports, told: StoredReport<LineupContent>): LineupReports =>
  addReport(kept, told, partsOf);

/** Applies a reconfirmation. */
export const reconfirmLineup = (
  kept: LineupReports,
  repeated: { readonly at: string; readonly source: string },
): LineupReports => reconfirmNewestReport(kept, repeated, partsOf);

/** The lineup of a side from the newest report with it; undefined without one. */
export function currentLineup(kept: LineupReports, index: 0 | 1): Lineup | undefined {
  const side = SIDES[index];
  const told = newestReportWith(kept, `teams.${side}`, partsOf);
  return told && { team: told.content.teams[side]!, source: told.source };
}

/** The expected starter of a side. */
export function currentProbableStarter(kept: LineupReports, index: 0 | 1): ProbableStarter | undefined {
  const side = SIDES[index];
  return newestReportWith(kept, `probable_starters.${side}`, partsOf)?.content.probable_starters?.[side];
}

/** The position of the player who matters most in a game of the sport, as abbreviated in lineups. */
const KEY_POSITIONS: Readonly<Record<string, readonly string[]>> = { mlb: ['SP', 'P'], nfl: ['QB'], ncaaf: ['QB'] };

/** The starting pitcher or quarterback of a side: as announced, else from the lineup. */
export function findKeyStarter(
  sport: string,
  kept: LineupReports,
  index: 0 | 1,
): { readonly name: string } | undefined {
  const announced = currentProbableStarter(kept, index);
  const positions = KEY_POSITIONS[sport];
  if (announced || !positions) return announced;
  const named = currentLineup(kept, index)?.team.players.filter(
    ({ starter, position }) => starter && position !== undefined && positions.includes(position.toUpperCase()),
  );
  return named?.length === 1 ? named[0] : undefined;
}

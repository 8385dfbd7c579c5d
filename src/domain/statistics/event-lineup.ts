import {
  addReport,
  newestReportWith,
  reconfirmNewestReport,
  type StoredReport,
} from '../observations/partial-reports.ts';
import type { LineupContent } from '../streams/stream-definitions.ts';

export type LineupSide = NonNullable<LineupContent['teams']['home']>;
type ProbableStarter = NonNullable<NonNullable<LineupContent['probable_starters']>['home']>;
/** What of the `lineup` messages of one event still counts; see `withTold`. */
export type LineupReports = readonly StoredReport<LineupContent>[];

/** Who plays for one side, as it stands. */
export interface Lineup {
  readonly team: LineupSide;
  /** Whose ids the `ref`s are. */
  readonly source: string;
}

const SIDES = ['home', 'away'] as const;

function partsOf({ teams, probable_starters }: LineupContent): string[] {
  return SIDES.flatMap((side) => [
    ...(teams[side] ? [`teams.${side}`] : []),
    ...(probable_starters?.[side] ? [`probable_starters.${side}`] : []),
  ]);
}

/** Folds a record; the records of an event may come in any order of `at`. */
export const addLineupReport = (kept: LineupReports, told: StoredReport<LineupContent>): LineupReports =>
  addReport(kept, told, partsOf);

/** Folds a reconfirmation. */
export const reconfirmLineup = (
  kept: LineupReports,
  repeated: { readonly at: string; readonly source: string },
): LineupReports => reconfirmNewestReport(kept, repeated, partsOf);

/** The lineup of a side, of the newest that tells it; undefined before. */
export function currentLineup(kept: LineupReports, index: 0 | 1): Lineup | undefined {
  const side = SIDES[index];
  const told = newestReportWith(kept, `teams.${side}`, partsOf);
  return told && { team: told.content.teams[side]!, source: told.source };
}

/** Who is expected to start for a side. */
export function currentProbableStarter(kept: LineupReports, index: 0 | 1): ProbableStarter | undefined {
  const side = SIDES[index];
  return newestReportWith(kept, `probable_starters.${side}`, partsOf)?.content.probable_starters?.[side];
}

/** Where the one player stands on whom a game of a sport hangs more than on any other, by the lineups' abbreviations. */
const KEY_POSITIONS: Readonly<Record<string, readonly string[]>> = { mlb: ['SP', 'P'], nfl: ['QB'], ncaaf: ['QB'] };

/** Who starts for a side as pitcher or quarterback: as was announced, else as the lineup has it. */
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

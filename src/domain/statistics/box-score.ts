import {
  addReport,
  newestReportWith,
  reconfirmNewestReport,
  type StoredReport,
} from '../observations/partial-reports.ts';
import type { BoxContent } from '../streams/stream-definitions.ts';

/** Statistics by name. */
type Stats = Readonly<Record<string, number>>;
export type BoxRow = NonNullable<BoxContent['players']>[number];
/** The `box` messages of one event that still count; see `addReport`. */
export type BoxReports = readonly StoredReport<BoxContent>[];

/** The current statistics of one event. */
export interface BoxScore {
  /** Time of the newest message. */
  readonly at: string;
  /** Whether the statistics are final, by the last statement; undefined without one. */
  readonly final: boolean | undefined;
  /** The same from the newest message only. */
  readonly newestFinal: boolean | undefined;
  /** In the order of the source; empty without a report. */
  readonly players: readonly BoxRow[];
  /** The source of the players' `ref`s. */
  readonly playersSource: string | null;
  /** Home (or player_1), then the other side; null without a report. */
  readonly teams: readonly [Stats | null, Stats | null];
}

/** A source may use either name for a side. */
const SIDES = [
  ['home', 'player_1'],
  ['away', 'player_2'],
] as const;

/** Statistics of one side. The message schema guarantees the type. */
function statsOf(teams: BoxContent['teams'], index: 0 | 1): Stats | undefined {
  const [one, other] = SIDES[index];
  return (teams?.[one] ?? teams?.[other]) as Stats | undefined;
}

function partsOf({ final, players, teams }: BoxContent): string[] {
  const parts: string[] = [];
  if (final !== undefined) parts.push('final');
  if (players !== undefined) parts.push('players');
  for (const index of [0, 1] as const) if (statsOf(teams, index)) parts.push(`teams.${index}`);
  return parts;
}

/** Applies a record; the records of an event may come in any order of `at`. */
export const addBoxReport = (reports: BoxReports, report: StoredReport<BoxContent>): BoxReports =>
  addReport(reports, report, partsOf);

/** Applies a reconfirmation. */
export const reconfirmBox = (
  reports: BoxReports,
  reconfirmation: { readonly at: string; readonly source: string },
): BoxReports => reconfirmNewestReport(reports, reconfirmation, partsOf);

/** The current box score: each part from the newest report with it; undefined without a report. */
export function currentBox(reports: BoxReports): BoxScore | undefined {
  const newest = reports.at(-1);
  if (!newest) return undefined;
  const players = newestReportWith(reports, 'players', partsOf);
  const teamOf = (index: 0 | 1) =>
    statsOf(newestReportWith(reports, `teams.${index}`, partsOf)?.content.teams, index) ?? null;
  return {
    at: newest.at,
    final: newestReportWith(reports, 'final', partsOf)?.content.final,
    newestFinal: newest.content.final,
    players: players?.content.players ?? [],
    playersSource: players?.source ?? null,
    teams: [teamOf(0), teamOf(1)],
  };
}

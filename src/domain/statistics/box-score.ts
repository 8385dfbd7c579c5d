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
/** What of the `box` messages of one event still counts; see `withTold`. */
export type BoxReports = readonly StoredReport<BoxContent>[];

/** The statistics of one event, as they stand. */
export interface BoxScore {
  /** Of the newest message. */
  readonly at: string;
  /** Whether the statistics are final, as was last said; undefined where nobody has said. */
  readonly final: boolean | undefined;
  /** What the newest message itself says of that. */
  readonly newestFinal: boolean | undefined;
  /** In the source's order; empty where none were told. */
  readonly players: readonly BoxRow[];
  /** Whose ids the `ref`s of the players are. */
  readonly playersSource: string | null;
  /** Of home (or player_1) and of the other; null where none were told. */
  readonly teams: readonly [Stats | null, Stats | null];
}

/** Home is player_1, whichever of the two a source says. */
const SIDES = [
  ['home', 'player_1'],
  ['away', 'player_2'],
] as const;

/** Of home or player_1, and of the other; the checks of messages see to it that these are statistics. */
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

/** Folds a record; the records of an event may come in any order of `at`. */
export const addBoxReport = (kept: BoxReports, told: StoredReport<BoxContent>): BoxReports =>
  addReport(kept, told, partsOf);

/** Folds a reconfirmation. */
export const reconfirmBox = (
  kept: BoxReports,
  repeated: { readonly at: string; readonly source: string },
): BoxReports => reconfirmNewestReport(kept, repeated, partsOf);

/** The players, and each side's statistics, of the newest that tells them; undefined where nothing was told. */
export function currentBox(kept: BoxReports): BoxScore | undefined {
  const newest = kept.at(-1);
  if (!newest) return undefined;
  const players = newestReportWith(kept, 'players', partsOf);
  const teamOf = (index: 0 | 1) =>
    statsOf(newestReportWith(kept, `teams.${index}`, partsOf)?.content.teams, index) ?? null;
  return {
    at: newest.at,
    final: newestReportWith(kept, 'final', partsOf)?.content.final,
    newestFinal: newest.content.final,
    players: players?.content.players ?? [],
    playersSource: players?.source ?? null,
    teams: [teamOf(0), teamOf(1)],
  };
}

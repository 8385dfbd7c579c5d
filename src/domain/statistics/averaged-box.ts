import { playsLike } from '../catalogue/added-leagues.ts';
import type { SportSlug } from '../catalogue/catalogue.ts';
import { rolesOf, rulesOf } from '../catalogue/sport-rules.ts';
import {
  addReport,
  newestReportWith,
  reconfirmNewestReport,
  type StoredReport,
} from '../observations/partial-reports.ts';
import { ownValue } from '../primitives/own-properties.ts';
import type { BoxContent } from '../streams/stream-definitions.ts';
import { STATISTICS } from './statistics-catalogue.ts';

/** The averaged statistics of a side, in the order of `averagedFields`; null if the box has none of them. */
type SideStats = readonly (number | null)[] | null;
/** Home (or player_1), then the other side; null also without a report. */
export type AveragedSides = readonly [SideStats, SideStats];

/**
 * From one box message: the `SideStats` of each side as JSON, as in table rows; absent if the message does not have the
 * side.
 */
interface AveragedContent {
  readonly first?: string;
  readonly second?: string;
}
/** The `box` messages of one event that still count, without players and without statistics that are not averaged. */
export type AveragedReports = readonly StoredReport<AveragedContent>[];

const partsOf = ({ first, second }: AveragedContent): string[] => {
  const parts: string[] = [];
  if (first !== undefined) parts.push('first');
  if (second !== undefined) parts.push('second');
  return parts;
};

/** Applies a record; the records of an event may come in any order of `at`. */
export const addAveragedReport = (
  reports: AveragedReports,
  report: StoredReport<BoxContent>,
  sport: string,
): AveragedReports =>
  addReport(
    reports,
    { at: report.at, source: report.source, content: toAveragedContent(report.content, sport) },
    partsOf,
  );

/** Applies a reconfirmation. */
export const reconfirmAveraged = (
  reports: AveragedReports,
  { at, source }: { readonly at: string; readonly source: string },
): AveragedReports => reconfirmNewestReport(reports, { at, source }, partsOf);

/** The current `AveragedSides` as JSON. */
export function serializeAveragedSides(reports: AveragedReports): string {
  const first = newestReportWith(reports, 'first', partsOf)?.content.first ?? 'null';
  const second = newestReportWith(reports, 'second', partsOf)?.content.second ?? 'null';
  return `[${first},${second}]`;
}
export const NO_AVERAGED_SIDES = '[null,null]';

export const currentAveragedSides = (reports: AveragedReports): AveragedSides =>
  JSON.parse(serializeAveragedSides(reports)) as AveragedSides;

/**
 * A source may call the first side home or player_1. In sports of single players the player's own statistics are those
 * of the side.
 */
function toAveragedContent({ teams = {}, players }: BoxContent, sport: string): AveragedContent {
  const [one, other] = rulesOf(sport).entry === 'player' ? rolesOf(sport) : [];
  const ownOf = (role: string | undefined) => role && players?.find((player) => player.role === role)?.stats;
  const first = teams.home ?? (ownOf(one) || teams.player_1);
  const second = teams.away ?? (ownOf(other) || teams.player_2);
  return {
    ...(first ? { first: statsText(sport, first) } : {}),
    ...(second ? { second: statsText(sport, second) } : {}),
  };
}

const statsText = (sport: string, stats: object): string =>
  JSON.stringify(averagedValues(sport, stats as Record<string, number>));

const FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(STATISTICS).map(([sport, { averaged }]) => [sport, [...averaged.bothSides, ...averaged.ownSideOnly]]),
);

/** The averaged statistics of a side, in the order in which documents store them. */
export const averagedFields = (sport: string): readonly string[] => FIELDS.get(playsLike(sport)) ?? [];
/** The averaged statistics of a sport, by where they come from. */
export const averagedStatisticsOf = (sport: string) => STATISTICS[playsLike(sport as SportSlug)].averaged;

/** Names in old boxes that were stored under the names of ESPN. */
const ESPN_NAMES: Readonly<Record<string, string>> = {
  rbis: 'batting_rb_is',
  left_on_base: 'batting_runners_left_on_base',
  errors: 'fielding_errors',
};

/** The values of a side's box, in the order of `averagedFields`, null for a missing one. Null: all are missing. */
function averagedValues(
  sport: string,
  stats: Readonly<Record<string, number>> | null,
): readonly (number | null)[] | null {
  if (!stats) return null;
  const values = averagedFields(sport).map((field) => averagedValue(sport, stats, field) ?? null);
  return values.some((value) => value !== null) ? values : null;
}

function averagedValue(sport: string, stats: Readonly<Record<string, number>>, field: string): number | undefined {
  const own = ownValue(stats, field);
  if (own !== undefined || playsLike(sport) !== 'mlb') return own;
  return ownValue(stats, ownValue(ESPN_NAMES, field) ?? `batting_${field}`);
}

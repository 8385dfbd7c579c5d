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

/** What a side's box states, by `ratedFields` of the sport; null where it states none of them. */
type SideStats = readonly (number | null)[] | null;
/** Of home or player_1, and of the other; null also where nobody has told. */
export type AveragedSides = readonly [SideStats, SideStats];

/** Of one box message: each side's `SideStats` as JSON, as rows of tables have them; one that it does not tell of is
 *  missing. */
interface AveragedContent {
  readonly first?: string;
  readonly second?: string;
}
/** What of the `box` messages of one event still counts, without players and without what is not rated. */
export type AveragedReports = readonly StoredReport<AveragedContent>[];

const partsOf = ({ first, second }: AveragedContent): string[] => {
  const parts: string[] = [];
  if (first !== undefined) parts.push('first');
  if (second !== undefined) parts.push('second');
  return parts;
};

/** Folds a record; the records of an event may come in any order of `at`. */
export const addAveragedReport = (
  kept: AveragedReports,
  told: StoredReport<BoxContent>,
  sport: string,
): AveragedReports =>
  addReport(kept, { at: told.at, source: told.source, content: toAveragedContent(told.content, sport) }, partsOf);

/** Folds a reconfirmation. */
export const reconfirmAveraged = (
  kept: AveragedReports,
  { at, source }: { readonly at: string; readonly source: string },
): AveragedReports => reconfirmNewestReport(kept, { at, source }, partsOf);

/** The `RatedSides` as JSON. */
export function serializeAveragedSides(kept: AveragedReports): string {
  const first = newestReportWith(kept, 'first', partsOf)?.content.first ?? 'null';
  const second = newestReportWith(kept, 'second', partsOf)?.content.second ?? 'null';
  return `[${first},${second}]`;
}
export const NO_AVERAGED_SIDES = '[null,null]';

export const currentAveragedSides = (kept: AveragedReports): AveragedSides =>
  JSON.parse(serializeAveragedSides(kept)) as AveragedSides;

/** Home is player_1, whichever of the two a source says; and whoever plays alone is his own side. */
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

/** The statistics of a side's box whose means are told, in the order in which documents hold them. */
export const averagedFields = (sport: string): readonly string[] => FIELDS.get(sport) ?? [];
/** Which of them are told, and which are told of the other side too. */
export const averagedStatisticsOf = (sport: string) => STATISTICS[sport as SportSlug].averaged;

/** What boxes call them that were taken in under ESPN's own names. */
const ESPN_NAMES: Readonly<Record<string, string>> = {
  rbis: 'batting_rb_is',
  left_on_base: 'batting_runners_left_on_base',
  errors: 'fielding_errors',
};

/** What a side's box states of these, in their order; null for what it does not. Null: it states none. */
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
  if (own !== undefined || sport !== 'mlb') return own;
  return ownValue(stats, ownValue(ESPN_NAMES, field) ?? `batting_${field}`);
}

import type { SportSlug } from '../catalogue.ts';
import { ownValue } from '../own.ts';
import { STATISTICS } from './canonical-names.ts';

const FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(STATISTICS).map(([sport, { rated }]) => [sport, [...rated.both, ...rated.own]]),
);

/** The statistics of a side's box whose means are told, in the order in which documents hold them. */
export const ratedFields = (sport: string): readonly string[] => FIELDS.get(sport) ?? [];
/** Which of them are told, and which are told of the other side too. */
export const ratedOf = (sport: string) => STATISTICS[sport as SportSlug].rated;

/** What boxes call them that were taken in under ESPN's own names. */
const ESPN_NAMES: Readonly<Record<string, string>> = {
  rbis: 'batting_rb_is',
  left_on_base: 'batting_runners_left_on_base',
  errors: 'fielding_errors',
};

/** What a side's box states of these, in their order; null for what it does not. Null: it states none. */
export function ratedStats(
  sport: string,
  stats: Readonly<Record<string, number>> | null,
): readonly (number | null)[] | null {
  if (!stats) return null;
  const values = ratedFields(sport).map((field) => statOf(sport, stats, field) ?? null);
  return values.some((value) => value !== null) ? values : null;
}

function statOf(sport: string, stats: Readonly<Record<string, number>>, field: string): number | undefined {
  const own = ownValue(stats, field);
  if (own !== undefined || sport !== 'mlb') return own;
  return ownValue(stats, ownValue(ESPN_NAMES, field) ?? `batting_${field}`);
}

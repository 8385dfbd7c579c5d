import type { SportSlug } from '../catalogue/catalogue.ts';
import { exactSum } from '../primitives/decimals.ts';
import { ownValue } from '../primitives/own-properties.ts';
import { STATISTICS } from './statistics-catalogue.ts';

type Stats = Readonly<Record<string, number>>;

/** The statistics of a box: all that it states for any player. */
export const statNamesInBox = (rows: Iterable<{ readonly stats: Stats }>): ReadonlySet<string> => {
  const carried = new Set<string>();
  for (const { stats } of rows) for (const stat of Object.keys(stats)) carried.add(stat);
  return carried;
};

/**
 * The value of a statistic of a player: as stated, or computed from its parts. If the box has the statistic but not for
 * this player, the value is 0.
 * @param carried the statistics of the box
 * @returns null if the box has neither the statistic nor all of its parts
 */
export function statValue(sport: string, carried: ReadonlySet<string>, stats: Stats, stat: string): number | null {
  const own = (name: string): number => ownValue(stats, name) ?? 0;
  if (carried.has(stat)) return own(stat);
  if (stat === 'touchdowns' && (sport === 'nfl' || sport === 'ncaaf')) return touchdowns(carried, own);
  const sum = ownValue(STATISTICS[sport as SportSlug].sums, stat);
  if (!sum) return null;
  const parts = Object.entries(sum);
  if (!parts.every(([part]) => carried.has(part))) return null;
  return exactSum(parts.map(([part, times]) => times * own(part)));
}

/**
 * The value by the rules of slips: if not stated for the player, a sum of weights 1 uses the parts that the box has.
 * Touchdowns are rushing plus receiving ones.
 */
export function statValueFromAvailableParts(
  sport: string,
  carried: ReadonlySet<string>,
  stats: Stats,
  stat: string,
): number | null {
  const stated = ownValue(stats, stat);
  if (stated !== undefined) return stated;
  const there = unweightedPartsOf(sport, stat).filter((part) => carried.has(part));
  if (there.length > 0) return exactSum(there.map((part) => ownValue(stats, part) ?? 0));
  return stat === 'touchdowns' && !carried.has(stat) ? null : statValue(sport, carried, stats, stat);
}

/**
 * The parts of a sum with weights 1; empty for any other. Without one part such a sum is only smaller, not wrong in
 * another way.
 */
function unweightedPartsOf(sport: string, stat: string): readonly string[] {
  if (stat === 'touchdowns' && (sport === 'nfl' || sport === 'ncaaf'))
    return ['rushing_touchdowns', 'receiving_touchdowns'];
  const sum = ownValue(STATISTICS[sport as SportSlug].sums, stat) ?? {};
  return Object.values(sum).every((times) => times === 1) ? Object.keys(sum) : [];
}

/**
 * Touchdowns scored by the player himself; passing ones do not count. One touchdown may appear in both of the last two
 * statistics.
 */
function touchdowns(carried: ReadonlySet<string>, own: (stat: string) => number): number | null {
  if (!carried.has('rushing_touchdowns') && !carried.has('receiving_touchdowns')) return null;
  return exactSum([
    own('rushing_touchdowns'),
    own('receiving_touchdowns'),
    own('kick_return_touchdowns'),
    own('punt_return_touchdowns'),
    Math.max(own('defensive_touchdowns'), own('interception_touchdowns')),
  ]);
}

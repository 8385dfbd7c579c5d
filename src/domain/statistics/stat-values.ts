import type { SportSlug } from '../catalogue/catalogue.ts';
import { exactSum } from '../primitives/decimals.ts';
import { ownValue } from '../primitives/own-properties.ts';
import { STATISTICS } from './statistics-catalogue.ts';

type Stats = Readonly<Record<string, number>>;

/** The statistics that a box carries: those that it states of anybody. */
export const statNamesInBox = (rows: Iterable<{ readonly stats: Stats }>): ReadonlySet<string> => {
  const carried = new Set<string>();
  for (const { stats } of rows) for (const stat of Object.keys(stats)) carried.add(stat);
  return carried;
};

/**
 * A statistic of one player: as his box states it, or made of its parts. Whoever is in a box that carries the statistic,
 * and has none stated, has 0.
 * @param carried what his box carries
 * @returns null where the box carries neither the statistic nor its parts
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
 * The same as slips have it: a sum in which every part counts once is made of the parts that the box carries, where the
 * row states none of its own. Touchdowns are rushing and receiving ones.
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

/** Parts of a sum of which none can be missing without making it greater or another number are not among these. */
function unweightedPartsOf(sport: string, stat: string): readonly string[] {
  if (stat === 'touchdowns' && (sport === 'nfl' || sport === 'ncaaf'))
    return ['rushing_touchdowns', 'receiving_touchdowns'];
  const sum = ownValue(STATISTICS[sport as SportSlug].sums, stat) ?? {};
  return Object.values(sum).every((times) => times === 1) ? Object.keys(sum) : [];
}

/** Those that a player scores himself: who passes scores none. One touchdown may be told as both of the last two. */
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

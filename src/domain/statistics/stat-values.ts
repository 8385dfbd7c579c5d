import { playsLike } from '../catalogue/added-leagues.ts';
import type { SportSlug } from '../catalogue/catalogue.ts';
import { exactSum } from '../primitives/decimals.ts';
import { ownValue } from '../primitives/own-properties.ts';
import { STATISTICS } from './statistics-catalogue.ts';

type Stats = Readonly<Record<string, number>>;

/** The statistics of a box: all that it states for any player. */
export const statNamesInBox = (rows: Iterable<{ readonly stats: Stats }>): ReadonlySet<string> => {
  const statNames = new Set<string>();
  for (const { stats } of rows) for (const stat of Object.keys(stats)) statNames.add(stat);
  return statNames;
};

/**
 * The value of a statistic of a player: as stated, or computed from its parts. If the box has the statistic but not for
 * this player, the value is 0.
 * @param statNames the statistics of the box
 * @returns null if the box has neither the statistic nor all of its parts
 */
export function statValue(sport: string, statNames: ReadonlySet<string>, stats: Stats, stat: string): number | null {
  const ownValueOf = (name: string): number => ownValue(stats, name) ?? 0;
  if (statNames.has(stat)) return ownValueOf(stat);
  if (stat === 'touchdowns' && (playsLike(sport) === 'nfl' || playsLike(sport) === 'ncaaf'))
    return touchdowns(statNames, ownValueOf);
  const sum = ownValue(STATISTICS[playsLike(sport as SportSlug)].sums, stat);
  if (!sum) return null;
  const parts = Object.entries(sum);
  if (!parts.every(([part]) => statNames.has(part))) return null;
  return exactSum(parts.map(([part, times]) => times * ownValueOf(part)));
}

/**
 * The value by the rules of slips: if not stated for the player, a sum of weights 1 uses the parts that the box has.
 * Touchdowns are rushing plus receiving ones.
 */
export function statValueFromAvailableParts(
  sport: string,
  statNames: ReadonlySet<string>,
  stats: Stats,
  stat: string,
): number | null {
  const stated = ownValue(stats, stat);
  if (stated !== undefined) return stated;
  const available = unweightedPartsOf(sport, stat).filter((part) => statNames.has(part));
  if (available.length > 0) return exactSum(available.map((part) => ownValue(stats, part) ?? 0));
  return stat === 'touchdowns' && !statNames.has(stat) ? null : statValue(sport, statNames, stats, stat);
}

/**
 * The parts of a sum with weights 1; empty for any other. Without one part such a sum is only smaller, not wrong in
 * another way.
 */
function unweightedPartsOf(sport: string, stat: string): readonly string[] {
  if (stat === 'touchdowns' && (playsLike(sport) === 'nfl' || playsLike(sport) === 'ncaaf'))
    return ['rushing_touchdowns', 'receiving_touchdowns'];
  const sum = ownValue(STATISTICS[playsLike(sport as SportSlug)].sums, stat) ?? {};
  return Object.values(sum).every((times) => times === 1) ? Object.keys(sum) : [];
}

/**
 * Touchdowns scored by the player himself; passing ones do not count. One touchdown may appear in both of the last two
 * statistics.
 */
function touchdowns(statNames: ReadonlySet<string>, ownValueOf: (stat: string) => number): number | null {
  if (!statNames.has('rushing_touchdowns') && !statNames.has('receiving_touchdowns')) return null;
  return exactSum([
    ownValueOf('rushing_touchdowns'),
    ownValueOf('receiving_touchdowns'),
    ownValueOf('kick_return_touchdowns'),
    ownValueOf('punt_return_touchdowns'),
    Math.max(ownValueOf('defensive_touchdowns'), ownValueOf('interception_touchdowns')),
  ]);
}

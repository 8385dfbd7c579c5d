import type { SportSlug } from '../catalogue/catalogue.ts';
import { ownValue, setOwn } from '../primitives/own-properties.ts';
import { playerStatisticNames } from './statistics-catalogue.ts';

/**
 * The names of the statistics that a box carries, as tables keep them: a name of `playerStatistics` by its place in that
 * list, any other as it is. Whoever changes the list moves the version of the read models that hold such places.
 */
export type StatFields = readonly (number | string)[];

export function packFields(sport: string, carried: ReadonlySet<string>): StatFields {
  const names = playerStatisticNames(sport as SportSlug);
  const known = names.flatMap((name, place) => (carried.has(name) ? [place] : []));
  return [...known, ...[...carried].filter((name) => !names.includes(name)).sort()];
}

export function unpackFields(sport: string, fields: StatFields): string[] {
  const names = playerStatisticNames(sport as SportSlug);
  return fields.map((field) => (typeof field === 'string' ? field : names[field]!));
}

/** What a player made of each of these; zeros at the end are left out. */
export function packStats(names: readonly string[], stats: Readonly<Record<string, number>>): number[] {
  const values = names.map((name) => ownValue(stats, name) ?? 0);
  return values.slice(0, values.findLastIndex((value) => value !== 0) + 1);
}

export function unpackStats(names: readonly string[], values: readonly number[]): Record<string, number> {
  const stats: Record<string, number> = {};
  for (const [index, name] of names.entries()) setOwn(stats, name, values[index] ?? 0);
  return stats;
}

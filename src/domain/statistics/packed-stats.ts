import type { SportSlug } from '../catalogue/catalogue.ts';
import { ownValue, setOwn } from '../primitives/own-properties.ts';
import { playerStatisticNames } from './statistics-catalogue.ts';

/**
 * The statistics of a box, as tables store them: a name in `playerStatisticNames` as its index, any other name as text.
 * When that list changes, raise the version of the read models that store indexes.
 */
export type StatFields = readonly (number | string)[];

export function packFields(sport: string, statNames: ReadonlySet<string>): StatFields {
  const names = playerStatisticNames(sport as SportSlug);
  const indexes = names.flatMap((name, index) => (statNames.has(name) ? [index] : []));
  return [...indexes, ...[...statNames].filter((name) => !names.includes(name)).sort()];
}

export function unpackFields(sport: string, fields: StatFields): string[] {
  const names = playerStatisticNames(sport as SportSlug);
  return fields.map((field) => (typeof field === 'string' ? field : names[field]!));
}

/** The values of a player for these statistics; zeros at the end are omitted. */
export function packStats(names: readonly string[], stats: Readonly<Record<string, number>>): number[] {
  const values = names.map((name) => ownValue(stats, name) ?? 0);
  return values.slice(0, values.findLastIndex((value) => value !== 0) + 1);
}

export function unpackStats(names: readonly string[], values: readonly number[]): Record<string, number> {
  const stats: Record<string, number> = {};
  for (const [index, name] of names.entries()) setOwn(stats, name, values[index] ?? 0);
  return stats;
}

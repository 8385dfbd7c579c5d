declare const positionBrand: unique symbol;

/**
 * A record's place in the whole log: strictly increasing, perhaps with gaps. It can be compared and kept, and that is
 * all: how many records lie between two positions, and which position comes next, only the log knows.
 */
export type Position = bigint & { readonly [positionBrand]: true };

/** A position that somebody has kept or was told, also as its decimal digits. */
export const toPosition = (kept: bigint | string): Position => BigInt(kept) as Position;

/** The same of a place that a store has kept; null: before the first record. */
export const toPositionOrNull = (kept: bigint | null): Position | null => kept as Position | null;

/** Whether `a` lies before `b`; null is before everything. */
export const isBefore = (a: bigint | null, b: bigint | null): boolean => b !== null && (a === null || a < b);

/** Of partitions (the `meta.partition` of records) a position each: up to there, included. */
export type PartitionPositions = ReadonlyMap<string, bigint>;

/** Keeps of each partition the later position. */
export function advancePositions(places: Map<string, bigint>, more: Iterable<readonly [string, bigint]>): void {
  for (const [partition, position] of more) {
    const present = places.get(partition);
    if (present === undefined || present < position) places.set(partition, position);
  }
}

/** Whether each of the wanted places is met or passed. */
export const hasReachedPositions = (places: ReadonlyMap<string, bigint | null>, wanted: PartitionPositions): boolean =>
  [...wanted].every(([partition, position]) => !isBefore(places.get(partition) ?? null, position));

/**
 * The first of `count` integers that belong to the record at this position, and to no other: ids of what one record
 * makes, which grow with the log. In another log, where the record has another position, they are others.
 */
export const firstIdAt = (position: bigint, count: number): number => Number(position) * count;

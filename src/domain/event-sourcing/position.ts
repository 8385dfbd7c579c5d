declare const positionBrand: unique symbol;

/**
 * The position of a record in the whole log: strictly increasing, with possible gaps. Use it only to compare and to
 * store. Only the log knows the number of records between two positions, and the next position.
 */
export type Position = bigint & { readonly [positionBrand]: true };

/** Converts a stored or received position; a string holds decimal digits. */
export const toPosition = (stored: bigint | string): Position => BigInt(stored) as Position;

/** Converts a stored position; null: before the first record. */
export const toPositionOrNull = (stored: bigint | null): Position | null => stored as Position | null;

/** Whether `a` is before `b`; null is before everything. */
export const isBefore = (a: bigint | null, b: bigint | null): boolean => b !== null && (a === null || a < b);

/** A position for each partition (`meta.partition`): everything up to and including it. */
export type PartitionPositions = ReadonlyMap<string, bigint>;

/** Raises the position of each partition; never lowers one. */
export function advancePositions(positions: Map<string, bigint>, more: Iterable<readonly [string, bigint]>): void {
  for (const [partition, position] of more) {
    const current = positions.get(partition);
    if (current === undefined || current < position) positions.set(partition, position);
  }
}

/** Whether every wanted position is reached. */
export const hasReachedPositions = (
  positions: ReadonlyMap<string, bigint | null>,
  wanted: PartitionPositions,
): boolean => [...wanted].every(([partition, position]) => !isBefore(positions.get(partition) ?? null, position));

/**
 * The first of `count` integers reserved for the record at this position: ids for the things that one record creates.
 * The ids grow with the log. They differ in another log, where the record has another position.
 */
export const firstIdAt = (position: bigint, count: number): number => Number(position) * count;

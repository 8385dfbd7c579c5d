import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';

/**
 * Finds the position before the first record of a time (milliseconds) or later; 0 if there is none. A binary search: here
 * positions have no gaps and times never decrease along them. There is no index by time.
 */
export function createPositionFinder(database: SqliteDatabase): (since: number) => number {
  const selectTime = database.prepare('SELECT recorded_at FROM records WHERE position = ?').raw();
  const selectHead = database.prepare('SELECT max(position) FROM records').raw();
  return (since) => {
    let low = 0;
    let [high] = selectHead.get() as [number | null] | [number];
    for (high ??= 0; low < high; ) {
      const middle = Math.ceil((low + high) / 2);
      const [recordedAt] = selectTime.get([middle]) as [number];
      if (recordedAt < since) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}

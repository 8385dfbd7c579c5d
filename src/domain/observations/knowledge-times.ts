/**
 * From when something is known, and from when it is as it is now; milliseconds. For times in between only the log has
 * the answer.
 */
export type Span = readonly [from: number, asNow: number];

/** The times of a table row, by the clock of the server and by the clock of the sources. */
export interface KnowledgeTimes {
  readonly recorded: Span;
  readonly observed: Span;
}

/** After a late message only the log knows the state at earlier times. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Updates the times after a record; all times in milliseconds.
 * @param from the earliest time at which a source says that the thing exists
 * @param newest the newest time at which any source reported on it
 * @param isSame whether the record changes nothing of what is known
 * @param isLate whether other reports are newer
 */
export function updateKnowledgeTimes(
  before: KnowledgeTimes | null,
  {
    now,
    from,
    newest,
    isSame,
    isLate,
  }: { now: number; from: number; newest: number; isSame: boolean; isLate: boolean },
): KnowledgeTimes {
  const [firstRecorded = now, lastRecorded = now] = before?.recorded ?? [];
  const isUnclear = isLate && before !== null;
  return {
    recorded: [firstRecorded, isSame ? lastRecorded : now],
    observed: [from, isUnclear ? NEVER : Math.max(newest, before?.observed[1] ?? 0)],
  };
}

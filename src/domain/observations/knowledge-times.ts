/** From when something is known, and since when it is as now; milliseconds. Between the two only the log tells. */
export type Span = readonly [from: number, asNow: number];

/** What a row of a table says of itself, by the clock of the server and by that of the sources. */
export interface KnowledgeTimes {
  readonly recorded: Span;
  readonly observed: Span;
}

/** No moment: after a late message nothing but the log tells what stood at the times before it. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * The spans after a record; all times in milliseconds.
 * @param from the earliest time at which a source says that it is so at all
 * @param newest of all times at which sources said something of it
 * @param isSame the record changes nothing of what is known
 * @param isLate others are newer
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

/** How long a grade counts, in milliseconds. */
export const GRADE_WINDOW_MS = 24 * 60 * 60 * 1000;

/** The counted grades of an address at a given time. */
interface GradeCount {
  readonly counted: number;
  /** The time of the first counted grade, in milliseconds; null if there is none. */
  readonly firstAt: number | null;
}

/** Counts the grades that addresses get without a key. Times are milliseconds. */
export interface GradeCounter {
  countOf(address: string, now: number): Promise<GradeCount>;
  /**
   * Counts a grade unless `max` grades count already.
   * @returns its id; undefined if it was not counted
   */
  tryCount(address: string, max: number, now: number): Promise<number | undefined>;
  /** Removes a counted grade that was not delivered. */
  uncount(grade: number): Promise<void>;
}

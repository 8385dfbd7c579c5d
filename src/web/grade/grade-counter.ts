/** How long a grade counts, in milliseconds. */
export const GRADE_WINDOW_MS = 24 * 60 * 60 * 1000;

/** The grades of an address that count at a moment. */
interface GradeCount {
  readonly counted: number;
  /** When the first of them was, in milliseconds; null where there is none. */
  readonly firstAt: number | null;
}

/** What is kept of the grades that addresses were given without a key. Times are milliseconds of the clock. */
export interface GradeCounter {
  countOf(address: string, now: number): Promise<GradeCount>;
  /** Counts a grade, unless `most` count already. @returns its number; undefined where it was not counted */
  tryCount(address: string, most: number, now: number): Promise<number | undefined>;
  /** Takes a grade back that was not given. */
  uncount(grade: number): Promise<void>;
}

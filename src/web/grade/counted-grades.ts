/** How long a grade counts, in milliseconds. */
export const COUNTED_FOR = 24 * 60 * 60 * 1000;

/** The grades of an address that count at a moment. */
export interface CountedGrades {
  readonly counted: number;
  /** When the first of them was, in milliseconds; null where there is none. */
  readonly firstAt: number | null;
}

/** What is kept of the grades that addresses were given without a key. Times are milliseconds of the clock. */
export interface KeptGrades {
  of(address: string, now: number): Promise<CountedGrades>;
  /** Counts a grade, unless `most` count already. @returns its number; undefined where it was not counted */
  take(address: string, most: number, now: number): Promise<number | undefined>;
  /** Takes a grade back that was not given. */
  drop(grade: number): Promise<void>;
}

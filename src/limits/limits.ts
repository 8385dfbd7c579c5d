import type { Awaitable } from '../time/awaitable.ts';

/** Milliseconds that a sliding window looks back. */
export const WINDOW = 60_000;

/** Limits that calls of one kind share. */
export type Budget = 'score_poll' | 'slip_grading';

/** What is limited, each of an API key. */
export type Limited = 'requests' | Budget | 'streams';

export interface Counted {
  /** False: the window is full, and the call was not counted. */
  readonly admitted: boolean;
  /** Calls in the window, this one included where it was counted. */
  readonly counted: number;
  /** When the oldest of them leaves the window; the call's own time and a window more where there is none. Milliseconds. */
  readonly resetAt: number;
}

/** Sliding windows and places, shared by all processes that serve the same keys. */
export interface Limits {
  /**
   * Counts a call in the last 60 seconds, unless `most` calls stand there already. A call leaves the window exactly 60
   * seconds after its time.
   * @param at milliseconds
   */
  count(what: Limited, keyId: number, most: number, at: number): Awaitable<Counted>;
  /** Takes back a call that was counted: it was refused later. */
  uncount(what: Limited, keyId: number, at: number): Awaitable<Counted>;
  /** Takes one of `most` places, and gives back what frees it; undefined where none is free. */
  enter(what: Limited, keyId: number, most: number): Awaitable<(() => void) | undefined>;
}

/** A limit whose windows a restart forgets. */
export interface RestorableLimits {
  /** Counts a call of before. */
  restore(what: Limited, keyId: number, at: number): void;
}

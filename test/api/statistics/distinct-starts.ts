const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The starts of the games of each two sides. No two sides play each other twice at one moment: the feed contract takes
 * the second ref of one source for another name of the same event, if the starts are within 60 s.
 */
export class DistinctStarts {
  readonly #taken = new Map<string, number[]>();

  /** This start, or the first free one at whole hours after it, in milliseconds; nobody else gets it. */
  take(league: string, sides: readonly string[], start: number): number {
    const key = [league, ...sides.toSorted()].join('~');
    const taken = this.#taken.get(key) ?? [];
    let free = start;
    while (taken.some((other) => Math.abs(other - free) <= MINUTE)) free += HOUR;
    this.#taken.set(key, [...taken, free]);
    return free;
  }
}

/**
 * What one event adds to the measures of a bookmaker's market. All are sums, so that those of many events can be added
 * up. Times are seconds. Only what was said before the start counts.
 */
export interface BookSums {
  /** How long the book offered the market. */
  offered: number;
  /** The integral of the age of its prices over that time; and the part of it in which they were stale. */
  age: number;
  stale: number;
  /** How long its prices were fresh, and the integral of its hold over that time. */
  fresh: number;
  hold: number;
  /** How long it was compared with another book on the main line, and the integral of its share of best prices. */
  compared: number;
  best: number;
  /** Changes of its prices beside two others on the line, and those that lay far outside all of them. */
  changes: number;
  outliers: number;
  /** Moves of the market that it took part in, and by how much it went before the others in all of them. */
  moves: number;
  lead: number;
  /** How long its prices were better than fair, and how many of these edges came to an end. */
  edge: number;
  edgesEnded: number;
  /** When it moved, the newest last: the first in Unix seconds, each other one in seconds since the one before. */
  movedAt: number[];
}

/** Moves of a book that are kept, for how it reacts to news. */
const MAX_MOVES = 32;

/** In Unix seconds, the newest last. */
export function moveTimes({ movedAt }: Pick<BookSums, 'movedAt'>): number[] {
  let at = 0;
  return movedAt.map((seconds) => (at += seconds));
}

/** @param at Unix seconds */
export function addMoveTime(sums: BookSums, at: number): void {
  const times = [...moveTimes(sums), at].slice(-MAX_MOVES);
  sums.movedAt = times.map((time, index) => time - (times[index - 1] ?? 0));
}

/** Adds to sums. Thousandths are kept: more digits would take room in every document and say nothing. */
export function addTo(sums: BookSums, added: Partial<Omit<BookSums, 'movedAt'>>): void {
  for (const name in added) {
    const key = name as keyof typeof added;
    sums[key] = Math.round((sums[key] + added[key]!) * 1000) / 1000;
  }
}

/** Two sources of one book that reported the same line within one moment. */
export interface SourceSums {
  readonly book: string;
  readonly source: string;
  readonly against: string;
  n: number;
  /** Sum of `decimal price of source / decimal price of against - 1`, each the mean of the outcomes. */
  difference: number;
}

/** Of one market of one event. */
export interface MarketSums {
  readonly books: Record<string, BookSums>;
  readonly sources: SourceSums[];
}

export const newBookSums = (): BookSums => ({
  ...{ offered: 0, age: 0, stale: 0, fresh: 0, hold: 0, compared: 0, best: 0, changes: 0, outliers: 0 },
  ...{ moves: 0, lead: 0, edge: 0, edgesEnded: 0, movedAt: [] },
});

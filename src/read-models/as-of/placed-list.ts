import { comparePlaced, type Placed, type RecordOrder } from './record-order.ts';

/** Where a record of some streams is found. */
export interface Place {
  /** Index of its stream. */
  readonly stream: number;
  readonly revision: number;
}

/** Of a record, as three numbers. */
export const BYTES_OF_PLACE = 24;
/** More than any stream's revisions. */
const REVISIONS = 2 ** 44;

/** Records in an order, by where they are found: a record itself is some twenty times as large. */
export class PlacedList {
  readonly #order: RecordOrder;
  readonly #at: number[] = [];
  readonly #rank: number[] = [];
  /** The stream's index and the revision as one number. */
  readonly #place: number[] = [];

  constructor(order: RecordOrder) {
    this.#order = order;
  }

  get length(): number {
    return this.#at.length;
  }

  place(index: number): Place {
    const place = this.#place[index]!;
    return { stream: Math.floor(place / REVISIONS), revision: place % REVISIONS };
  }

  /** How many stand at or before a moment (milliseconds). */
  countUntil(moment: number): number {
    return this.#endOfPrefix((index) => this.#at[index]! <= moment);
  }

  /**
   * Those of which the records must be looked at to tell whether one of these stands before them.
   * @param added of one stream, sorted
   */
  alike(stream: number, added: readonly Placed[]): number[] {
    const first = added[0];
    if (!first) return [];
    const numbers = new Set(added.map(({ at, rank }) => `${at} ${rank}`));
    const found: number[] = [];
    for (let index = this.#before(first); index < this.length; index++) {
      if (this.#order.keepsStreams && this.place(index).stream === stream) continue;
      if (numbers.has(`${this.#at[index]} ${this.#rank[index]}`)) found.push(index);
    }
    return found;
  }

  /**
   * Adds records of one stream; those that are equal go behind.
   * @param added sorted
   * @param known the records at the indexes that `alike` gave
   * @returns how many of the first entries stayed as they were, and behind which index the last one added stands
   */
  insert(stream: number, added: readonly Placed[], known: ReadonlyMap<number, Placed>): { kept: number; end: number } {
    const first = added[0];
    if (!first) return { kept: this.length, end: this.length };
    const begin = this.#before(first);
    const after = { at: this.#at.splice(begin), rank: this.#rank.splice(begin), place: this.#place.splice(begin) };
    let kept = begin;
    let next = 0;
    const isBefore = (one: Placed): boolean => {
      if (next === after.at.length) return false;
      const difference = after.at[next]! - one.at || after.rank[next]! - one.rank;
      if (difference !== 0) return difference < 0;
      const record = known.get(begin + next);
      // One of the same stream, which came before.
      return record === undefined || this.#order.compare(record, one) <= 0;
    };
    const putNext = () => {
      this.#at.push(after.at[next]!);
      this.#rank.push(after.rank[next]!);
      this.#place.push(after.place[next]!);
      next++;
    };
    added.forEach((one, index) => {
      while (isBefore(one)) putNext();
      if (index === 0) kept = this.length;
      this.#at.push(one.at);
      this.#rank.push(one.rank);
      this.#place.push(stream * REVISIONS + one.revision);
    });
    const end = this.length;
    while (next < after.at.length) putNext();
    return { kept, end };
  }

  /** How many come before this one by time and rank alone. */
  #before({ at, rank }: Placed): number {
    return this.#endOfPrefix((index) => (this.#at[index]! - at || this.#rank[index]! - rank) < 0);
  }

  /** Index behind the last one for which `holds`, in an order where it holds for a prefix. */
  #endOfPrefix(holds: (index: number) => boolean): number {
    let low = 0;
    let high = this.length;
    // Nearly always at the end.
    if (high === 0 || holds(high - 1)) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export const sortPlaced = (order: RecordOrder, added: Placed[]): Placed[] =>
  added.sort((a, b) => comparePlaced(order, a, b));

import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import {
  compareObserved,
  expandReconfirmation,
  type ObservedRecord,
  toObservedRecord,
} from '../../domain/streams/observed-order.ts';
import type { AsOf } from './as-of.ts';

/** The location of a record in some streams. */
interface RecordLocation {
  /** Index of its stream. */
  readonly stream: number;
  readonly revision: number;
}

/** Memory of a record's location: three numbers. */
export const BYTES_PER_LOCATION = 24;
/** More than any stream's revisions. */
const MAX_REVISIONS = 2 ** 44;

/** Records in an order, stored as locations: a record itself is some twenty times as large. */
export class OrderedRecords {
  readonly #order: RecordOrder;
  readonly #at: number[] = [];
  readonly #rank: number[] = [];
  /** Index of the stream and revision, as one number. */
  readonly #location: number[] = [];

  constructor(order: RecordOrder) {
    this.#order = order;
  }

  get length(): number {
    return this.#at.length;
  }

  locationOf(index: number): RecordLocation {
    const location = this.#location[index]!;
    return { stream: Math.floor(location / MAX_REVISIONS), revision: location % MAX_REVISIONS };
  }

  /** The number of records at or before a moment (milliseconds). */
  countUntil(moment: number): number {
    return this.#endOfPrefix((index) => this.#at[index]! <= moment);
  }

  /**
   * The indexes of records that must be loaded to decide whether an added record comes before them.
   * @param added records of one stream, sorted
   */
  indexesOfTies(stream: number, added: readonly OrderedRecord[]): number[] {
    const first = added[0];
    if (!first) return [];
    const numbers = new Set(added.map(({ at, rank }) => `${at} ${rank}`));
    const found: number[] = [];
    for (let index = this.#before(first); index < this.length; index++) {
      if (this.#order.keepsStreamOrder && this.locationOf(index).stream === stream) continue;
      if (numbers.has(`${this.#at[index]} ${this.#rank[index]}`)) found.push(index);
    }
    return found;
  }

  /**
   * Inserts records of one stream; equal records go after the existing ones.
   * @param added sorted
   * @param known the records at the indexes that `indexesOfTies` returned
   * @returns how many of the first entries stayed as they were, and the index after the last added one
   */
  insert(
    stream: number,
    added: readonly OrderedRecord[],
    known: ReadonlyMap<number, OrderedRecord>,
  ): { kept: number; end: number } {
    const first = added[0];
    if (!first) return { kept: this.length, end: this.length };
    const begin = this.#before(first);
    const after = {
      at: this.#at.splice(begin),
      rank: this.#rank.splice(begin),
      location: this.#location.splice(begin),
    };
    let kept = begin;
    let next = 0;
    const isBefore = (one: OrderedRecord): boolean => {
      if (next === after.at.length) return false;
      const difference = after.at[next]! - one.at || after.rank[next]! - one.rank;
      if (difference !== 0) return difference < 0;
      const record = known.get(begin + next);
      // A record of the same stream, which came earlier.
      return record === undefined || this.#order.compare(record, one) <= 0;
    };
    const putNext = () => {
      this.#at.push(after.at[next]!);
      this.#rank.push(after.rank[next]!);
      this.#location.push(after.location[next]!);
      next++;
    };
    added.forEach((one, index) => {
      while (isBefore(one)) putNext();
      if (index === 0) kept = this.length;
      this.#at.push(one.at);
      this.#rank.push(one.rank);
      this.#location.push(stream * MAX_REVISIONS + one.revision);
    });
    const end = this.length;
    while (next < after.at.length) putNext();
    return { kept, end };
  }

  /** The number of records before this one by time and rank alone. */
  #before({ at, rank }: OrderedRecord): number {
    return this.#endOfPrefix((index) => (this.#at[index]! - at || this.#rank[index]! - rank) < 0);
  }

  /** The index after the last record for which `holds` is true. It must be true for a prefix of the order. */
  #endOfPrefix(holds: (index: number) => boolean): number {
    let low = 0;
    let high = this.length;
    // The answer is nearly always the end.
    if (high === 0 || holds(high - 1)) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export const sortOrdered = (order: RecordOrder, added: OrderedRecord[]): OrderedRecord[] =>
  added.sort((a, b) => compareOrdered(order, a, b));

/** A record in an order in which the records at or before any moment are a prefix. */
export interface OrderedRecord extends ObservedRecord {
  /** The revision of the record itself: an expanded reconfirmation is a copy of the record that it repeats. */
  readonly revision: number;
}

/** Records are ordered by `at`, then by `rank`; `compare` decides between records that are equal in both. */
export interface RecordOrder {
  /** Whether a reconfirmation is expanded to the content that it repeats. */
  readonly expandsReconfirmations: boolean;
  /** Whether records of one stream that are equal in both keep the order of the stream. */
  readonly keepsStreamOrder: boolean;
  /**
   * @param original if `expandsReconfirmations`: the record that this one repeats, if it repeats one that the stream
   * has
   */
  toOrdered(record: DomainRecord, original: DomainRecord | undefined): OrderedRecord;
  /**
   * The record in its expanded form.
   * @param original see `toOrdered`
   */
  expand(record: DomainRecord, original: DomainRecord | undefined): DomainRecord;
  compare(a: OrderedRecord, b: OrderedRecord): number;
}

/** The order for each basis of `as_of`. */
export const RECORD_ORDERS: Readonly<Record<AsOf['basis'], RecordOrder>> = {
  recorded: {
    expandsReconfirmations: false,
    keepsStreamOrder: true,
    toOrdered: (record) => ({ record, at: Date.parse(record.recordedAt), rank: 0, revision: record.revision }),
    expand: (record) => record,
    compare: ({ record: a }, { record: b }) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0),
  },
  observed: {
    expandsReconfirmations: true,
    keepsStreamOrder: false,
    toOrdered: (record, original) => ({ ...toObservedRecord(record, original), revision: record.revision }),
    expand: expandReconfirmation,
    compare: compareObserved,
  },
};

/** The complete order of two records. */
const compareOrdered = (order: RecordOrder, a: OrderedRecord, b: OrderedRecord): number =>
  a.at - b.at || a.rank - b.rank || order.compare(a, b);

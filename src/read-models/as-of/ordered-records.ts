import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import {
  compareObserved,
  expandReconfirmation,
  type ObservedRecord,
  toObservedRecord,
} from '../../domain/streams/observed-order.ts';
import type { AsOf } from './as-of.ts';

/** Where a record of some streams is found. */
interface RecordLocation {
  /** Index of its stream. */
  readonly stream: number;
  readonly revision: number;
}

/** Of a record, as three numbers. */
export const BYTES_PER_LOCATION = 24;
/** More than any stream's revisions. */
const MAX_REVISIONS = 2 ** 44;

/** Records in an order, by where they are found: a record itself is some twenty times as large. */
export class OrderedRecords {
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

  locationOf(index: number): RecordLocation {
    const place = this.#place[index]!;
    return { stream: Math.floor(place / MAX_REVISIONS), revision: place % MAX_REVISIONS };
  }

  /** How many stand at or before a moment (milliseconds). */
  countUntil(moment: number): number {
    return this.#endOfPrefix((index) => this.#at[index]! <= moment);
  }

  /**
   * Those of which the records must be looked at to tell whether one of these stands before them.
   * @param added of one stream, sorted
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
   * Adds records of one stream; those that are equal go behind.
   * @param added sorted
   * @param known the records at the indexes that `alike` gave
   * @returns how many of the first entries stayed as they were, and behind which index the last one added stands
   */
  insert(
    stream: number,
    added: readonly OrderedRecord[],
    known: ReadonlyMap<number, OrderedRecord>,
  ): { kept: number; end: number } {
    const first = added[0];
    if (!first) return { kept: this.length, end: this.length };
    const begin = this.#before(first);
    const after = { at: this.#at.splice(begin), rank: this.#rank.splice(begin), locationOf: this.#place.splice(begin) };
    let kept = begin;
    let next = 0;
    const isBefore = (one: OrderedRecord): boolean => {
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
      this.#place.push(after.locationOf[next]!);
      next++;
    };
    added.forEach((one, index) => {
      while (isBefore(one)) putNext();
      if (index === 0) kept = this.length;
      this.#at.push(one.at);
      this.#rank.push(one.rank);
      this.#place.push(stream * MAX_REVISIONS + one.revision);
    });
    const end = this.length;
    while (next < after.at.length) putNext();
    return { kept, end };
  }

  /** How many come before this one by time and rank alone. */
  #before({ at, rank }: OrderedRecord): number {
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

export const sortOrdered = (order: RecordOrder, added: OrderedRecord[]): OrderedRecord[] =>
  added.sort((a, b) => compareOrdered(order, a, b));

/** A record in an order of which any moment is a prefix: all that stands at or before that moment. */
export interface OrderedRecord extends ObservedRecord {
  /** Its own: a reconfirmation that is spelled out is a copy of the record that it repeats. */
  readonly revision: number;
}

/** Records stand in the order of `at`, then of `rank`; `compare` tells of those that are alike in both. */
export interface RecordOrder {
  /** Whether a reconfirmation holds what it repeats. */
  readonly expandsReconfirmations: boolean;
  /** Whether records of one stream that are alike in both stand as they do in the stream. */
  readonly keepsStreamOrder: boolean;
  /** @param original where `spellsOut` holds: the record that this one repeats, if it repeats any and the stream has it */
  toOrdered(record: DomainRecord, original: DomainRecord | undefined): OrderedRecord;
  /** The record alone, as it is placed. @param original as that of `place` */
  expand(record: DomainRecord, original: DomainRecord | undefined): DomainRecord;
  compare(a: OrderedRecord, b: OrderedRecord): number;
}

/** By basis of `as_of`. */
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

/** The order of two, with all that decides it. */
const compareOrdered = (order: RecordOrder, a: OrderedRecord, b: OrderedRecord): number =>
  a.at - b.at || a.rank - b.rank || order.compare(a, b);

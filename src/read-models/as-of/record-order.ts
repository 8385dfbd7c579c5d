import type { DomainRecord } from '../../domain/domain-events.ts';
import { asObserved, compareObserved, type Observed, spelledOut } from '../../domain/observed-order.ts';
import type { AsOf } from './as-of.ts';

/** A record in an order of which any moment is a prefix: all that stands at or before that moment. */
export interface Placed extends Observed {
  /** Its own: a reconfirmation that is spelled out is a copy of the record that it repeats. */
  readonly revision: number;
}

/** Records stand in the order of `at`, then of `rank`; `compare` tells of those that are alike in both. */
export interface RecordOrder {
  /** Whether a reconfirmation holds what it repeats. */
  readonly spellsOut: boolean;
  /** Whether records of one stream that are alike in both stand as they do in the stream. */
  readonly keepsStreams: boolean;
  /** @param original where `spellsOut` holds: the record that this one repeats, if it repeats any and the stream has it */
  place(record: DomainRecord, original: DomainRecord | undefined): Placed;
  /** The record alone, as it is placed. @param original as that of `place` */
  spell(record: DomainRecord, original: DomainRecord | undefined): DomainRecord;
  compare(a: Placed, b: Placed): number;
}

/** By basis of `as_of`. */
export const RECORD_ORDERS: Readonly<Record<AsOf['basis'], RecordOrder>> = {
  recorded: {
    spellsOut: false,
    keepsStreams: true,
    place: (record) => ({ record, at: Date.parse(record.recordedAt), rank: 0, revision: record.revision }),
    spell: (record) => record,
    compare: ({ record: a }, { record: b }) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0),
  },
  observed: {
    spellsOut: true,
    keepsStreams: false,
    place: (record, original) => ({ ...asObserved(record, original), revision: record.revision }),
    spell: spelledOut,
    compare: compareObserved,
  },
};

/** The order of two, with all that decides it. */
export const comparePlaced = (order: RecordOrder, a: Placed, b: Placed): number =>
  a.at - b.at || a.rank - b.rank || order.compare(a, b);

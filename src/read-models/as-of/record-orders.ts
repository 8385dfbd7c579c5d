import { timeOf } from '../../domain/observations/observation.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { compareObserved, type ObservedRecord, toObservedRecord } from '../../domain/streams/observed-order.ts';
import type { AsOf } from './as-of.ts';

/** Records are ordered by their time in milliseconds; `compare` decides between records of one time. */
export interface RecordOrder {
  readonly name: AsOf['basis'];
  timeOf(record: DomainRecord): number;
  /** Whether a reconfirmation is expanded to the content that it repeats. */
  readonly expandsReconfirmations: boolean;
  /**
   * The record as it is folded.
   * @param original if `expandsReconfirmations`: the record that this one repeats, if it repeats one that the stream
   * has
   */
  toOrdered(record: DomainRecord, original: DomainRecord | undefined): ObservedRecord;
  /** Of records that are equal, that which the stream has first comes first. */
  compare(a: ObservedRecord, b: ObservedRecord): number;
}

/** The order for each basis of `as_of`. */
export const RECORD_ORDERS: Readonly<Record<AsOf['basis'], RecordOrder>> = {
  recorded: {
    name: 'recorded',
    timeOf: ({ recordedAt }) => Date.parse(recordedAt),
    expandsReconfirmations: false,
    toOrdered: (record) => ({ record, at: Date.parse(record.recordedAt), rank: 0 }),
    compare: ({ record: a }, { record: b }) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0),
  },
  observed: {
    name: 'observed',
    timeOf: ({ data }) => timeOf(data.at),
    expandsReconfirmations: true,
    toOrdered: (record, original) => toObservedRecord(record, original),
    compare: compareObserved,
  },
};

import { timeOf } from '../observations/observation.ts';
import { compareCanonical } from '../primitives/canonical-json.ts';
import { statusRank } from '../sports-events/sports-event.ts';
import type { DomainRecord } from './domain-events.ts';

/** Descriptions and schedules before what hangs on them, whatever their times' ties. */
const BEFORE_SCORES = -100;

/** A record as if it had been recorded when it was observed: it holds all that it says, and is never late. */
export interface ObservedRecord {
  readonly record: DomainRecord;
  /** Milliseconds. */
  readonly at: number;
  readonly rank: number;
}

/** @param original of a reconfirmation: the record that it repeats, if the stream has it */
export function toObservedRecord(record: DomainRecord, original: DomainRecord | undefined): ObservedRecord {
  const spelled = expandReconfirmation(record, original);
  return { record: spelled, at: timeOf(spelled.data.at), rank: rankOf(spelled) };
}

/** The order in which records were observed; what is equal here stays in the order of the log. */
export const compareObserved = (a: ObservedRecord, b: ObservedRecord): number =>
  a.at - b.at ||
  a.rank - b.rank ||
  compareContents(a.record, b.record) ||
  // Where the directory says two things of one time, the later record stands. Nothing else may depend on arrival.
  (a.record.type === 'ParticipantDescribed' ? 0 : compare(a.record.data.source, b.record.data.source));

/** A record with all that it says, and never late. @param original as that of `asObserved` */
export function expandReconfirmation(record: DomainRecord, original: DomainRecord | undefined): DomainRecord {
  const { data } = record;
  if ('late' in data) return { ...record, data: { ...data, late: undefined } } as DomainRecord;
  if (!('of' in data) || !original) return record;
  const { at, source } = data;
  // The source's own id of the entry, where it has said one: that of the original is another source's.
  const ref = 'ref' in original.data ? { ref: 'ref' in data ? data.ref : undefined } : {};
  return {
    ...original,
    data: { ...original.data, late: undefined, at, source, ...ref },
    recordedAt: record.recordedAt,
  } as DomainRecord;
}

function rankOf({ type, data }: DomainRecord): number {
  if (type === 'EventScheduled') return BEFORE_SCORES + statusRank(data.content.status);
  if (type === 'ScoreChanged') return statusRank(data.content.status);
  return type === 'ParticipantDescribed' ? 2 * BEFORE_SCORES : 0;
}

/** What has no content comes first. */
function compareContents({ data: a }: DomainRecord, { data: b }: DomainRecord): number {
  if ('content' in a && 'content' in b) return compareCanonical(a.content, b.content);
  return Number('content' in a) - Number('content' in b);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

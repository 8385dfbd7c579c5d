import { timeOf } from '../observations/observation.ts';
import { compareCanonical } from '../primitives/canonical-json.ts';
import { statusRank } from '../sports-events/sports-event.ts';
import type { DomainRecord } from './domain-events.ts';

/** At equal times, descriptions and schedules come before the records that depend on them. */
const BEFORE_SCORES = -100;
/** A name is given to an entry that is known. */
const AFTER_DESCRIPTIONS = 100;

/** A record as if it had been recorded when it was observed: with full content, and never late. */
export interface ObservedRecord {
  readonly record: DomainRecord;
  /** Milliseconds. */
  readonly at: number;
  readonly rank: number;
}

/** @param original for a reconfirmation: the record that it repeats, if the stream has it */
export function toObservedRecord(record: DomainRecord, original: DomainRecord | undefined): ObservedRecord {
  const expanded = expandReconfirmation(record, original);
  return { record: expanded, at: timeOf(expanded.data.at), rank: rankOf(expanded) };
}

/** Compares by order of observation; equal records stay in log order. */
export const compareObserved = (a: ObservedRecord, b: ObservedRecord): number =>
  a.at - b.at ||
  a.rank - b.rank ||
  compareContents(a.record, b.record) ||
  // If the directory describes a side twice at one time, the later record wins. Nothing else may depend on arrival.
  (a.record.type === 'ParticipantDescribed' ? 0 : compare(a.record.data.source, b.record.data.source));

/** A record with full content, and never late. @param original as for `toObservedRecord` */
export function expandReconfirmation(record: DomainRecord, original: DomainRecord | undefined): DomainRecord {
  const { data } = record;
  if ('late' in data) return { ...record, data: { ...data, late: undefined } } as DomainRecord;
  if (!('of' in data) || !original) return record;
  const { at, source } = data;
  // The id of the entry at this source, if it sent one: the id in the original may belong to another source.
  const ref = 'ref' in original.data ? { ref: 'ref' in data ? data.ref : undefined } : {};
  // The original's changes of the order books were made at its own time; these are those of this one.
  const depth = 'depth' in data || 'depth' in original.data ? { depth: 'depth' in data ? data.depth : undefined } : {};
  return {
    ...original,
    data: { ...original.data, late: undefined, at, source, ...ref, ...depth },
    recordedAt: record.recordedAt,
  } as DomainRecord;
}

function rankOf({ type, data }: DomainRecord): number {
  if (type === 'EventScheduled') return BEFORE_SCORES + statusRank(data.content.status);
  if (type === 'ScoreChanged') return statusRank(data.content.status);
  if (type === 'TeamAliasChanged' || type === 'PlayerAliasChanged') return AFTER_DESCRIPTIONS;
  return type === 'ParticipantDescribed' ? 2 * BEFORE_SCORES : 0;
}

/** Records without content come first. */
function compareContents({ data: a }: DomainRecord, { data: b }: DomainRecord): number {
  if ('content' in a && 'content' in b) return compareCanonical(a.content, b.content);
  return Number('content' in a) - Number('content' in b);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

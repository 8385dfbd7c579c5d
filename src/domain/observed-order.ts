import { canonicalOf } from './canonical.ts';
import type { DomainRecord } from './domain-events.ts';
import { timeOf } from './observation.ts';
import { statusRank } from './sports-event.ts';

/** Descriptions and schedules before what hangs on them, whatever their times' ties. */
const BEFORE_SCORES = -100;

/**
 * The records that say what was observed at or before `until` (milliseconds), in the order of `at`, as if they had
 * been recorded in that order: reconfirmations hold the content that they repeat, and nothing is late.
 */
export function inObservedOrder(records: readonly DomainRecord[], until: number): DomainRecord[] {
  const originals = new Map(records.map((record) => [`${record.stream}|${record.revision}`, record]));
  return records
    .filter(({ data }) => timeOf(data.at) <= until)
    .map((record) => spelledOut(record, originals))
    .map((record) => ({ record, at: timeOf(record.data.at), rank: rankOf(record), content: contentOf(record) }))
    .sort(
      (a, b) =>
        a.at - b.at ||
        a.rank - b.rank ||
        compare(a.content, b.content) ||
        // Of what the directory says from one time on the last stands; all else does not hang on arrival.
        (a.record.type === 'ParticipantDescribed' ? 0 : compare(a.record.data.source, b.record.data.source)),
    )
    .map(({ record }) => record);
}

function spelledOut(record: DomainRecord, originals: ReadonlyMap<string, DomainRecord>): DomainRecord {
  const { data } = record;
  if ('late' in data) return { ...record, data: { ...data, late: undefined } } as DomainRecord;
  if (!('of' in data)) return record;
  const original = originals.get(`${record.stream}|${data.of}`);
  if (!original) return record;
  const { at, source } = data;
  return {
    ...original,
    data: { ...original.data, late: undefined, at, source },
    recordedAt: record.recordedAt,
  } as DomainRecord;
}

function rankOf({ type, data }: DomainRecord): number {
  if (type === 'EventScheduled') return BEFORE_SCORES + statusRank(data.content.status);
  if (type === 'ScoreChanged') return statusRank(data.content.status);
  return type === 'ParticipantDescribed' ? 2 * BEFORE_SCORES : 0;
}

const contentOf = ({ data }: DomainRecord): string => ('content' in data ? canonicalOf(data.content) : '');
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

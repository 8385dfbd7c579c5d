import type { DomainRecord } from '../domain/domain-events.ts';
import type { ToldAgain } from './subject.ts';
import { SUBJECTS } from './subjects.ts';

/** The record of a stream with this revision, for reconfirmations. */
export type FindRecord = (stream: string, revision: number) => Promise<DomainRecord | undefined>;

const again = new Map(SUBJECTS.flatMap((subject) => Object.entries(subject.again)));

/**
 * The feed messages that a record says again: none for what the server found out by itself. Sent to another server
 * in the order of the log, they leave it in the same state, ids aside.
 */
export async function messagesOf(record: DomainRecord, find: FindRecord): Promise<readonly ToldAgain[]> {
  const { data } = record;
  if ('of' in data) {
    const original = await find(record.stream, data.of);
    if (!original || 'of' in original.data) return [];
    const { at, source } = data;
    const origin = 'origin' in data ? { origin: data.origin } : {};
    const ref = 'ref' in data ? { ref: data.ref } : {};
    return messagesOf({ ...original, data: { ...original.data, at, source, ...origin, ...ref } } as DomainRecord, find);
  }
  const message = again.get(record.type)?.(record);
  return message ? [message] : [];
}

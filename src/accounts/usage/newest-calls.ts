import { columnValue, type UsageDocument, usage } from '../../../projections/accounts/usage.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { DocumentReader, Query, StoredDocument } from '../../read-models/store/document-reader.ts';
import type { UsageCall } from './usage-reader.ts';

export interface CallSelection {
  readonly accountId: number;
  /** Milliseconds: earlier calls are left out. */
  readonly since?: number | undefined;
  readonly keyId?: number | undefined;
  /** The lowest and the highest. */
  readonly statuses?: readonly [min: number, max: number] | undefined;
  /** Lower case; matches the operation or the request id. */
  readonly text?: string | undefined;
}

/**
 * The position of a call among the account's calls. Most of them are skipped, so a call is built only when needed
 * (`toUsageCall`).
 */
export interface IndexedCall {
  readonly time: number;
  /** Increases with the position of the record. */
  readonly record: number;
  readonly document: UsageDocument;
  readonly index: number;
}

/**
 * The number of documents in the first read; later reads take as many as hold about `CALLS_AT_ONCE` calls. So each read
 * takes some milliseconds, whether a document holds one call or thousands.
 */
const FIRST_DOCUMENTS = 16;
const CALLS_AT_ONCE = 2000;
const DOCUMENTS_AT_ONCE = { min: 4, max: 256 };

/**
 * An account's calls, newest first, some at a time. At equal times the call recorded last comes first. Documents
 * overlap in time: a call is returned only when no unread document can hold a newer one.
 */
export async function* readNewestCalls(
  store: Pick<DocumentReader, 'find'>,
  selected: CallSelection,
): AsyncGenerator<readonly IndexedCall[]> {
  const { accountId, since } = selected;
  const isRepeated = createDuplicateFilter();
  let waiting: IndexedCall[] = [];
  let limit = FIRST_DOCUMENTS;
  for (let after: Query['after']; ; ) {
    const found = await store.find<UsageDocument>(usage.name, {
      where: { account: accountId },
      ...(since === undefined ? {} : { range: { field: 'last', from: since } }),
      order: { field: 'last', direction: 'desc' },
      ...(after ? { after } : {}),
      limit,
    });
    for (const stored of found) if (!isRepeated(stored)) addSelectedCalls(waiting, stored, selected);
    waiting.sort(newestFirst);
    const end = found.length < limit ? undefined : found.at(-1)!;
    // Unread documents may hold calls of this same time.
    const ready = end ? waiting.findIndex(({ time }) => time <= end.document.last) : -1;
    yield ready === -1 ? waiting : waiting.slice(0, ready);
    if (!end) return;
    waiting = ready === -1 ? [] : waiting.slice(ready);
    after = { value: end.document.last, id: Number(end.key) };
    const calls = found.reduce((sum, { document }) => sum + document.requests.length, 0);
    const { min, max } = DOCUMENTS_AT_ONCE;
    limit = Math.max(min, Math.min(max, Math.floor((CALLS_AT_ONCE * found.length) / calls)));
    await yieldToEventLoop();
  }
}

const newestFirst = (a: IndexedCall, b: IndexedCall): number =>
  b.time - a.time || b.record - a.record || b.index - a.index;

/**
 * Recognizes documents of repeated records. Repeats have the same last call, so they follow each other, except for
 * other documents of that time.
 */
function createDuplicateFilter(): (stored: StoredDocument<UsageDocument>) => boolean {
  let last = Number.NaN;
  const names = new Set<string>();
  return ({ document }) => {
    if (document.last !== last) names.clear();
    last = document.last;
    const { record } = document;
    if (record === undefined) return false;
    const isRepeated = names.has(record);
    names.add(record);
    return isRepeated;
  };
}

/** Adds the selected calls. */
function addSelectedCalls(
  to: IndexedCall[],
  { key, document }: StoredDocument<UsageDocument>,
  { since = Number.NEGATIVE_INFINITY, keyId, statuses, text }: CallSelection,
): void {
  const { last, before, keys, operations, requests } = document;
  const record = Number(key);
  for (let index = 0; index < requests.length; index++) {
    const time = last - columnValue(before, index);
    if (time < since || (keyId !== undefined && columnValue(keys, index) !== keyId)) continue;
    const status = columnValue(document.statuses, index);
    if (statuses && (status < statuses[0] || status > statuses[1])) continue;
    const operation = columnValue(operations, index) ?? '';
    if (text !== undefined && !contains(operation, text) && !contains(requests[index]!, text)) continue;
    to.push({ time, record, document, index });
  }
}

export const toUsageCall = ({ time, document, index }: IndexedCall): UsageCall => ({
  at: formatTime(time),
  keyId: columnValue(document.keys, index),
  operation: columnValue(document.operations, index),
  status: columnValue(document.statuses, index),
  credits: columnValue(document.credits, index),
  milliseconds: columnValue(document.milliseconds, index),
  requestId: document.requests[index]!,
});

const contains = (value: string, text: string): boolean => value.toLowerCase().includes(text);

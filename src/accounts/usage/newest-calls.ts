import { type UsageDocument, usage, valueAt } from '../../../projections/usage.ts';
import { formatTime } from '../../domain/time.ts';
import { breathe } from '../../platform/time/breathe.ts';
import type { DocumentReader, Query, Stored } from '../../read-models/store/document-reader.ts';
import type { UsedCall } from './usage-reader.ts';

export interface SelectedCalls {
  readonly accountId: number;
  /** Milliseconds: none that came in before. */
  readonly since?: number | undefined;
  readonly keyId?: number | undefined;
  /** The least and the greatest. */
  readonly statuses?: readonly [least: number, greatest: number] | undefined;
  /** In lower case: found in operation or request id. */
  readonly text?: string | undefined;
}

/** Where a call stands among all of the account's. Most that are looked through are not shown: `usedCall` reads one. */
export interface PlacedCall {
  readonly time: number;
  /** Grows with the record's position. */
  readonly record: number;
  readonly document: UsageDocument;
  readonly place: number;
}

/** Documents that are read at first; later ones as many as hold about so many calls. What is read in one go takes some
 *  milliseconds, whether each document holds one call or thousands. */
const FIRST_DOCUMENTS = 16;
const CALLS_AT_ONCE = 2000;
const DOCUMENTS_AT_ONCE = { least: 4, most: 256 };

/**
 * An account's calls, the newest first, some at a time. Of those of one moment the one that was recorded last comes
 * first. A document's calls may lie among those of others; none is given while a document that is not read yet may hold
 * a newer one.
 */
export async function* newestCalls(
  store: Pick<DocumentReader, 'find'>,
  selected: SelectedCalls,
): AsyncGenerator<readonly PlacedCall[]> {
  const { accountId, since } = selected;
  const isRepeated = repetitions();
  let waiting: PlacedCall[] = [];
  let limit = FIRST_DOCUMENTS;
  for (let after: Query['after']; ; ) {
    const found = await store.find<UsageDocument>(usage.name, {
      where: { account: accountId },
      ...(since === undefined ? {} : { range: { field: 'last', from: since } }),
      order: { field: 'last', direction: 'desc' },
      ...(after ? { after } : {}),
      limit,
    });
    for (const stored of found) if (!isRepeated(stored)) addCalls(waiting, stored, selected);
    waiting.sort(newestFirst);
    const end = found.length < limit ? undefined : found.at(-1)!;
    // Later documents may hold calls of that very moment.
    const ready = end ? waiting.findIndex(({ time }) => time <= end.document.last) : -1;
    yield ready === -1 ? waiting : waiting.slice(0, ready);
    if (!end) return;
    waiting = ready === -1 ? [] : waiting.slice(ready);
    after = { value: end.document.last, id: Number(end.key) };
    const calls = found.reduce((sum, { document }) => sum + document.requests.length, 0);
    const { least, most } = DOCUMENTS_AT_ONCE;
    limit = Math.max(least, Math.min(most, Math.floor((CALLS_AT_ONCE * found.length) / calls)));
    await breathe();
  }
}

const newestFirst = (a: PlacedCall, b: PlacedCall): number =>
  b.time - a.time || b.record - a.record || b.place - a.place;

/** Whether a document is of a record that was there before. The same calls have the same last one, and so both stand
 *  side by side, but for others of that moment. */
function repetitions(): (stored: Stored<UsageDocument>) => boolean {
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

/** Adds those that are selected. */
function addCalls(
  to: PlacedCall[],
  { key, document }: Stored<UsageDocument>,
  { since = Number.NEGATIVE_INFINITY, keyId, statuses, text }: SelectedCalls,
): void {
  const { last, before, keys, operations, requests } = document;
  const record = Number(key);
  for (let place = 0; place < requests.length; place++) {
    const time = last - valueAt(before, place);
    if (time < since || (keyId !== undefined && valueAt(keys, place) !== keyId)) continue;
    const status = valueAt(document.statuses, place);
    if (statuses && (status < statuses[0] || status > statuses[1])) continue;
    const operation = valueAt(operations, place) ?? '';
    if (text !== undefined && !contains(operation, text) && !contains(requests[place]!, text)) continue;
    to.push({ time, record, document, place });
  }
}

export const usedCall = ({ time, document, place }: PlacedCall): UsedCall => ({
  at: formatTime(time),
  keyId: valueAt(document.keys, place),
  operation: valueAt(document.operations, place),
  status: valueAt(document.statuses, place),
  credits: valueAt(document.credits, place),
  milliseconds: valueAt(document.milliseconds, place),
  requestId: document.requests[place]!,
});

const contains = (value: string, text: string): boolean => value.toLowerCase().includes(text);

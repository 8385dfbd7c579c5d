import {
  addCounts,
  type CallCounts,
  type UsageDayDocument,
  usageDayKey,
  usageDays,
} from '../../../projections/accounts/usage-days.ts';
import { DAY, formatDate } from '../../domain/primitives/time.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import { readNewestCalls, toUsageCall } from './newest-calls.ts';
import type { UsageAnalytics } from './usage-reader.ts';

/** Documents per read. */
const DAYS_AT_ONCE = 8;

type UsageStore = Pick<DocumentReader, 'find' | 'getMany'>;

/** An account's usage on this many UTC days. @param today milliseconds of the last day's start */
export async function readUsageAnalytics(
  store: UsageStore,
  accountId: number,
  count: number,
  today: number,
): Promise<UsageAnalytics> {
  const first = today - (count - 1) * DAY;
  const days = new Map(datesFrom(first, count).map((date): [string, CallCounts] => [date, [0, 0, 0]]));
  const operations = new Map<string, CallCounts>();
  const keysOf = new Map<string, Map<string, CallCounts>>();
  /** Days with more keys than their documents can list. */
  const blurred = new Set<string>();

  // Calls of a day may be in the documents of the day before or after.
  for await (const document of documentsOf(store, accountId, datesFrom(first - DAY, count + 2))) {
    for (const [date, day] of Object.entries(document.dates)) {
      const all = days.get(date);
      if (!all) continue;
      addCounts(all, day.all);
      for (const [name, counts] of Object.entries(day.operations)) add(operations, name, counts);
      if (day.keys === null) blurred.add(date);
      const keys = keysOf.get(date) ?? new Map<string, CallCounts>();
      for (const [id, counts] of Object.entries(day.keys ?? {})) add(keys, id, counts);
      keysOf.set(date, keys);
    }
  }
  for (const [date, keys] of blurred.size > 0 ? await countKeysCallByCall(store, accountId, blurred) : [])
    keysOf.set(date, keys);
  const keys = new Map<string, CallCounts>();
  for (const ofDay of keysOf.values()) for (const [id, counts] of ofDay) add(keys, id, counts);

  return {
    days: [...days].map(([date, [calls, errors, credits]]) => ({ date, calls, errors, credits })),
    operations: rankByCalls(
      operations,
      (a, b) => (a < b ? -1 : 1),
      (name) => name === '',
    ).map(([name, [calls, , credits]]) => ({ operation: name || null, calls, credits })),
    keys: rankByCalls(
      keys,
      (a, b) => Number(a) - Number(b),
      (id) => id === '0',
    ).map(([id, [calls, , credits]]) => ({
      key_id: Number(id) || null,
      calls,
      credits,
    })),
  };
}

const datesFrom = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => formatDate(first + index * DAY));

async function* documentsOf(
  store: UsageStore,
  accountId: number,
  dates: readonly string[],
): AsyncGenerator<UsageDayDocument> {
  for (let next = 0; next < dates.length; next += DAYS_AT_ONCE) {
    const keys = dates.slice(next, next + DAYS_AT_ONCE).map((date) => usageDayKey(accountId, date));
    for (const found of await store.getMany<UsageDayDocument>(usageDays.name, keys)) if (found) yield found.document;
    await yieldToEventLoop();
  }
}

/** Counts the calls of these days by key, call by call. */
async function countKeysCallByCall(
  store: UsageStore,
  accountId: number,
  dates: ReadonlySet<string>,
): Promise<Map<string, Map<string, CallCounts>>> {
  const counted = new Map([...dates].map((date) => [date, new Map<string, CallCounts>()]));
  const since = Date.parse([...dates].sort()[0]!);
  for await (const calls of readNewestCalls(store, { accountId, since })) {
    for (const { at, keyId, status, credits } of calls.map(toUsageCall)) {
      const keys = counted.get(at.slice(0, 10));
      if (keys) add(keys, String(keyId ?? 0), [1, status >= 400 ? 1 : 0, credits]);
    }
  }
  return counted;
}

function add(to: Map<string, CallCounts>, name: string, counts: CallCounts): void {
  const known = to.get(name);
  if (known) addCounts(known, counts);
  else to.set(name, [...counts]);
}

/** Most calls first, then by `order`; entries without a name come last among equals. */
const rankByCalls = (
  counted: ReadonlyMap<string, CallCounts>,
  order: (a: string, b: string) => number,
  isNameless: (name: string) => boolean,
): [string, CallCounts][] =>
  [...counted].sort(
    ([a, [callsOfA]], [b, [callsOfB]]) =>
      callsOfB - callsOfA || Number(isNameless(a)) - Number(isNameless(b)) || order(a, b),
  );

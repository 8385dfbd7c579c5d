import { ascending, quantileSorted } from 'd3-array';
import type { UsageCall, UsageReader } from '../../../accounts/usage/usage-reader.ts';
import { DAY, formatDate } from '../../../domain/primitives/time.ts';

/** What the calls of an account themselves say; days and names have counts of their own. */
export interface CallStatistics {
  readonly counted: number;
  /** Whether there are older calls that are not counted. */
  readonly isCut: boolean;
  /** Most calls first. */
  readonly statuses: readonly { readonly status: number; readonly calls: number; readonly credits: number }[];
  /** Null: no call. */
  readonly latency: Latency | null;
  /** Every UTC day up to today, oldest first; null: no call of that day is counted. */
  readonly days: readonly { readonly date: string; readonly latency: Latency | null }[];
}

/** Milliseconds that half of the calls, and 95 of 100, took at most. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

/** The newest calls that are looked at. */
export const MAX_COUNTED_CALLS = 20_000;

/** @param now milliseconds */
export async function readCallStatistics(
  usage: Pick<UsageReader, 'all'>,
  accountId: number,
  days: number,
  now: number,
): Promise<CallStatistics> {
  const dates = Array.from({ length: days }, (_, index) => formatDate(now - (days - 1 - index) * DAY));
  const byDate = new Map(dates.map((date): [string, number[]] => [date, []]));
  const statuses = new Map<number, { calls: number; credits: number }>();
  let counted = 0;
  for await (const { at, status, credits, milliseconds } of usage.all({ accountId, days }, MAX_COUNTED_CALLS)) {
    const day = byDate.get(at.slice(0, 10));
    // The first of the periods of 24 hours begins on the day before the first UTC day.
    if (!day) continue;
    counted++;
    day.push(milliseconds);
    const ofStatus = statuses.get(status) ?? { calls: 0, credits: 0 };
    ofStatus.calls++;
    ofStatus.credits += credits;
    statuses.set(status, ofStatus);
  }
  return {
    counted,
    isCut: counted === MAX_COUNTED_CALLS,
    statuses: [...statuses]
      .map(([status, counts]) => ({ status, ...counts }))
      .sort((a, b) => b.calls - a.calls || a.status - b.status),
    latency: latencyOf([...byDate.values()].flat()),
    days: [...byDate].map(([date, times]) => ({ date, latency: latencyOf(times) })),
  };
}

function latencyOf(milliseconds: readonly number[]): Latency | null {
  const inOrder = milliseconds.toSorted(ascending);
  const [p50, p95] = [quantileSorted(inOrder, 0.5), quantileSorted(inOrder, 0.95)];
  return p50 === undefined || p95 === undefined ? null : { p50, p95 };
}

const TOO_MANY_REQUESTS = 429;

/** The most calls of one key that were admitted within one minute of the clock. */
export async function busiestMinute(calls: AsyncIterable<UsageCall>): Promise<number> {
  const minutes = new Map<string, number>();
  let most = 0;
  for await (const { at, keyId, status } of calls) {
    if (keyId === null || status === TOO_MANY_REQUESTS) continue;
    const minute = `${keyId} ${at.slice(0, 16)}`;
    const count = (minutes.get(minute) ?? 0) + 1;
    minutes.set(minute, count);
    if (count > most) most = count;
  }
  return most;
}

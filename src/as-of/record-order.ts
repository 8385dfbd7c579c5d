import type { DomainRecord } from '../domain/domain-events.ts';
import { asObserved, compareObserved, type Observed } from '../domain/observed-order.ts';
import type { AsOf } from './as-of.ts';

/** A record in an order of which any moment is a prefix: all that stands at or before that moment. */
export type Placed = Observed;

export interface RecordOrder {
  /** @param original the record of this revision in the same stream */
  place(record: DomainRecord, original: (revision: number) => DomainRecord | undefined): Placed;
  compare(a: Placed, b: Placed): number;
}

/** By basis of `as_of`. */
export const RECORD_ORDERS: Readonly<Record<AsOf['basis'], RecordOrder>> = {
  recorded: {
    place: (record) => ({ record, at: Date.parse(record.recordedAt), rank: 0 }),
    compare: ({ record: a }, { record: b }) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0),
  },
  observed: { place: asObserved, compare: compareObserved },
};

/** Index behind the last one for which `isBefore` holds, in an order where it holds for a prefix. */
function endOfPrefix(placed: readonly Placed[], isBefore: (one: Placed) => boolean): number {
  let low = 0;
  let high = placed.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(placed[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many stand at or before a moment (milliseconds). */
export const countUntil = (placed: readonly Placed[], moment: number): number =>
  endOfPrefix(placed, ({ at }) => at <= moment);

/**
 * Adds records to a sorted list; those that are equal go behind. Changes `placed`.
 * @returns how many of its first entries stayed as they were
 */
export function insertPlaced(placed: Placed[], added: readonly Placed[], { compare }: RecordOrder): number {
  if (added.length === 0) return placed.length;
  const sorted = [...added].sort(compare);
  const first = sorted[0]!;
  const last = placed.at(-1);
  const kept =
    last === undefined || compare(last, first) <= 0
      ? placed.length
      : endOfPrefix(placed, (one) => compare(one, first) <= 0);
  const after = placed.splice(kept);
  let next = 0;
  for (const one of sorted) {
    while (next < after.length && compare(after[next]!, one) <= 0) placed.push(after[next++]!);
    placed.push(one);
  }
  while (next < after.length) placed.push(after[next++]!);
  return kept;
}

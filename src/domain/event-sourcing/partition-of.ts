import { fnv1a } from '../primitives/fnv1a.ts';

/**
 * The partition, out of `count`, for this key (`meta.partition`). Producers and consumers of every broker client must
 * compute the same value for ever, so this function must never change. FNV-1a of the key, then the finalizer of MurmurHash3: the remainder uses the low bits,
 * where FNV spreads similar keys badly.
 * @param count an integer from 1
 * @returns from 0 to `count` - 1
 */
export function partitionOf(key: string, count: number): number {
  if (!(Number.isSafeInteger(count) && count >= 1)) throw new RangeError(`not a number of partitions: ${count}`);
  let hash = fnv1a(key);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % count;
}

/** The name of the partition of a key, in a log with `count` partitions. @throws RangeError */
export const partitionName = (key: string, count: number): string => String(partitionOf(key, count));

/** The partition name of an undivided log. */
export const ONE_PARTITION = 'log';

const utf8 = new TextEncoder();

/**
 * Which of `count` partitions the facts with this key belong to (`meta.partition`). Whoever sends a record and whoever
 * waits for it must agree for ever, whatever client of a broker they use: so this never changes.
 * FNV-1a of 32 bits over the key in UTF-8 (http://www.isthe.com/chongo/tech/comp/fnv/), mixed with the finalizer of
 * MurmurHash3, since the remainder looks at the low bits, in which FNV spreads similar keys badly.
 * @param count a whole number from 1
 * @returns from 0 to `count` - 1
 */
export function partitionOf(key: string, count: number): number {
  if (!(Number.isSafeInteger(count) && count >= 1)) throw new RangeError(`not a number of partitions: ${count}`);
  let hash = 0x811c9dc5;
  for (const byte of utf8.encode(key)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % count;
}

/** How a partition is called of a log that is divided into `count` of them. @throws RangeError */
export const partitionName = (key: string, count: number): string => String(partitionOf(key, count));

/** The name of the partition of a log that is not divided. */
export const ONE_PARTITION = 'log';

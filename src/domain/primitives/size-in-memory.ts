/** Estimates the memory of a value in bytes: JSON values, maps and sets. */
export function memorySize(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 32;
  if (Array.isArray(value) || value instanceof Set) {
    for (const one of value) bytes += 8 + memorySize(one);
  } else if (value instanceof Map) {
    for (const [key, one] of value) bytes += 32 + memorySize(key) + memorySize(one);
  } else {
    for (const name in value) bytes += 8 + memorySize((value as Record<string, unknown>)[name]);
  }
  return bytes;
}

/** The estimated memory of a cache, in bytes. */
export interface CacheSize {
  readonly bytes: number;
  /** The limit in bytes; undefined if the cache is limited by something else. */
  readonly limit: number | undefined;
}

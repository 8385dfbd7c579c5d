/** About how many bytes of memory a value takes: of JSON, with maps and sets. */
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

/** What is kept in memory, about, in bytes. */
export interface CacheSize {
  readonly bytes: number;
  /** What it may come to; undefined where something else than bytes bounds it. */
  readonly limit: number | undefined;
}

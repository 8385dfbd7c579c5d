/** What is kept in memory, about, in bytes. */
export interface CacheSize {
  readonly bytes: number;
  /** What it may come to; undefined where something else than bytes bounds it. */
  readonly limit: number | undefined;
}

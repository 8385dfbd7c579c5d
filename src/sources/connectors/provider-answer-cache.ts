import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { entriesAtMost } from '../../platform/cache-bounds.ts';

/** An answer that allows a conditional request. */
export interface CachedProviderAnswer {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly body: string;
  /** When its messages were last ingested; milliseconds. */
  readonly readAt: number;
}

const MAX_BYTES = 48 * 1024 * 1024;
/** Number of URLs whose newest `Last-Modified` is remembered. */
const MAX_TIMES = 20_000;

/** Remembers the answers of URLs, so that a 304 can be read again and an outdated answer is recognised. */
export interface ProviderAnswerCache {
  get(url: string): CachedProviderAnswer | undefined;
  /** Forgets an answer that has neither `ETag` nor `Last-Modified`. */
  set(url: string, answer: CachedProviderAnswer): void;
  /** Whether an answer with this `Last-Modified` is older than one that was ingested already. */
  isStale(url: string, lastModified: string | undefined): boolean;
  noteLastModified(url: string, lastModified: string | undefined): void;
  readonly size: CacheSize;
}

export function createAnswerCache(maxBytes = MAX_BYTES): ProviderAnswerCache {
  const answers = new LRUCache<string, CachedProviderAnswer>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, url) => 500 + url.length + 2 * body.length,
  });
  const times = new LRUCache<string, number>(entriesAtMost(MAX_TIMES));
  const timeOf = (lastModified: string | undefined): number => Date.parse(lastModified ?? '');
  return {
    get: (url) => answers.get(url),
    set(url, answer) {
      if (answer.etag === undefined && answer.lastModified === undefined) answers.delete(url);
      else answers.set(url, answer);
    },
    isStale: (url, lastModified) => timeOf(lastModified) < (times.get(url) ?? Number.NEGATIVE_INFINITY),
    noteLastModified(url, lastModified) {
      const time = timeOf(lastModified);
      if (!Number.isNaN(time)) times.set(url, Math.max(time, times.get(url) ?? time));
    },
    get size() {
      return { bytes: answers.calculatedSize, limit: maxBytes };
    },
  };
}

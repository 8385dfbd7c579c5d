import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';

/** The fold of one stream up to a revision. It is changed in place when it continues, and cannot go back. */
export interface StreamFold {
  /** Revision of the last folded record; -1: none. */
  readonly revision: number;
  /** Approximate memory in bytes. */
  bytes(): number;
}

/**
 * Folds of streams at several revisions, so that readers at different positions of the log each continue from their own
 * fold. A reader behind all others begins a fold of its own. The least recently used folds are dropped first.
 */
export interface StreamFoldCache {
  readonly size: CacheSize;
  /** The furthest fold of this name up to `revision`. */
  findUpTo<Place extends StreamFold>(name: string, revision: number): Place | undefined;
  /** Keeps the fold, or measures it again if it is kept already. */
  put(name: string, place: StreamFold): void;
}

const BYTES = 32 * 1024 * 1024;

/** @param maxBytes approximate memory limit of all folds */
export function createStreamFoldCache(maxBytes: number = BYTES): StreamFoldCache {
  const byName = new Map<string, Set<StreamFold>>();
  const kept = new LRUCache<StreamFold, string>({
    maxSize: maxBytes,
    sizeCalculation: (_, place) => Math.max(1, place.bytes()),
    dispose(name, place) {
      const places = byName.get(name);
      places?.delete(place);
      if (places?.size === 0) byName.delete(name);
    },
  });

  return {
    get size() {
      return { bytes: kept.calculatedSize, limit: maxBytes };
    },
    findUpTo<Place extends StreamFold>(name: string, revision: number): Place | undefined {
      let found: StreamFold | undefined;
      for (const place of byName.get(name) ?? []) {
        if (place.revision <= revision && (!found || place.revision > found.revision)) found = place;
      }
      if (found) kept.get(found);
      return found as Place | undefined;
    },
    put(name, place) {
      // Set it again, since it has grown. A fold above the limit is dropped.
      kept.delete(place);
      kept.set(place, name);
      if (!kept.has(place)) return;
      const places = byName.get(name) ?? new Set();
      byName.set(name, places.add(place));
    },
  };
}

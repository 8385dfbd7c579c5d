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
  findUpTo<Fold extends StreamFold>(name: string, revision: number): Fold | undefined;
  /** Keeps the fold, or measures it again if it is kept already. */
  put(name: string, fold: StreamFold): void;
}

const BYTES = 32 * 1024 * 1024;

/** @param maxBytes approximate memory limit of all folds */
export function createStreamFoldCache(maxBytes: number = BYTES): StreamFoldCache {
  const byName = new Map<string, Set<StreamFold>>();
  const cache = new LRUCache<StreamFold, string>({
    maxSize: maxBytes,
    sizeCalculation: (_, fold) => Math.max(1, fold.bytes()),
    dispose(name, fold) {
      const folds = byName.get(name);
      folds?.delete(fold);
      if (folds?.size === 0) byName.delete(name);
    },
  });

  return {
    get size() {
      return { bytes: cache.calculatedSize, limit: maxBytes };
    },
    findUpTo<Fold extends StreamFold>(name: string, revision: number): Fold | undefined {
      let found: StreamFold | undefined;
      for (const fold of byName.get(name) ?? []) {
        if (fold.revision <= revision && (!found || fold.revision > found.revision)) found = fold;
      }
      if (found) cache.get(found);
      return found as Fold | undefined;
    },
    put(name, fold) {
      // Set it again, since it has grown. A fold above the limit is dropped.
      cache.delete(fold);
      cache.set(fold, name);
      if (!cache.has(fold)) return;
      const folds = byName.get(name) ?? new Set();
      byName.set(name, folds.add(fold));
    },
  };
}

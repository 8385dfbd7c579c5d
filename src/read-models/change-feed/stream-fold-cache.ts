import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';

/** What is known of one stream at one place of it. Going on changes it; nobody goes back with it. */
export interface StreamFold {
  /** Of the last record that it reflects; -1: none. */
  readonly revision: number;
  /** About how much memory it takes. */
  bytes(): number;
}

/**
 * Places of streams, so that readers who stand at different places of the log each go on from their own: one who is
 * behind all others begins a place of his own, which then is his. Those that nobody has used for long go first.
 */
export interface StreamFoldCache {
  readonly size: CacheSize;
  /** The furthest place of this name up to `revision`. */
  findUpTo<Place extends StreamFold>(name: string, revision: number): Place | undefined;
  /** Keeps it, or measures it anew where it is kept. */
  put(name: string, place: StreamFold): void;
}

const BYTES = 32 * 1024 * 1024;

/** @param maxBytes about how much memory all of them may take */
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
      // Anew, for it has grown. One that is larger than all may be is let go.
      kept.delete(place);
      kept.set(place, name);
      if (!kept.has(place)) return;
      const places = byName.get(name) ?? new Set();
      byName.set(name, places.add(place));
    },
  };
}

import { LRUCache } from 'lru-cache';
import type { DocumentAtPosition } from '../../domain/event-sourcing/document-fold.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { Derivation } from './document-reader.ts';

/** Room for the games of the seasons in use: about 3 MB for the largest. */
const MAX_BYTES = 48 * 1024 * 1024;
const BYTES_OF_ENTRY = 300;

interface CachedValue {
  readonly position: bigint;
  readonly made: unknown;
  readonly bytes: number;
}

/**
 * Values derived from documents. A value is valid while the position of its document stays the same. The least recently
 * used values are dropped first.
 */
export interface DerivedCache {
  /**
   * @param place names the document, its generation and the derivation
   * @param position position of the document now
   * @param read returns the document if the value is not cached
   */
  get<Doc, Made>(
    place: string,
    position: bigint,
    derivation: Derivation<Doc, Made>,
    read: () => DocumentAtPosition<Doc>,
  ): Made;
  /** The cached value of this place, and the position of its document. */
  peek(place: string): { readonly position: bigint; readonly made: unknown } | undefined;
  readonly size: CacheSize;
}

export function createDerivedCache(maxBytes = MAX_BYTES): DerivedCache {
  const cache = new LRUCache<string, CachedValue>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  return {
    get<Doc, Made>(
      place: string,
      position: bigint,
      derivation: Derivation<Doc, Made>,
      read: () => DocumentAtPosition<Doc>,
    ) {
      const cached = cache.get(place);
      if (cached?.position === position) return cached.made as Made;
      // The document may have changed since its position was read.
      const found = read();
      const made = derivation.derive(found.document);
      cache.set(place, { position: found.position, made, bytes: BYTES_OF_ENTRY + derivation.bytesOf(made) });
      return made;
    },
    peek: (place) => cache.get(place),
    get size() {
      return { bytes: cache.calculatedSize, limit: maxBytes };
    },
  };
}

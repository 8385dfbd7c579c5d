import { LRUCache } from 'lru-cache';
import type { DocumentAtPosition } from '../../domain/event-sourcing/document-fold.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { Derivation } from './document-reader.ts';

/** Room for the games of the seasons that are asked about: about 3 MB for the largest. */
const MAX_BYTES = 48 * 1024 * 1024;
const BYTES_OF_ENTRY = 300;

interface CachedValue {
  readonly position: bigint;
  readonly made: unknown;
  readonly bytes: number;
}

/** What was made of documents, as long as these stay as they are; the least used goes first. */
export interface DerivedCache {
  /**
   * @param place names the document and its build, and what is made of it
   * @param position of the document now
   * @param read gives the document where it is not kept
   */
  get<Doc, Made>(
    place: string,
    position: bigint,
    derivation: Derivation<Doc, Made>,
    read: () => DocumentAtPosition<Doc>,
  ): Made;
  /** What is kept for this place, and the position of the document that it was made of. */
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
      const kept = cache.get(place);
      if (kept?.position === position) return kept.made as Made;
      // It may have changed since it was looked at.
      const found = read();
      const made = derivation.of(found.document);
      cache.set(place, { position: found.position, made, bytes: BYTES_OF_ENTRY + derivation.bytesOf(made) });
      return made;
    },
    peek: (place) => cache.get(place),
    get size() {
      return { bytes: cache.calculatedSize, limit: maxBytes };
    },
  };
}

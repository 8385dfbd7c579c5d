/** One of several stored parts of something that was made from the log. */
export interface StoredPart {
  /** Orders the parts of a name. */
  readonly place: number;
  /** Read without the content. */
  readonly note: string;
  readonly content: Uint8Array;
}

/** A part that is not read yet. */
export interface ListedPart extends Pick<StoredPart, 'place' | 'note'> {
  /** Of its content. */
  readonly bytes: number;
}

/**
 * What was made from streams of the log and takes long to make again: times of records, and states of folds. All of it
 * is derived: any part may be missing or damaged, and losing it costs only time.
 */
export interface FoldStore {
  /** The parts of a name that this version has stored, in order of place. */
  list(name: string, version: string): Promise<readonly ListedPart[]>;
  /** The contents of some parts by place. Missing ones are left out. */
  read(name: string, places: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>>;
  /**
   * Removes parts of a name, and all that other versions have stored of it, and puts parts in the place of those that
   * stand there. When the store is full, the names that were written longest ago are removed as a whole.
   */
  write(name: string, version: string, put: readonly StoredPart[], removed: readonly number[]): Promise<void>;
}

/** Bytes of all contents together. */
export const MAX_STORED_BYTES = 512 * 1024 * 1024;

interface StoredName {
  version: string;
  readonly parts: Map<number, StoredPart>;
}

/** In memory, for tests and the server without files. @param maxBytes of all contents */
export function createMemoryFoldStore(maxBytes: number = MAX_STORED_BYTES): FoldStore {
  /** In the order in which they were written. */
  const names = new Map<string, StoredName>();
  const bytesOf = ({ parts }: StoredName) => [...parts.values()].reduce((sum, { content }) => sum + content.length, 0);
  return {
    async list(name, version) {
      const found = names.get(name);
      if (found?.version !== version) return [];
      return [...found.parts.values()]
        .sort((a, b) => a.place - b.place)
        .map(({ place, note, content }) => ({ place, note, bytes: content.length }));
    },
    async read(name, places) {
      const parts = names.get(name)?.parts;
      return new Map(places.flatMap((place) => (parts?.has(place) ? [[place, parts.get(place)!.content]] : [])));
    },
    async write(name, version, put, removed) {
      const known = names.get(name);
      const next = known?.version === version ? known : { version, parts: new Map() };
      for (const place of removed) next.parts.delete(place);
      for (const part of put) next.parts.set(part.place, part);
      names.delete(name);
      if (next.parts.size > 0) names.set(name, next);
      let bytes = [...names.values()].reduce((sum, one) => sum + bytesOf(one), 0);
      for (const [oldest, one] of names) {
        if (bytes <= maxBytes) break;
        bytes -= bytesOf(one);
        names.delete(oldest);
      }
    },
  };
}

import { LRUCache } from 'lru-cache';

/** When something was last told, by the message's own time in milliseconds, and what: contents by fingerprint. */
interface PublishedState {
  readonly at: number;
  readonly fingerprint: string;
}

/** Of an entry beside its key: the objects, and the room that the cache takes for it. */
const ENTRY_BYTES = 200;

/** What a provider told last of each subject, within a bound: what has not been told for the longest is forgotten. */
export class LastPublished {
  readonly #told: LRUCache<string, PublishedState>;
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
    this.#told = new LRUCache({ maxSize: limit, sizeCalculation: (_, key) => 2 * key.length + ENTRY_BYTES });
  }

  get bytes(): number {
    return this.#told.calculatedSize;
  }

  get(subject: string): PublishedState | undefined {
    return this.#told.get(subject);
  }

  set(subject: string, told: PublishedState): void {
    this.#told.set(subject, told);
  }

  clear(): void {
    this.#told.clear();
  }
}

/**
 * When a thing was true that says itself when it was changed: then, and never later than it arrived. A provider changes
 * contents without saying so, or says older times at times: what has changed since it was told is true from its
 * arrival on, and what has not is as true as it was.
 * @param stated in milliseconds
 */
export function changeTime(stated: number, arrivedAt: number, print: string, last: PublishedState | undefined): number {
  const at = Math.min(stated, arrivedAt);
  if (!last || at > last.at) return at;
  return last.fingerprint === print ? last.at : Math.max(arrivedAt, last.at);
}

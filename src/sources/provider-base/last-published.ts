import { LRUCache } from 'lru-cache';

/** Time of the last message, in milliseconds, and the fingerprint of its content. */
interface PublishedState {
  readonly at: number;
  readonly fingerprint: string;
}

/** Memory of an entry in addition to its key: the objects, and the cache's own data. */
const ENTRY_BYTES = 200;

/** The last message of each subject of a provider, within a memory limit: the subject published longest ago is
 *  forgotten first. */
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

  set(subject: string, state: PublishedState): void {
    this.#told.set(subject, state);
  }

  clear(): void {
    this.#told.clear();
  }
}

/**
 * When a change became true that states its own time: at that time, but never later than its arrival. Providers
 * sometimes change contents without a new time, or with an older one. Changed content is then true from its arrival on,
 * and unchanged content keeps its time.
 * @param stated in milliseconds
 */
export function changeTime(
  stated: number,
  arrivedAt: number,
  contentFingerprint: string,
  last: PublishedState | undefined,
): number {
  const at = Math.min(stated, arrivedAt);
  if (!last || at > last.at) return at;
  return last.fingerprint === contentFingerprint ? last.at : Math.max(arrivedAt, last.at);
}

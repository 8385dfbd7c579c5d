import { LRUCache } from 'lru-cache';
import { WINDOW_MS } from './limits.ts';
import { dropExpired, type Window } from './sliding-windows.ts';

interface AddressWindowsOptions {
  /** Maximum of calls of one address in 60 seconds. */
  readonly max: number;
  /** Approximate memory for all windows. The least recently used addresses are forgotten first. */
  readonly maxBytes: number;
}

/** For an address without calls. */
const EMPTY_BYTES = 200;

/** Calls of the last 60 seconds by address. Times are milliseconds of a monotonic clock. */
export class AddressWindows {
  readonly #max: number;
  readonly #windows: LRUCache<string, Window>;

  constructor({ max, maxBytes }: AddressWindowsOptions) {
    this.#max = max;
    this.#windows = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ times }, address) => EMPTY_BYTES + 2 * address.length + 8 * times.length,
    });
  }

  /** When a blocked address may call again; undefined if it may call now. */
  blockedUntil(address: string, now: number): number | undefined {
    const window = this.#windows.get(address);
    if (!window) return undefined;
    dropExpired(window, now);
    return window.times.length - window.first < this.#max ? undefined : window.times[window.first]! + WINDOW_MS;
  }

  count(address: string, now: number): void {
    const window = this.#windows.get(address) ?? { times: [], first: 0 };
    dropExpired(window, now);
    window.times.push(now);
    // Set again, since the cache measures an entry only when it is set.
    this.#windows.delete(address);
    this.#windows.set(address, window);
  }
}

import { LRUCache } from 'lru-cache';
import { WINDOW_MS } from './limits.ts';

interface AddressWindowsOptions {
  /** So many calls of one address in 60 seconds. */
  readonly most: number;
  /** About how much memory all windows may take. The addresses that were quiet longest are forgotten first. */
  readonly maxBytes: number;
}

/** Times in order; those before `first` have left. */
interface Window {
  times: number[];
  first: number;
}

/** Of an address without its calls. */
const EMPTY_BYTES = 200;

/** The calls of the last 60 seconds by address. Times are milliseconds of a clock that never goes back. */
export class AddressWindows {
  readonly #most: number;
  readonly #windows: LRUCache<string, Window>;

  constructor({ most, maxBytes }: AddressWindowsOptions) {
    this.#most = most;
    this.#windows = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ times }, address) => EMPTY_BYTES + 2 * address.length + 8 * times.length,
    });
  }

  /** When an address may call again that has made all its calls; undefined where it may call now. */
  blockedUntil(address: string, now: number): number | undefined {
    const window = this.#windows.get(address);
    if (!window) return undefined;
    dropExpired(window, now);
    return window.times.length - window.first < this.#most ? undefined : window.times[window.first]! + WINDOW_MS;
  }

  /** Counts a call of now. */
  count(address: string, now: number): void {
    const window = this.#windows.get(address) ?? { times: [], first: 0 };
    dropExpired(window, now);
    window.times.push(now);
    // Anew, for it has grown, and only what is new is measured.
    this.#windows.delete(address);
    this.#windows.set(address, window);
  }
}

function dropExpired(window: Window, now: number): void {
  const { times } = window;
  while (window.first < times.length && times[window.first]! <= now - WINDOW_MS) window.first++;
  // Rarely, so that leaving costs nothing each time.
  if (window.first > 64 && window.first * 2 > times.length) {
    times.splice(0, window.first);
    window.first = 0;
  }
}

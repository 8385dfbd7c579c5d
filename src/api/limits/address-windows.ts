import { LRUCache } from 'lru-cache';
import { countedNetworksOf } from '../../platform/client-networks.ts';
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

/**
 * Calls of the last 60 seconds by address, and by the wider networks of an IPv6 address. Times are milliseconds of a
 * monotonic clock.
 */
export class AddressWindows {
  readonly #max: number;
  readonly #windows: LRUCache<string, Window>;

  constructor({ max, maxBytes }: AddressWindowsOptions) {
    this.#max = max;
    this.#windows = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ times }, network) => EMPTY_BYTES + 2 * network.length + 8 * times.length,
    });
  }

  /** When a blocked address may call again; undefined if it may call now. */
  blockedUntil(address: string, now: number): number | undefined {
    const until = countedNetworksOf(address).flatMap(
      ({ network, times }) => this.#fullUntil(network, times, now) ?? [],
    );
    return until.length === 0 ? undefined : Math.max(...until);
  }

  #fullUntil(network: string, times: number, now: number): number | undefined {
    const window = this.#windows.get(network);
    if (!window) return undefined;
    dropExpired(window, now);
    const { first } = window;
    return window.times.length - first < this.#max * times ? undefined : window.times[first]! + WINDOW_MS;
  }

  count(address: string, now: number): void {
    for (const { network } of countedNetworksOf(address)) {
      const window = this.#windows.get(network) ?? { times: [], first: 0 };
      dropExpired(window, now);
      window.times.push(now);
      // Set again, since the cache measures an entry only when it is set.
      this.#windows.delete(network);
      this.#windows.set(network, window);
    }
  }
}

/** What each address has open or running now, counted for the wider networks of an IPv6 address too. */
export class AddressCounts {
  readonly #max: number;
  /** There are no more entries than things that are open. */
  readonly #counts = new Map<string, number>();

  /** @param max of one address */
  constructor(max: number) {
    this.#max = max;
  }

  isFull(address: string): boolean {
    return countedNetworksOf(address).some(
      ({ network, times }) => (this.#counts.get(network) ?? 0) >= this.#max * times,
    );
  }

  add(address: string): void {
    for (const { network } of countedNetworksOf(address))
      this.#counts.set(network, (this.#counts.get(network) ?? 0) + 1);
  }

  remove(address: string): void {
    for (const { network } of countedNetworksOf(address)) {
      const left = this.#counts.get(network)! - 1;
      if (left === 0) this.#counts.delete(network);
      else this.#counts.set(network, left);
    }
  }
}

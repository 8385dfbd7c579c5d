import { createMapsByLimit, type LimitName, WINDOW_MS, type WindowState } from './limits.ts';

/** Number of keys from which on empty windows are removed. */
const SWEEP_ABOVE = 10_000;

/** Bytes of a window with its map entry, and of a call in it. */
const BYTES_OF_WINDOW = 160;
const BYTES_OF_TIME = 8;

/** Sorted times; those before `first` have expired. */
export interface Window {
  times: number[];
  first: number;
}

/** Calls of the last 60 seconds, by key. Times are milliseconds. */
export interface SlidingWindows {
  /** Counts the call, unless the window already has `max` calls. */
  tryCount(of: LimitName, keyId: number, max: number, at: number): WindowState & { readonly isCounted: boolean };
  /** Removes one call of this time. */
  uncount(of: LimitName, keyId: number, at: number): WindowState;
  /** Counts a call without checking. */
  countAnyway(of: LimitName, keyId: number, at: number): void;
  /** The key with the most calls in its window; the first of several. */
  fullest(of: LimitName, keyIds: readonly number[], at: number): number;
  /** Replaces the second key's window by a copy of the first one's. */
  copy(of: LimitName, from: number, to: number, at: number): void;
  /** Approximate memory of all windows. */
  readonly bytes: number;
}

export function createSlidingWindows(): SlidingWindows {
  const windows = createMapsByLimit<Window>();

  function windowOf(what: LimitName, keyId: number, at: number): Window {
    const ofKeys = windows[what];
    const known = ofKeys.get(keyId);
    if (known) {
      dropExpired(known, at);
      return known;
    }
    if (ofKeys.size >= SWEEP_ABOVE) sweep(ofKeys, at);
    const window: Window = { times: [], first: 0 };
    ofKeys.set(keyId, window);
    return window;
  }

  return {
    get bytes() {
      let bytes = 0;
      for (const ofKeys of Object.values(windows)) {
        for (const { times } of ofKeys.values()) bytes += BYTES_OF_WINDOW + BYTES_OF_TIME * times.length;
      }
      return bytes;
    },
    tryCount(of, keyId, max, at) {
      const window = windowOf(of, keyId, at);
      const isCounted = size(window) < max;
      if (isCounted) insert(window, at);
      return { isCounted, counted: size(window), resetAt: resetAt(window, at) };
    },
    uncount(of, keyId, at) {
      const window = windowOf(of, keyId, at);
      const index = window.times.lastIndexOf(at);
      if (index >= window.first) window.times.splice(index, 1);
      return { counted: size(window), resetAt: resetAt(window, at) };
    },
    countAnyway(of, keyId, at) {
      insert(windowOf(of, keyId, Number.NEGATIVE_INFINITY), at);
    },
    fullest(of, keyIds, at) {
      const sizeOf = (keyId: number): number => {
        const window = windows[of].get(keyId);
        if (!window) return 0;
        dropExpired(window, at);
        return size(window);
      };
      return keyIds.reduce((fullest, keyId) => (sizeOf(keyId) > sizeOf(fullest) ? keyId : fullest));
    },
    copy(of, from, to, at) {
      const window = windows[of].get(from);
      if (window) dropExpired(window, at);
      const copied = window?.times.slice(window.first) ?? [];
      if (copied.length === 0) windows[of].delete(to);
      else Object.assign(windowOf(of, to, at), { times: copied, first: 0 });
    },
  };
}

const size = ({ times, first }: Window): number => times.length - first;

const resetAt = ({ times, first }: Window, at: number): number => (times[first] ?? at) + WINDOW_MS;

/** Usually appends; after the clock was set back the times must stay sorted. */
function insert(window: Window, at: number): void {
  const { times } = window;
  let index = times.length;
  while (index > window.first && times[index - 1]! > at) index--;
  if (index === times.length) times.push(at);
  else times.splice(index, 0, at);
}

export function dropExpired(window: Window, at: number): void {
  const { times } = window;
  while (window.first < times.length && times[window.first]! <= at - WINDOW_MS) window.first++;
  // Only from time to time, so that the cost is amortised.
  if (window.first > 64 && window.first * 2 > times.length) {
    times.splice(0, window.first);
    window.first = 0;
  }
}

function sweep(windows: Map<number, Window>, at: number): void {
  for (const [keyId, window] of windows) {
    dropExpired(window, at);
    if (size(window) === 0) windows.delete(keyId);
  }
}

import { type Counted, type Limited, type Limits, type RestorableLimits, WINDOW } from './limits.ts';

/** Keys whose windows are kept before empty ones are looked for. */
const SWEEP_ABOVE = 10_000;

/** Times in order; those before `first` have left. */
interface Window {
  times: number[];
  first: number;
}

export type MemoryLimits = Limits & RestorableLimits;

/** For one process that serves all keys. */
export function createMemoryLimits(): MemoryLimits {
  const windows = ofEach<Window>();
  const places = ofEach<number>();

  function windowOf(what: Limited, keyId: number, at: number): Window {
    const ofKeys = windows[what];
    const known = ofKeys.get(keyId);
    if (known) {
      leave(known, at);
      return known;
    }
    if (ofKeys.size >= SWEEP_ABOVE) sweep(ofKeys, at);
    const window: Window = { times: [], first: 0 };
    ofKeys.set(keyId, window);
    return window;
  }

  return {
    count(what, keyId, most, at) {
      const window = windowOf(what, keyId, at);
      const admitted = size(window) < most;
      if (admitted) insert(window, at);
      return state(window, at, admitted);
    },
    uncount(what, keyId, at) {
      const window = windowOf(what, keyId, at);
      const index = window.times.lastIndexOf(at);
      if (index >= window.first) window.times.splice(index, 1);
      return state(window, at, false);
    },
    restore(what, keyId, at) {
      insert(windowOf(what, keyId, Number.NEGATIVE_INFINITY), at);
    },
    enter(what, keyId, most) {
      const ofKeys = places[what];
      const taken = ofKeys.get(keyId) ?? 0;
      if (taken >= most) return undefined;
      ofKeys.set(keyId, taken + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = ofKeys.get(keyId)! - 1;
        if (left === 0) ofKeys.delete(keyId);
        else ofKeys.set(keyId, left);
      };
    },
  };
}

const ofEach = <T>(): Record<Limited, Map<number, T>> => ({
  requests: new Map(),
  score_poll: new Map(),
  slip_grading: new Map(),
  streams: new Map(),
});

const size = ({ times, first }: Window): number => times.length - first;

function state(window: Window, at: number, admitted: boolean): Counted {
  return { admitted, counted: size(window), resetAt: (window.times[window.first] ?? at) + WINDOW };
}

/** Mostly behind the last one; a clock that was set back must not put times out of order. */
function insert(window: Window, at: number): void {
  const { times } = window;
  let index = times.length;
  while (index > window.first && times[index - 1]! > at) index--;
  if (index === times.length) times.push(at);
  else times.splice(index, 0, at);
}

function leave(window: Window, at: number): void {
  const { times } = window;
  while (window.first < times.length && times[window.first]! <= at - WINDOW) window.first++;
  // Rarely, so that leaving costs nothing each time.
  if (window.first > 64 && window.first * 2 > times.length) {
    times.splice(0, window.first);
    window.first = 0;
  }
}

function sweep(windows: Map<number, Window>, at: number): void {
  for (const [keyId, window] of windows) {
    leave(window, at);
    if (size(window) === 0) windows.delete(keyId);
  }
}

import { MINUTE, SECOND } from '../primitives/time.ts';
import { type SpendingWindow, WINDOW } from './spending-window.ts';

/** What keys with a daily cap have spent in the last 24 hours, by the id of the key. */
export type KeySpending = Record<string, SpendingWindow>;

/** A window with this many entries takes charges by the minute. So a key has fewer than 4,500 entries. */
const MAX_FINE_ENTRIES = 3000;

/**
 * Charges of the same second, or minute, are merged under the later time: they count longer rather than shorter.
 * @param at milliseconds
 */
export function addKeySpending(all: KeySpending, keyId: number, at: number, credits: number): void {
  const known = all[keyId];
  if (!known) dropEnded(all, at);
  all[keyId] = known ? added(known, at, credits) : [[at, credits]];
}

function added(window: SpendingWindow, at: number, credits: number): SpendingWindow {
  const last = window.at(-1);
  // Several processes charge: the order of the log is not quite that of their clocks.
  const time = Math.max(at, last?.[0] ?? at);
  const width = window.length < MAX_FINE_ENTRIES ? SECOND : MINUTE;
  if (last && Math.floor(last[0] / width) === Math.floor(time / width)) {
    last[0] = time;
    last[1] += credits;
  } else window.push([time, credits]);
  const first = window.findIndex(([charged]) => charged > at - WINDOW);
  return first > 0 ? window.slice(first) : window;
}

/** A refunded charge frees the cap. @param chargedAt milliseconds */
export function refundKeySpending(
  all: KeySpending,
  keyId: number,
  {
    chargedAt,
    refundedAt,
    credits,
  }: { readonly chargedAt: number; readonly refundedAt: number; readonly credits: number },
): void {
  const window = all[keyId];
  // An older charge counts no more.
  if (!window || chargedAt <= refundedAt - WINDOW) return;
  let left = credits;
  for (const entry of window) {
    if (entry[0] < chargedAt || left === 0) continue;
    const freed = Math.min(left, entry[1]);
    entry[1] -= freed;
    left -= freed;
  }
  const rest = window.filter(([, spent]) => spent > 0);
  if (rest.length > 0) all[keyId] = rest;
  else delete all[keyId];
}

/** Keys that no longer call must not stay for ever. */
function dropEnded(all: KeySpending, at: number): void {
  for (const [keyId, window] of Object.entries(all)) if (window.at(-1)![0] <= at - WINDOW) delete all[keyId];
}

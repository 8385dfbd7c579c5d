import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Items that are sorted or merged at once: few enough for a comparison that is slow. */
const PIECE = 128;

/**
 * A sorted copy of a long list, which yields to the event loop between small pieces of work. Equal items keep their
 * order, as with `Array.prototype.sort`.
 */
export async function sortInTurns<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += PIECE) {
    runs.push(items.slice(from, from + PIECE).sort(compare));
    await yieldToEventLoop();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index]!, runs[index + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const merged: T[] = [];
  // Lists that come nearly sorted are only joined.
  if (right.length === 0 || left.length === 0 || compare(left.at(-1)!, right[0]!) <= 0) return [...left, ...right];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    merged.push(compare(left[l]!, right[r]!) <= 0 ? left[l++]! : right[r++]!);
    if (merged.length % PIECE === 0) await yieldToEventLoop();
  }
  return [...merged, ...left.slice(l), ...right.slice(r)];
}

interface ClockOffsetParts {
  /** Asks the server for its time, in milliseconds. */
  readonly readServerTime: () => Promise<number>;
  /** This process's clock on the wall, and one that never goes back. Milliseconds. */
  readonly now: () => number;
  readonly steadyNow: () => number;
}

/** How long a measurement holds: clocks drift by less than a millisecond meanwhile, and a clock that is set leaps. */
const HOLDS_FOR_MS = 5000;

/**
 * By how many milliseconds the server's clock is ahead of this process's: measured when it is asked for, and again after
 * some seconds. Half of the way there and back is taken off.
 */
export function createClockOffset({ readServerTime, now, steadyNow }: ClockOffsetParts): () => Promise<number> {
  let known: { readonly offset: number; readonly at: number } | undefined;
  let measuring: Promise<number> | undefined;

  async function measure(): Promise<number> {
    const before = steadyNow();
    const told = await readServerTime();
    const after = steadyNow();
    const offset = told + (after - before) / 2 - now();
    known = { offset, at: after };
    return offset;
  }

  return async () => {
    if (known && steadyNow() - known.at < HOLDS_FOR_MS) return known.offset;
    measuring ??= measure().finally(() => {
      measuring = undefined;
    });
    return measuring;
  };
}

interface ClockOffsetParts {
  /** Asks the server for its time, in milliseconds. */
  readonly readServerTime: () => Promise<number>;
  /** This process's wall clock and a monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly steadyNow: () => number;
}

/** How long a measurement is used. Clocks drift by less than a millisecond meanwhile; a clock that is set jumps. */
const HOLDS_FOR_MS = 5000;

/**
 * By how many milliseconds the server's clock is ahead of this process's clock. Measured on demand, and again after
 * some seconds. Assumes that the server's reading is from the middle of the round trip.
 */
export function createClockOffset({ readServerTime, now, steadyNow }: ClockOffsetParts): () => Promise<number> {
  let known: { readonly offset: number; readonly at: number } | undefined;
  let measuring: Promise<number> | undefined;

  async function measure(): Promise<number> {
    const before = steadyNow();
    const serverTime = await readServerTime();
    const after = steadyNow();
    const offset = serverTime + (after - before) / 2 - now();
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

import { monitorEventLoopDelay } from 'node:perf_hooks';

type Quantile = '0.5' | '0.99' | '1';

/** How late timers fire. */
interface LoopDelay {
  /** Delays in seconds by quantile, since the last call; empty at the first. */
  take(): Readonly<Partial<Record<Quantile, number>>>;
  stop(): void;
}

/** The interval of the timers, in milliseconds. */
const RESOLUTION = 20;

/** Watches from the first call of `take` on: its timers would wake a machine fifty times a second for nobody. */
export function watchLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  // Node records the time between two timers, so subtract the interval.
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000);
  return {
    take() {
      // True if it was not enabled before.
      if (histogram.enable()) return {};
      const { count, max } = histogram;
      const taken = {
        '0.5': seconds(count > 0 ? histogram.percentile(50) : 0),
        '0.99': seconds(count > 0 ? histogram.percentile(99) : 0),
        '1': seconds(count > 0 ? max : 0),
      };
      histogram.reset();
      return taken;
    },
    stop: () => void histogram.disable(),
  };
}

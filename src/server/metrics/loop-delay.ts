import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How late timers fire. */
interface LoopDelay {
  /** Delays in seconds by quantile, since the last call. */
  take(): Readonly<Record<'0.5' | '0.99' | '1', number>>;
  stop(): void;
}

/** The interval of the timers, in milliseconds. A shorter one would wake an idle machine more often. */
const RESOLUTION = 20;

export function watchLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  // Node records the time between two timers, so subtract the interval.
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000);
  return {
    take() {
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

import type { CallMetrics } from '../../api/calls/pipeline/call-metrics.ts';
import { createDurationHistogram, type DurationHistogram } from '../../platform/async/duration-histogram.ts';

/** Counts of one operation. */
interface OfOperation {
  /** By class of status: index 2 counts 200 to 299. */
  readonly byClass: number[];
  /** Undefined before the first call that is no stream. */
  latency: DurationHistogram | undefined;
}

export interface CallCounts extends CallMetrics {
  readonly requests: Iterable<readonly [operation: string, status: string, number: number]>;
  readonly latencies: Iterable<readonly [operation: string, tally: DurationHistogram]>;
  readonly refusals: ReadonlyMap<string, number>;
}

/** The name for calls without an operation. */
const NONE = 'none';
const CLASSES = 6;

/**
 * Counts calls in plain numbers. The library's counters take microseconds for each call, since they search their labels each
 * time. There are few operation names, since calls that fit none share one.
 */
export function createCallCounts(now = () => performance.now()): CallCounts {
  const operations = new Map<string, OfOperation>();
  const refusals = new Map<string, number>();

  function of(operation: string): OfOperation {
    let known = operations.get(operation);
    if (!known) {
      known = { byClass: new Array<number>(CLASSES).fill(0), latency: undefined };
      operations.set(operation, known);
    }
    return known;
  }

  return {
    now,
    recordCall(operation, kind, status, milliseconds) {
      const known = of(operation ?? NONE);
      known.byClass[Math.trunc(status / 100)]!++;
      if (kind === 'stream') return;
      known.latency ??= createDurationHistogram();
      known.latency.add(milliseconds);
    },
    recordError: (code) => void refusals.set(code, (refusals.get(code) ?? 0) + 1),
    get requests() {
      return [...operations].flatMap(([operation, { byClass }]) =>
        byClass.flatMap((number, index) => (number > 0 ? [[operation, `${index}xx`, number] as const] : [])),
      );
    },
    get latencies() {
      return [...operations].flatMap(([operation, { latency }]) => (latency ? [[operation, latency] as const] : []));
    },
    refusals,
  };
}

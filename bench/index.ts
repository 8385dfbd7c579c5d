import { asOf } from './as-of.ts';
import type { Benchmark } from './benchmark.ts';
import { eventDetail } from './event-detail.ts';

/** In the order in which they run. */
export const benchmarks: readonly Benchmark[] = [eventDetail, asOf];

import { asOf } from './as-of.ts';
import type { Benchmark } from './benchmark.ts';
import { eventDetail } from './event-detail.ts';
import { eventList } from './event-list.ts';
import { stream } from './stream.ts';

/** In the order in which they run. */
export const benchmarks: readonly Benchmark[] = [eventDetail, eventList, asOf, stream];

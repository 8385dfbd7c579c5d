import { append } from './append.ts';
import { asOf } from './as-of.ts';
import type { Benchmark } from './benchmark.ts';
import { eventDetail } from './event-detail.ts';
import { eventList } from './event-list.ts';
import { fanOut } from './fan-out.ts';
import { importing } from './import.ts';
import { metering } from './metering.ts';
import { rebuild } from './rebuild.ts';
import { stream } from './stream.ts';
import { webhooks } from './webhooks.ts';

/** In the order in which they run. */
export const benchmarks: readonly Benchmark[] = [
  append,
  importing,
  rebuild,
  eventDetail,
  eventList,
  asOf,
  stream,
  fanOut,
  metering,
  webhooks,
];

import { Counter, Gauge, type Metric, type MetricValueWithName, Registry } from 'prom-client';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { DURATION_BOUNDS, type DurationHistogram } from '../../platform/async/duration-histogram.ts';
import type { Definition } from './metric-definitions.ts';

export type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];
export type Read = () => Awaitable<Iterable<Sample>>;

/** Metrics that are read when they are scraped. */
export interface MetricRegistry {
  add(definition: Definition, read: Read): void;
  addDurations(definition: Definition, read: () => Iterable<readonly [Labels, DurationHistogram]>): void;
  /** Failures to read, by metric. */
  readonly failures: ReadonlyMap<string, number>;
  /** The present values in Prometheus' text format. */
  scrape(): Promise<{ readonly type: string; readonly body: string }>;
}

/** @param onError called for each metric that could not be read. One failure must not lose the other metrics. */
export function createMetricRegistry(onError: (error: unknown) => void): MetricRegistry {
  const registry = new Registry();
  const failures = new Map<string, number>();

  function add({ name, type, labels, help }: Definition, read: Read): void {
    const config = { name, help, labelNames: [...labels], registers: [registry] };
    const samples = async (): Promise<Iterable<Sample>> => {
      try {
        return await read();
      } catch (error) {
        failures.set(name, (failures.get(name) ?? 0) + 1);
        onError(error);
        return [];
      }
    };
    if (type === 'gauge') {
      new Gauge({
        ...config,
        async collect() {
          empty(this, labels);
          for (const [given, value] of await samples()) this.set(given, value);
        },
      });
    } else {
      new Counter({
        ...config,
        async collect() {
          empty(this, labels);
          for (const [given, value] of await samples()) this.inc(given, value);
        },
      });
    }
  }

  return {
    add,
    addDurations: (definition, read) => registry.registerMetric(durationMetric(definition, read)),
    failures,
    scrape: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
}

/** Removes the 0 with which the library starts a metric without labels, since nobody measured it. */
function empty(metric: Gauge | Counter, labels: readonly string[]): void {
  metric.reset();
  if (labels.length === 0) metric.remove();
}

export const one = (value: number): readonly Sample[] => [[{}, value]];

export const byName = (label: string, values: Iterable<readonly [string, number]>): readonly Sample[] =>
  [...values].map(([name, value]) => [{ [label]: name }, value]);

/**
 * Histograms that were counted elsewhere. The library's own histogram takes durations one by one only. A registry asks a
 * metric for its name and its values, and for nothing else.
 * @param read the histograms, each with its labels
 */
function durationMetric(
  { name, help }: Definition,
  read: () => Iterable<readonly [labels: Labels, tally: DurationHistogram]>,
): Metric {
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...read()].flatMap(([labels, tally]) => valuesOf(name, labels, tally)),
  });
  return { name, help, get, reset() {} } as unknown as Metric;
}

function valuesOf(name: string, labels: Labels, { counts, sum }: DurationHistogram): MetricValueWithName<string>[] {
  let count = 0;
  const buckets = [...DURATION_BOUNDS, '+Inf'].map((le, index) => {
    count += counts[index]!;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

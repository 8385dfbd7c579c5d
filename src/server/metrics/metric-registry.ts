import { Counter, Gauge, Registry } from 'prom-client';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import type { DurationHistogram } from '../../platform/async/duration-histogram.ts';
import { durationMetric } from './duration-metric.ts';
import type { Definition } from './metric-definitions.ts';

export type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];
export type Read = () => Awaitable<Iterable<Sample>>;

/** Metrics that are read when they are asked for. */
export interface MetricRegistry {
  add(definition: Definition, read: Read): void;
  addDurations(definition: Definition, read: () => Iterable<readonly [Labels, DurationHistogram]>): void;
  /** How often each could not be read, by name. */
  readonly failures: ReadonlyMap<string, number>;
  /** As Prometheus reads them, of now. */
  scrape(): Promise<{ readonly type: string; readonly body: string }>;
}

/** @param onError told of what a scrape had to leave out: one that fails must not take the others with it */
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

/** The library begins what has no labels with 0, which nobody has measured. */
function empty(metric: Gauge | Counter, labels: readonly string[]): void {
  metric.reset();
  if (labels.length === 0) metric.remove();
}

export const one = (value: number): readonly Sample[] => [[{}, value]];

export const byName = (label: string, values: Iterable<readonly [string, number]>): readonly Sample[] =>
  [...values].map(([name, value]) => [{ [label]: name }, value]);

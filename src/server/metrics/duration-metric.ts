import type { Metric, MetricValueWithName } from 'prom-client';
import { DURATION_BOUNDS, type DurationHistogram } from '../../platform/async/duration-histogram.ts';
import type { Definition } from './metric-definitions.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Tallies as a histogram of the library, which can only be told of durations one by one. A registry asks a metric for
 * nothing but its name and its values.
 * @param read the tallies, each with its labels
 */
export function durationMetric(
  { name, help }: Definition,
  read: () => Iterable<readonly [labels: Labels, tally: DurationHistogram]>,
): Metric {
  const get = async () => ({
    ...{ name, help, type: 'histogram', aggregator: 'sum' },
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

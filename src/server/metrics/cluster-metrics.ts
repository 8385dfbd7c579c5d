import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { withFormerNames } from './former-cache-names.ts';
import { type Definition, METRICS } from './metric-definitions.ts';
import { createMetricRegistry, type MetricRegistry, one, type Read, type Sample } from './metric-registry.ts';

const define = (type: Definition['type'], name: string, labels: readonly string[], help: string): Definition => ({
  name,
  type,
  labels,
  help,
});

/** The metrics of a cluster process, as far as its roles have them. */
export const CLUSTER_METRICS = {
  info: define('gauge', 'ledgerline_info', ['version', 'roles'], '1; which version plays which roles here'),
  engineUp: define(
    'gauge',
    'ledgerline_engine_up',
    ['engine'],
    '1 where the engine has answered when it was asked last',
  ),
  clockOffset: define(
    'gauge',
    'ledgerline_clock_offset_seconds',
    [],
    "How far this process's clock is ahead of the registry's; without a sample before it was asked",
  ),
  roundTrips: define(
    'counter',
    'ledgerline_engine_round_trips_total',
    ['engine'],
    'Requests to the engine, those included that find out whether it is there; of the broker those that read, and transactions',
  ),
  projectionLag: define(
    'gauge',
    'ledgerline_projection_lag_seconds',
    ['projection', 'partition'],
    'From the recording of the last record that the partition of the projection holds to that of the last one there is',
  ),
  consumerLag: define(
    'gauge',
    'ledgerline_consumer_lag_records',
    ['group', 'topic', 'partition'],
    'Records of a topic that the group has yet to take',
  ),
  deadLetters: define(
    'counter',
    'ledgerline_dead_letters_total',
    ['code'],
    'Messages of the topic that were refused and are kept as dead letters, by code of the reason',
  ),
  partitions: define(
    'gauge',
    'ledgerline_partitions_assigned',
    ['group'],
    'Partitions that this process has of the group',
  ),
  requests: define(
    'counter',
    'ledgerline_http_requests_total',
    ['operation', 'status'],
    'Calls with a key that have ended, by operation and class of status',
  ),
  records: define('counter', 'ledgerline_records_appended_total', [], 'Records that this process has appended'),
  webhooksPending: define('gauge', 'ledgerline_webhooks_pending', [], 'Messages of webhooks that wait for an attempt'),
  streams: define('gauge', 'ledgerline_open_streams', [], 'Streams that are open at this process'),
  cache: METRICS.cache,
  cacheLimit: METRICS.cacheLimit,
  memory: define('gauge', 'process_resident_memory_bytes', [], 'Memory of the process'),
  cpu: define('counter', 'process_cpu_seconds_total', [], 'Processor time, of the system too'),
} as const satisfies Readonly<Record<string, Definition>>;

type ClusterReads = { readonly [Name in keyof typeof CLUSTER_METRICS]?: Read };

/** Adds metrics of a source. They replace the metrics that the same source added before. */
export type Measure = (reads: ClusterReads, source: string) => void;

/** Creates the metrics of a cluster process. A metric without a reader is left out. */
export function createClusterMetrics(
  onError: (error: unknown) => void,
): Pick<MetricRegistry, 'scrape'> & { readonly add: Measure } {
  const registry = createMetricRegistry(onError);
  const known = new Map<string, Map<string, Read>>();
  const readAll = async (reads: ReadonlyMap<string, Read>): Promise<Sample[]> => {
    const samples = await Promise.all([...reads.values()].map((read) => read()));
    return samples.flatMap((some) => [...some]);
  };
  const add: Measure = (reads, source) => {
    for (const [name, read] of Object.entries(reads)) {
      let sources = known.get(name);
      if (!sources) {
        const added = new Map<string, Read>();
        registry.add(CLUSTER_METRICS[name as keyof typeof CLUSTER_METRICS], () => readAll(added));
        known.set(name, added);
        sources = added;
      }
      sources.set(source, read);
    }
  };
  add(
    {
      memory: () => one(process.memoryUsage.rss()),
      cpu: () => {
        const { user, system } = process.cpuUsage();
        return one((user + system) / 1e6);
      },
    },
    'process',
  );
  return { scrape: registry.scrape, add };
}

/** How many messages of a partition a consumer group has yet to read. */
interface GroupLag {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly messages: number;
}

export const lagSample = ({ group, topic, partition, messages }: GroupLag): Sample => [
  { group, topic, partition: String(partition) },
  messages,
];

/** The sizes of caches in memory, by name. */
export function cacheReads(
  caches: Readonly<Record<string, () => CacheSize>>,
): Pick<ClusterReads, 'cache' | 'cacheLimit'> {
  const sizes = () => Object.entries(withFormerNames(caches)).map(([cache, size]) => ({ cache, ...size() }));
  return {
    cache: () => sizes().map(({ cache, bytes }) => [{ cache }, bytes] as const),
    cacheLimit: () => sizes().flatMap(({ cache, limit }) => (limit === undefined ? [] : [[{ cache }, limit] as const])),
  };
}

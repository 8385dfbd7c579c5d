import { getHeapStatistics } from 'node:v8';
import { toPositionOrNull } from '../../domain/event-sourcing/position.ts';
import type { ProjectionStatus } from '../../read-models/projector/projection-status.ts';
import { watchLoopDelay } from './loop-delay.ts';
import { type Definition, METRICS } from './metric-definitions.ts';
import type { DiskReading, MetricInputs } from './metric-inputs.ts';
import { byName, createMetricRegistry, type Labels, one, type Sample } from './metric-registry.ts';

/** All metrics of one server. */
export interface Metrics {
  /** As Prometheus reads them, of now. */
  scrape(): Promise<{ readonly type: string; readonly body: string }>;
  /** Measures nothing any more. */
  close(): void;
}

const PROJECTION_STATES = ['catching-up', 'live', 'stopped'] as const;
const FEED_STATES = ['starting', 'ok', 'failing', 'drift', 'exhausted', 'standby'] as const;
const FOLLOWER_STATES = [...PROJECTION_STATES, 'idle'] as const;

/**
 * A registry of its own for each server: the library's global one would mix those of a process. The library's default
 * metrics are not among them: they list every socket and every open file in one go, which holds the event loop where
 * there are thousands. What of them tells something is measured here, under the same names.
 * @param onError told of what a scrape had to leave out
 */
export function createMetrics(subjects: MetricInputs, onError: (error: unknown) => void): Metrics {
  const { add, addDurations, failures, scrape } = createMetricRegistry(onError);
  const loopDelay = watchLoopDelay();

  addCalls();
  addLog();
  addFollowers();
  addMemoryAndDisk();
  addWebhooks();
  addFeeds(subjects.feeds ?? (() => []));
  addProcess();
  // They are asked together: what fails in this scrape shows in the next one.
  add(METRICS.scrapeErrors, () => byName('metric', failures));

  function addCalls(): void {
    const { calls, credits, ingest } = subjects;
    add(METRICS.requests, () =>
      [...calls.requests].map(([operation, status, number]) => [{ operation, status }, number] as const),
    );
    addDurations(METRICS.latency, () =>
      [...calls.latencies].map(([operation, tally]) => [{ operation }, tally] as const),
    );
    add(METRICS.refusals, () => byName('code', calls.refusals));
    add(METRICS.credits, () => one(credits()));
    add(METRICS.messages, () => byName('outcome', Object.entries(ingest.messages)));
    addDurations(METRICS.ingest, () => [[{}, ingest.durations]]);
    add(METRICS.streams, () => byName('kind', Object.entries(subjects.openStreams())));
  }

  function addLog(): void {
    const { appendStats } = subjects.log;
    add(METRICS.groups, () => (appendStats ? one(appendStats.commits) : []));
    add(METRICS.records, () => (appendStats ? one(appendStats.records) : []));
    addDurations(METRICS.flushes, () => (appendStats ? [[{}, appendStats.flushDurations]] : []));
    add(METRICS.quarantined, async () => one(await subjects.quarantined()));
  }

  function addFollowers(): void {
    const { log, projections, followers } = subjects;
    add(byPlace(METRICS.projectionLag), () =>
      projections().map((status) => [placeLabels(status), status.lag_events] as const),
    );
    add(byPlace(METRICS.projectionLagSeconds), () =>
      projections().map((status) => [placeLabels(status), status.lag_seconds] as const),
    );
    add(byPlace(METRICS.projectionState), () =>
      projections().flatMap((status) => stateSamples(placeLabels(status), status.state, PROJECTION_STATES)),
    );
    add(METRICS.followerLag, async () => {
      const head = await log.head();
      return followers().flatMap(({ name, position, state }) => {
        const lag = state === 'idle' ? 0 : log.countBetween(toPositionOrNull(position), head);
        return lag === null ? [] : [[{ follower: name }, Math.max(0, lag)] as const];
      });
    });
    add(METRICS.followerState, () =>
      followers().flatMap(({ name, state }) => stateSamples({ follower: name }, state, FOLLOWER_STATES)),
    );
  }

  function addFeeds(feeds: NonNullable<MetricInputs['feeds']>): void {
    add(METRICS.feedRequests, () =>
      feeds().flatMap(({ name: feed, requests }) =>
        Object.entries(requests).map(([outcome, number]) => [{ feed, outcome }, number] as const),
      ),
    );
    add(METRICS.feedMessages, () =>
      feeds().flatMap(({ name: feed, messages }) =>
        messages.map(({ kind, outcome, number }) => [{ feed, kind, outcome }, number] as const),
      ),
    );
    add(METRICS.feedLag, () =>
      feeds().flatMap(({ name: feed, lagSeconds }) => (lagSeconds === null ? [] : [[{ feed }, lagSeconds] as const])),
    );
    add(METRICS.feedState, () =>
      feeds().flatMap(({ name: feed, state }) => stateSamples({ feed }, state, FEED_STATES)),
    );
    add(METRICS.feedBudget, () =>
      feeds().flatMap(({ name: feed, budgetRemaining }) =>
        budgetRemaining === null ? [] : [[{ feed }, budgetRemaining] as const],
      ),
    );
  }

  function addMemoryAndDisk(): void {
    const caches = Object.entries(subjects.caches);
    add(METRICS.cache, () => caches.map(([cache, size]) => [{ cache }, size().bytes] as const));
    add(METRICS.cacheLimit, () =>
      caches.flatMap(([cache, size]) => {
        const { limit } = size();
        return limit === undefined ? [] : [[{ cache }, limit] as const];
      }),
    );
    const disk = onceAtATime<DiskReading | undefined>(async () => subjects.disk?.());
    add(METRICS.disk, async () => byName('file', Object.entries((await disk())?.files ?? {})));
    add(METRICS.free, async () => {
      const use = await disk();
      return use ? one(use.free) : [];
    });
  }

  function addWebhooks(): void {
    add(METRICS.owed, async () => one(await subjects.webhooksOwed()));
    add(METRICS.attempts, () => byName('outcome', Object.entries(subjects.webhookAttempts())));
  }

  function addProcess(): void {
    const started = Date.now() / 1000 - process.uptime();
    add(METRICS.build, () => [[{ version: subjects.version, node: process.versions.node }, 1]]);
    add(METRICS.loopDelay, () => byName('quantile', Object.entries(loopDelay.take())));
    add(METRICS.cpu, () => {
      const { user, system } = process.cpuUsage();
      return one((user + system) / 1e6);
    });
    add(METRICS.started, () => one(started));
    add(METRICS.resident, () => one(process.memoryUsage.rss()));
    add(METRICS.heapUsed, () => one(getHeapStatistics().used_heap_size));
    add(METRICS.heapTotal, () => one(getHeapStatistics().total_heap_size));
    add(METRICS.heapLimit, () => one(getHeapStatistics().heap_size_limit));
    add(METRICS.external, () => one(getHeapStatistics().external_memory));
  }

  return { scrape, close: loopDelay.stop };
}

/** Where several instances divide the log, each tells of its partitions. */
const byPlace = (definition: Definition): Definition => ({
  ...definition,
  labels: [...definition.labels, 'partition'],
});

const placeLabels = ({ name, partition }: Pick<ProjectionStatus, 'name' | 'partition'>): Labels =>
  partition === undefined ? { projection: name } : { projection: name, partition };

const stateSamples = (labels: Labels, state: string, states: readonly string[]): readonly Sample[] =>
  states.map((one) => [{ ...labels, state: one }, Number(one === state)]);

/** Those who ask while it is under way share its answer. */
function onceAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let under: Promise<T> | undefined;
  return () => {
    under ??= ask().finally(() => {
      under = undefined;
    });
    return under;
  };
}

import { getHeapStatistics } from 'node:v8';
import type { MemoryLimits } from '../../api/limits/memory-limits.ts';
import type { ChangeHub } from '../../api/streams/change-hub.ts';
import type { ChangeStreams } from '../../api/streams/change-stream-route.ts';
import type { ScoreHub } from '../../api/streams/score-hub.ts';
import type { ScoreStreams } from '../../api/streams/score-stream-route.ts';
import { toPositionOrNull } from '../../domain/event-sourcing/position.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { MarketQualities } from '../../forecasting/facts/market-qualities.ts';
import type { PriceFolds } from '../../forecasting/facts/price-folds.ts';
import type { IntelligencePublisher } from '../../forecasting/publishing/intelligence-publisher.ts';
import type { TrackRecordService } from '../../forecasting/track-record/track-record-service.ts';
import { readDiskUsage } from '../../platform/data-folder/disk-space.ts';
import type { DocumentHistory } from '../../read-models/as-of/document-history.ts';
import type { ChangeFeed } from '../../read-models/change-feed/change-feed.ts';
import type { StreamFoldCache } from '../../read-models/change-feed/stream-fold-cache.ts';
import type { ProjectionStatus } from '../../read-models/projector/projection-status.ts';
import { CONNECTOR_STATES } from '../../sources/connectors/connector-state.ts';
import type { Connectors } from '../../sources/connectors/connectors.ts';
import type { LivePage } from '../../web/live/live-page.ts';
import type { Webhooks } from '../../webhooks/open-webhooks.ts';
import type { BackupReport } from '../backup/backup-thread.ts';
import type { StandbyReport } from '../backup/standby-report.ts';
import type { CallCounts } from '../metrics/call-counts.ts';
import { withFormerNames } from '../metrics/former-cache-names.ts';
import { createKindEstimate } from '../metrics/kind-estimate.ts';
import { watchLoopDelay } from '../metrics/loop-delay.ts';
import { type Definition, METRICS } from '../metrics/metric-definitions.ts';
import {
  byName,
  createMetricRegistry,
  type Labels,
  type MetricRegistry,
  one,
  type Sample,
} from '../metrics/metric-registry.ts';
import { quarantinedOf } from './health.ts';
import type { Core } from './open-core.ts';
import type { Ports } from './ports.ts';

const PROJECTION_STATES = ['catching-up', 'live', 'stopped'] as const;
const FOLLOWER_STATES = [...PROJECTION_STATES, 'idle'] as const;

interface ServerMetricsParts {
  readonly ports: Ports;
  readonly core: Pick<Core, 'ingest' | 'caches'>;
  /** Absent: it is alone. */
  readonly standby?: (() => StandbyReport) | undefined;
  /** Absent: no backup is made. */
  readonly backup?: (() => BackupReport) | undefined;
  /** The statuses of all read models, and of the forecasts. */
  readonly readStatuses: () => Promise<readonly ProjectionStatus[]>;
  /** The program's version. */
  readonly version: string;
  /** Milliseconds. */
  readonly steadyNow: () => number;
  readonly calls: CallCounts;
  readonly charged: { readonly credits: number };
  readonly limits: Pick<MemoryLimits, 'size'>;
  readonly histories: Pick<DocumentHistory, 'size'>;
  readonly marketQualities: Pick<MarketQualities, 'size'>;
  readonly prices: Pick<PriceFolds, 'size'>;
  readonly hub: ScoreHub;
  readonly streams: ScoreStreams;
  readonly changes: Pick<ChangeFeed, 'sizes'>;
  readonly changeHub: Pick<ChangeHub, 'follower' | 'size'>;
  readonly changeStreams: Pick<ChangeStreams, 'size' | 'buffered'>;
  /** Those of `subscriptions/listen`. */
  readonly agentStreams: Pick<ChangeStreams, 'size' | 'buffered'>;
  /** The states from which open change streams fold their changes. */
  readonly livePlaces: Pick<StreamFoldCache, 'size'>;
  readonly page: LivePage;
  readonly webhooks: Webhooks;
  readonly record: Pick<TrackRecordService, 'size'>;
  readonly intelligence: IntelligencePublisher;
  readonly connectors: Pick<Connectors, 'health' | 'figures' | 'caches'> | undefined;
  /** The data folder; absent if everything is in memory. */
  readonly folder: string | undefined;
}

/** The metrics of one server. */
interface ServerMetrics extends Pick<MetricRegistry, 'scrape'> {
  /** The size of every cache in memory, by name. */
  readonly caches: Readonly<Record<string, () => CacheSize>>;
  /** Measures nothing any more. */
  close(): void;
}

/**
 * All metrics of one server. A new metric is a definition in `src/server/metrics/metric-definitions.ts`, a line here, and a
 * row in docs/metrics.md. Another cache, or another follower of the log, is one line here.
 *
 * Each server has a registry of its own: the library's global one would mix the servers of a process. The library's default
 * metrics are left out: they list every open socket and file in one go, which holds the event loop if there are
 * thousands. The useful ones are measured here, under the same names.
 * @param onError called with each metric that a scrape had to leave out
 */
export function createServerMetrics(parts: ServerMetricsParts, onError: (error: unknown) => void): ServerMetrics {
  const {
    ports,
    core,
    version,
    calls,
    charged,
    limits,
    histories,
    prices,
    marketQualities,
    hub,
    streams,
    changes,
    changeHub,
    changeStreams,
    agentStreams,
    livePlaces,
    page,
    webhooks,
    record,
    intelligence,
    readStatuses,
    connectors,
    folder,
  } = parts;
  const { log, identities, counts } = ports;
  const caches: Readonly<Record<string, () => CacheSize>> = {
    ...core.caches,
    'as-of': () => histories.size,
    'price-folds': () => prices.size,
    'market-qualities': () => marketQualities.size,
    identities: () => identities.size ?? { bytes: 0, limit: undefined },
    'derived-documents': () => ports.store.derivedSize ?? { bytes: 0, limit: undefined },
    limits: () => limits.size,
    // It has few rows: one for each league and season.
    'forecast-record': () => record.size,
    // The connections' own buffers bound them: a full buffer keeps the newest only.
    'stream-buffers': () => ({
      bytes: streams.buffered + changeStreams.buffered + agentStreams.buffered + page.buffered,
      limit: undefined,
    }),
    changes: () => changes.sizes.changes,
    'facts-of-changes': () => changes.sizes.places,
    'facts-of-streams': () => livePlaces.size,
    'facts-of-webhooks': () => webhooks.cacheSize(),
    'recent-changes': () => changeHub.size(),
    'followed-bets': () => intelligence.size,
    ...page.caches,
    ...connectors?.caches,
  };
  const { add, addDurations, failures, scrape } = createMetricRegistry(onError);
  const loopDelay = watchLoopDelay();

  addCalls();
  addLog();
  addFollowers();
  addMemoryAndDisk();
  addWebhooks();
  addFeeds();
  addProcess();
  // All metrics are read together, so a failure in this scrape shows in the next one.
  add(METRICS.scrapeErrors, () => byName('metric', failures));

  function addCalls(): void {
    const { ingest } = core;
    add(METRICS.requests, () =>
      [...calls.requests].map(([operation, status, number]) => [{ operation, status }, number] as const),
    );
    addDurations(METRICS.latency, () =>
      [...calls.latencies].map(([operation, tally]) => [{ operation }, tally] as const),
    );
    add(METRICS.refusals, () => byName('code', calls.refusals));
    add(METRICS.credits, () => one(charged.credits));
    add(METRICS.messages, () => byName('outcome', Object.entries(ingest.messages)));
    addDurations(METRICS.ingest, () => [[{}, ingest.durations]]);
    add(METRICS.streams, () =>
      byName(
        'kind',
        Object.entries({
          scores: streams.size,
          changes: changeStreams.size,
          agents: agentStreams.size,
          page: page.size,
        }),
      ),
    );
  }

  function addLog(): void {
    const { appendStats } = log;
    add(METRICS.groups, () => (appendStats ? one(appendStats.commits) : []));
    add(METRICS.records, () => (appendStats ? one(appendStats.records) : []));
    addDurations(METRICS.flushes, () => (appendStats ? [[{}, appendStats.flushDurations]] : []));
    add(METRICS.quarantined, async () => one(quarantinedOf(await identities.countQuarantined())));
    add(METRICS.quarantinedBytes, async () => one((await identities.quarantineSize()).bytes));
  }

  function addFollowers(): void {
    const followers = () => [webhooks.follower(), hub.follower(), changeHub.follower(), intelligence.follower()];
    add(byPlace(METRICS.projectionLag), async () =>
      (await readStatuses()).map((status) => [placeLabels(status), status.lag_events] as const),
    );
    add(byPlace(METRICS.projectionLagSeconds), async () =>
      (await readStatuses()).map((status) => [placeLabels(status), status.lag_seconds] as const),
    );
    add(byPlace(METRICS.projectionState), async () =>
      (await readStatuses()).flatMap((status) => stateSamples(placeLabels(status), status.state, PROJECTION_STATES)),
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

  function addFeeds(): void {
    const feeds = () => (connectors ? feedFiguresOf(connectors) : []);
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
      feeds().flatMap(({ name: feed, state }) => stateSamples({ feed }, state, CONNECTOR_STATES)),
    );
    add(METRICS.feedHeld, () => feeds().map(({ name: feed, held }) => [{ feed }, held] as const));
    add(METRICS.feedFlaps, () => feeds().map(({ name: feed, flaps }) => [{ feed }, flaps] as const));
    add(METRICS.feedBudget, () =>
      feeds().flatMap(({ name: feed, budgetRemaining }) =>
        budgetRemaining === null ? [] : [[{ feed }, budgetRemaining] as const],
      ),
    );
  }

  function addMemoryAndDisk(): void {
    const sizes = Object.entries(withFormerNames(caches));
    add(METRICS.cache, () => sizes.map(([cache, size]) => [{ cache }, size().bytes] as const));
    add(METRICS.cacheLimit, () =>
      sizes.flatMap(([cache, size]) => {
        const { limit } = size();
        return limit === undefined ? [] : [[{ cache }, limit] as const];
      }),
    );
    const disk = onceAtATime(async () => (folder === undefined ? undefined : readDiskUsage(folder)));
    add(METRICS.disk, async () => byName('file', Object.entries((await disk())?.files ?? {})));
    const estimate = ports.logKinds ?? (async () => []);
    const kinds = onceAtATime(createKindEstimate({ log, estimate, steadyNow: parts.steadyNow }));
    const byKind = async (of: 'bytes' | 'records') =>
      byName(
        'kind',
        (await kinds()).map((kind) => [kind.type === '' ? 'archived' : kind.type, kind[of]]),
      );
    add(METRICS.kindBytes, () => byKind('bytes'));
    add(METRICS.kindRecords, () => byKind('records'));
    add(METRICS.free, async () => {
      const use = await disk();
      return use ? one(use.free) : [];
    });
    const { backup } = parts;
    add(METRICS.backupLag, () => (backup ? one(backup().lagSeconds) : []));
    add(METRICS.backupFailures, () => (backup ? one(backup().failures) : []));
    add(METRICS.backupTime, () => {
      const currentAt = backup?.().currentAt;
      return currentAt === undefined ? [] : one(currentAt / 1000);
    });
    const shown = () => {
      const report = parts.standby?.();
      return report?.isShown ? report : undefined;
    };
    add(METRICS.standbyRole, () => byName('role', shown() ? [[shown()!.role, 1]] : []));
    add(METRICS.standbyLag, () => (shown()?.lagSeconds === undefined ? [] : one(shown()!.lagSeconds!)));
    add(METRICS.leaseTime, () => (shown()?.leaseSeconds === undefined ? [] : one(shown()!.leaseSeconds!)));
    add(METRICS.drillTime, () => {
      const drill = backup?.().drill;
      return drill ? one(drill.at / 1000) : [];
    });
    add(METRICS.drillPassed, () => {
      const drill = backup?.().drill;
      return drill ? one(drill.problem === null ? 1 : 0) : [];
    });
  }

  function addWebhooks(): void {
    add(METRICS.owed, async () => one(await counts.webhooksOwed()));
    add(METRICS.attempts, () => byName('outcome', Object.entries(webhooks.attempts)));
  }

  function addProcess(): void {
    const started = Date.now() / 1000 - process.uptime();
    add(METRICS.build, () => [[{ version, node: process.versions.node }, 1]]);
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

  return { scrape, caches, close: loopDelay.stop };
}

const feedFiguresOf = ({ health, figures }: Pick<Connectors, 'health' | 'figures'>) =>
  health().map(({ name, state, lag_seconds, budget, held, flaps }) => ({
    name,
    state,
    held,
    flaps,
    lagSeconds: lag_seconds,
    budgetRemaining: budget?.remaining ?? null,
    requests: Object.fromEntries(figures.get(name)!.requestsByOutcome),
    messages: [...figures.get(name)!.messagesByOutcome].map(([text, number]) => {
      const [kind, outcome] = text.split(' ');
      return { kind: kind!, outcome: outcome!, number };
    }),
  }));

/** If several instances divide the log, each reports its own partitions. */
const byPlace = (definition: Definition): Definition => ({
  ...definition,
  labels: [...definition.labels, 'partition'],
});

const placeLabels = ({ name, partition }: Pick<ProjectionStatus, 'name' | 'partition'>): Labels =>
  partition === undefined ? { projection: name } : { projection: name, partition };

const stateSamples = (labels: Labels, state: string, states: readonly string[]): readonly Sample[] =>
  states.map((one) => [{ ...labels, state: one }, Number(one === state)]);

/** Callers share a request that is under way. */
function onceAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let under: Promise<T> | undefined;
  return () => {
    under ??= ask().finally(() => {
      under = undefined;
    });
    return under;
  };
}

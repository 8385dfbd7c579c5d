import type { MemoryLimits } from '../../api/limits/memory-limits.ts';
import type { ChangeHub } from '../../api/streams/change-hub.ts';
import type { ChangeStreams } from '../../api/streams/change-stream-route.ts';
import type { ScoreHub } from '../../api/streams/score-hub.ts';
import type { ScoreStreams } from '../../api/streams/score-stream-route.ts';
import type { IntelligencePublisher } from '../../forecasting/publishing/intelligence-publisher.ts';
import type { TrackRecordService } from '../../forecasting/track-record/track-record-service.ts';
import { readDiskUsage } from '../../platform/data-folder/disk-space.ts';
import type { DocumentHistory } from '../../read-models/as-of/document-history.ts';
import type { ChangeFeed } from '../../read-models/change-feed/change-feed.ts';
import type { StreamFoldCache } from '../../read-models/change-feed/stream-fold-cache.ts';
import type { Connectors } from '../../sources/connectors/connectors.ts';
import type { LivePage } from '../../web/live/live-page.ts';
import type { Webhooks } from '../../webhooks/open-webhooks.ts';
import type { CallCounts } from '../metrics/call-counts.ts';
import type { FeedFigures, MetricInputs } from '../metrics/metric-inputs.ts';
import { quarantinedOf } from './health.ts';
import type { Core } from './open-core.ts';
import type { Ports } from './ports.ts';

interface ServerMetricsParts {
  readonly ports: Ports;
  readonly core: Pick<Core, 'ingest' | 'caches'> & { readonly runner: Pick<Core['runner'], 'status'> };
  /** Of the program. */
  readonly version: string;
  readonly calls: CallCounts;
  readonly charged: { readonly credits: number };
  readonly limits: Pick<MemoryLimits, 'size'>;
  readonly histories: Pick<DocumentHistory, 'size'>;
  readonly hub: ScoreHub;
  readonly streams: ScoreStreams;
  readonly changes: Pick<ChangeFeed, 'sizes'>;
  readonly changeHub: Pick<ChangeHub, 'follower' | 'size'>;
  readonly changeStreams: Pick<ChangeStreams, 'size' | 'buffered'>;
  /** What is kept of the facts that open streams of changes were told last. */
  readonly livePlaces: Pick<StreamFoldCache, 'size'>;
  readonly page: LivePage;
  readonly webhooks: Webhooks;
  readonly record: Pick<TrackRecordService, 'size'>;
  readonly intelligence: IntelligencePublisher;
  readonly connectors: Pick<Connectors, 'health' | 'figures' | 'caches'> | undefined;
  /** The data folder; absent where everything is in memory. */
  readonly folder: string | undefined;
}

/** What the metrics tell of, and under which names: another cache, or another follower, is a line here. */
export function serverMetricsOf(parts: ServerMetricsParts): MetricInputs {
  const {
    ports,
    core,
    version,
    calls,
    charged,
    limits,
    histories,
    hub,
    streams,
    changes,
    changeHub,
    changeStreams,
    livePlaces,
    page,
    webhooks,
    record,
    intelligence,
    connectors,
    folder,
  } = parts;
  const { log, identities, counts } = ports;
  return {
    version,
    calls,
    credits: () => charged.credits,
    ingest: core.ingest,
    log,
    projections: () => core.runner.status(),
    followers: () => [webhooks.follower(), hub.follower(), changeHub.follower(), intelligence.follower()],
    caches: {
      ...core.caches,
      'as-of': () => histories.size,
      identities: () => identities.size ?? { bytes: 0, limit: undefined },
      'derived-documents': () => ports.store.derivedSize ?? { bytes: 0, limit: undefined },
      limits: () => limits.size,
      // Its rows are few: a league has one a season.
      'forecast-record': () => record.size,
      // A full one holds back all but the newest: the connections' own buffers bound them, each for itself.
      'stream-buffers': () => ({ bytes: streams.buffered + changeStreams.buffered + page.buffered, limit: undefined }),
      changes: () => changes.sizes.changes,
      'facts-of-changes': () => changes.sizes.places,
      'facts-of-streams': () => livePlaces.size,
      'facts-of-webhooks': () => webhooks.cacheSize(),
      'recent-changes': () => changeHub.size(),
      'followed-bets': () => intelligence.size,
      ...page.caches,
      ...connectors?.caches,
    },
    feeds: connectors && (() => feedsOf(connectors)),
    quarantined: async () => quarantinedOf(await identities.countQuarantined()),
    disk: folder === undefined ? undefined : () => readDiskUsage(folder),
    webhooksOwed: counts.webhooksOwed,
    webhookAttempts: () => webhooks.attempts,
    openStreams: () => ({ scores: streams.size, changes: changeStreams.size, page: page.size }),
  };
}

const feedsOf = ({ health, figures }: Pick<Connectors, 'health' | 'figures'>): FeedFigures[] =>
  health().map(({ name, state, lag_seconds, budget }) => ({
    ...{ name, state, lagSeconds: lag_seconds, budgetRemaining: budget?.remaining ?? null },
    requests: Object.fromEntries(figures.get(name)!.requestsByOutcome),
    messages: [...figures.get(name)!.messagesByOutcome].map(([text, number]) => {
      const [kind, outcome] = text.split(' ');
      return { kind: kind!, outcome: outcome!, number };
    }),
  }));

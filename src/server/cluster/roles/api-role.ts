import { projections } from '../../../../projections/index.ts';
import { createAnswerCache } from '../../../api/calls/answer-cache/answer-cache.ts';
import { createClusterAnswerCache } from '../../../api/calls/answer-cache/cluster-answer-cache.ts';
import { createForecastService } from '../../../forecasting/learning/forecast-service.ts';
import { withIntakeStats } from '../../../ingest/intake/intake-monitoring.ts';
import { createBackgroundWork } from '../../../platform/async/background-work.ts';
import { realDelay, retryWithBackoff } from '../../../platform/async/retry.ts';
import { openPayments } from '../../../platform/payments/open-payments.ts';
import { followFeedAges } from '../../../sources/connectors/followed-feed-ages.ts';
import { createPostgresFeedAges } from '../../../sources/connectors/store/postgres-feed-ages.ts';
import { ANSWER_BYTES } from '../../composition/open-core.ts';
import { openServer } from '../../composition/open-server.ts';
import type { ServedCore } from '../../composition/server-parts.ts';
import { cacheReads } from '../../metrics/cluster-metrics.ts';
import { one } from '../../metrics/metric-registry.ts';
import { openClusterStores, openSharedMetering } from '../cluster-stores.ts';
import type { RoleParts, RunningRole } from '../role-parts.ts';
import type { OpenedIntake } from './ingest-role.ts';

/**
 * Starts the role `api`: the API, streams and pages. If the process also has these roles, it sends webhooks and publishes
 * intelligence in the same server.
 * @param taking the intake, if this process ingests
 * @throws ConfigError, UnavailableError if it cannot start now
 */
export async function startApiRole(parts: RoleParts, taking?: OpenedIntake): Promise<RunningRole> {
  const { config, environment, closing, measure, baseUrl } = parts;
  const { roles } = config;
  const { logger } = environment;
  const view = parts.view!;
  const { ports, secrets, core, answers, shared } = await openApiCore(parts, taking);
  const server = await openServer({
    ports,
    core,
    secrets,
    settings: config,
    environment,
    baseUrl,
    shared,
    payments: await openPayments(config),
    isReady: () => true,
    simulated: () => false,
    replacements: {
      documents: answers.invalidateOnRead,
      // Another process sends webhooks, and finds new messages by itself.
      ...(roles.includes('webhooks') ? {} : { onWebhookDue() {} }),
    },
  });
  // Closed before the limits and the credits that it uses.
  closing.level();
  closing.add(server.close);
  if (roles.includes('webhooks')) await server.webhooks.start();
  server.record.start().catch((error: unknown) => logger.warn({ err: error }, 'the record of forecasts is not known'));
  if (roles.includes('intelligence')) {
    server.intelligence.start();
    server.seals.start();
  }
  server.referenceWeights?.start(roles.includes('intelligence'));
  server.accounts.start();
  server.outbox.tell();
  measure(
    {
      requests: () =>
        [...server.calls.requests].map(([operation, status, number]) => [{ operation, status }, number] as const),
      streams: () => one(server.streams.size + server.changeStreams.size + server.agentStreams.size + server.page.size),
      webhooksPending: async () => one(await ports.counts.webhooksOwed()),
      ...cacheReads(server.caches),
    },
    'api',
  );
  closing.level();
  const stopping = new AbortController();
  closing.add(() => stopping.abort());
  const caughtUp = retryWithBackoff(() => view.projected(undefined, { signal: stopping.signal }), {
    delay: realDelay,
    signal: stopping.signal,
    onRetry() {},
  });
  return { listener: server.listener, caughtUp };
}

/** The core of an api process. @throws ConfigError, UnavailableError if it cannot start now */
export async function openApiCore(parts: RoleParts, taking?: OpenedIntake) {
  const { environment, closing } = parts;
  const { logger } = environment;
  const { ports, secrets } = await openClusterStores(parts);
  const view = parts.view!;
  view.startLooking();
  const background = createBackgroundWork();
  const forecasts = createForecastService({
    log: ports.log,
    feed: ports.feed,
    store: ports.store,
    resultsStore: ports.results,
    giveWay: background.yieldToRequests,
    waitUntilProjected: (signal) => view.projected(undefined, { signal }),
    onLearnAnew: (reason) => logger.info({ reason }, 'forecasts are learnt anew'),
    onError: (error) => logger.warn({ err: error }, 'forecasts could not be learnt, trying again'),
  });
  closing.add(forecasts.close);
  const answers = createClusterAnswerCache({
    ...parts.receivedChanges!,
    answers: createAnswerCache(ANSWER_BYTES),
    projections: projections.map(({ name }) => name),
    setTimer: environment.pace.setTimer,
  });
  closing.add(answers.close);
  parts.engines.store!.onReplaced(answers.invalidateProjection);
  const feedAges = await followFeedAges(createPostgresFeedAges(parts.engines.postgres!), parts.clock.now);
  closing.add(feedAges.close);
  const core: ServedCore = {
    intake: taking?.intake,
    preview: taking?.preview,
    forecasts,
    background,
    runner: view,
    projected: view.projected,
    whole: (signal) => view.projected(undefined, { signal }),
    projectedSoon: view.projectedSoon,
    staleSeconds: view.staleSeconds,
    feedAges,
    ingest: taking?.figures ?? withIntakeStats(NOTHING_TAKEN).stats,
    answers,
    caches: {
      forecasts: () => forecasts.size,
      answers: () => ({ bytes: answers.size.bytes, limit: answers.maxBytes }),
      'document-positions': () => answers.positionsSize,
    },
  };
  return { ports, secrets, core, answers, shared: openSharedMetering(parts, ports) };
}

const NOTHING_TAKEN = {
  accept(): never {
    throw new Error('this process takes nothing in');
  },
};

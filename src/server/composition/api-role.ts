import { projections } from '../../../projections/index.ts';
import { createAnswerCache } from '../../api/calls/answers/answer-cache.ts';
import { createHeardAnswers } from '../../api/calls/answers/heard-answers.ts';
import { createForecastBook } from '../../forecasting/forecast-book.ts';
import { countedIntake } from '../../ingest/counted-intake.ts';
import { openPayments } from '../../platform/payments/provider.ts';
import { createBackground } from '../../platform/time/background.ts';
import { realDelay, withRetries } from '../../platform/time/retry.ts';
import { cacheReads } from '../metrics/cluster-metrics.ts';
import { one } from '../metrics/metric-registry.ts';
import { ANSWER_BYTES } from './core.ts';
import type { Taking } from './ingest-role.ts';
import type { PlayedRole, RoleParts } from './role-parts.ts';
import { openServer } from './server.ts';
import type { ServedCore } from './server-parts.ts';
import { openSharedMetering, openSharedPorts } from './shared-ports.ts';

/**
 * Answers: the API, streams, pages. Where the process plays these roles too, it tells subscribers, and publishes what
 * changes bets.
 * @param taking what takes facts in, where this process does
 * @throws ConfigError, Unavailable where it cannot begin now
 */
export async function playApi(parts: RoleParts, taking?: Taking): Promise<PlayedRole> {
  const { config, environment, closing, measure, baseUrl } = parts;
  const { roles } = config;
  const { logger } = environment;
  const view = parts.view!;
  const { ports, secrets, core, answers, shared } = await openApiCore(parts, taking);
  const server = await openServer({
    ...{ ports, core, secrets, settings: config, environment, baseUrl },
    shared,
    payments: await openPayments(config),
    isReady: () => true,
    simulated: () => false,
    replacements: {
      documents: answers.noticing,
      // Another process sends them, and finds them by itself.
      ...(roles.includes('webhooks') ? {} : { onWebhookDue() {} }),
    },
  });
  // Before the limits and the credits that it goes by.
  closing.level();
  closing.add(server.close);
  if (roles.includes('webhooks')) await server.webhooks.start();
  server.record.start().catch((error: unknown) => logger.warn({ err: error }, 'the record of forecasts is not known'));
  if (roles.includes('intelligence')) server.intelligence.start();
  server.accounts.start();
  server.outbox.tell();
  measure(
    {
      requests: () =>
        [...server.calls.requests].map(([operation, status, number]) => [{ operation, status }, number] as const),
      streams: () => one(server.streams.size + server.changeStreams.size + server.page.size),
      webhooksPending: async () => one(await ports.counts.webhooksOwed()),
      ...cacheReads(server.caches),
    },
    'api',
  );
  closing.level();
  const stopping = new AbortController();
  closing.add(() => stopping.abort());
  const caughtUp = withRetries(() => view.projected(undefined, { signal: stopping.signal }), {
    ...{ delay: realDelay, signal: stopping.signal },
    onRetry() {},
  });
  return { listener: server.listener, caughtUp };
}

/** What an api process answers from. @throws ConfigError, Unavailable where it cannot begin now */
export async function openApiCore(parts: RoleParts, taking?: Taking) {
  const { environment, closing } = parts;
  const { logger } = environment;
  const { ports, secrets } = await openSharedPorts(parts);
  const view = parts.view!;
  const background = createBackground();
  const forecasts = createForecastBook({
    ...{ log: ports.log, feed: ports.feed, store: ports.store, kept: ports.keptResults, giveWay: background.giveWay },
    projected: (signal) => view.projected(undefined, { signal }),
    onError: (error) => logger.warn({ err: error }, 'forecasts could not be learnt, trying again'),
  });
  closing.add(forecasts.close);
  const answers = createHeardAnswers({
    ...parts.hearing!,
    ...{ answers: createAnswerCache(ANSWER_BYTES), projections: projections.map(({ name }) => name) },
    setTimer: environment.pace.setTimer,
  });
  closing.add(answers.close);
  parts.engines.store!.onReplaced(answers.replaced);
  const core: ServedCore = {
    ...{ intake: taking?.intake, forecasts, background, runner: view, projected: view.projected },
    ...{ projectedSoon: view.projectedSoon, staleSeconds: view.staleSeconds },
    ingest: taking?.figures ?? countedIntake(NOTHING_TAKEN).figures,
    answers,
    caches: {
      forecasts: () => forecasts.size,
      answers: () => ({ bytes: answers.size.bytes, limit: answers.maxBytes }),
      'places-of-documents': () => answers.placesSize,
    },
  };
  return { ports, secrets, core, answers, shared: openSharedMetering(parts, ports) };
}

const NOTHING_TAKEN = {
  accept(): never {
    throw new Error('this process takes nothing in');
  },
};

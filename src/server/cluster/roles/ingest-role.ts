import type { RequestListener } from 'node:http';
import { type Request, type Response, Router } from 'express';
import { notFound } from '../../../api/calls/api-errors.ts';
import { createPositionTokens } from '../../../api/calls/pipeline/position-tokens.ts';
import { createIngestEndpoint } from '../../../api/http/endpoints/ingest-endpoint.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { createLogNameReader } from '../../../event-log/port/log-name.ts';
import { postgresIdentities } from '../../../ingest/identities/sql/postgres-identities.ts';
import type { Intake } from '../../../ingest/intake/intake.ts';
import { type IntakeStats, withIntakeStats, withQuarantineWarnings } from '../../../ingest/intake/intake-monitoring.ts';
import {
  ABANDONED_RETRY_INTERVAL_MS,
  type FeedIntake,
  QUARANTINE_RETRY_INTERVAL_MS,
} from '../../../ingest/pipeline/feed-intake.ts';
import { postgresStateSnapshots } from '../../../ingest/states/postgres-state-snapshots.ts';
import type { DeadLetter } from '../../../messaging/dead-letter-writer.ts';
import { openIngestConsumer } from '../../../messaging/ingest-consumer.ts';
import { realDelay } from '../../../platform/async/retry.ts';
import { endFeedAges } from '../../../sources/connectors/feed-age-writer.ts';
import { createPostgresFeedAges } from '../../../sources/connectors/store/postgres-feed-ages.ts';
import { openLiveFeeds } from '../../composition/live-feeds.ts';
import { openIntake } from '../../composition/open-core.ts';
import { noContactText } from '../../composition/provider-user-agent.ts';
import { secretsFrom } from '../../composition/secrets.ts';
import { cacheReads, lagSample } from '../../metrics/cluster-metrics.ts';
import { byName } from '../../metrics/metric-registry.ts';
import { feedDivision } from '../cluster-view.ts';
import { openPostgresRegistry } from '../postgres-registry.ts';
import { registryMarkers } from '../registry-markers.ts';
import type { RoleParts, RunningRole } from '../role-parts.ts';

/** The intake of this process. */
export interface OpenedIntake {
  readonly intake: Intake;
  readonly figures: IntakeStats;
  readonly preview: FeedIntake['preview'];
}

/** Opens the intake, with the consumer of the topic and the connectors. @throws UnavailableError if it cannot start now */
export async function openClusterIntakeOfRole(parts: RoleParts): Promise<OpenedIntake> {
  const { engines, environment, config, clock, closing, owner, measure } = parts;
  const { log, broker, topics, postgres, store } = engines;
  const { logger } = environment;
  const identities = postgresIdentities(postgres!, { now: clock.now });
  const opened = await openIntake(
    { log, identities, states: postgresStateSnapshots(postgres!), clock },
    { now: clock.now, random: environment.random },
    { owner, quarantine: config.quarantine },
  );
  // What no other message releases is tried again by time.
  const every = (intervalMs: number, retry: () => Promise<void>): void => {
    const onError = (error: unknown) => logger.warn({ err: error }, 'what waits was not tried again');
    const timer = setInterval(() => void retry().catch(onError), intervalMs);
    timer.unref();
    closing.add(() => clearInterval(timer));
  };
  every(ABANDONED_RETRY_INTERVAL_MS, () => opened.retryAbandoned());
  every(QUARANTINE_RETRY_INTERVAL_MS, () => opened.retryQuarantined());
  const counted = withIntakeStats(opened);
  const intake = await withQuarantineWarnings(counted.intake, identities, logger.warn.bind(logger));
  const deadLetters = new Map<string, number>();
  const topic = openIngestConsumer({
    broker,
    topics,
    intake,
    delay: realDelay,
    sessionMs: config.cluster!.sessionMs,
    partitionCountStore: registryMarkers(postgres!).partitions,
    onRetry: (error, attempt) => logger.warn({ err: error, attempt }, 'the topic of feed messages is tried again'),
    onDeadLetters(letters) {
      const [{ message, rejection }] = letters as [DeadLetter];
      for (const letter of letters)
        deadLetters.set(letter.rejection.code, (deadLetters.get(letter.rejection.code) ?? 0) + 1);
      logger.warn(
        { topic: topics.deadLetters, messages: letters.length, code: rejection.code, offset: message.offset },
        'messages of the topic were refused: they are kept as dead letters, with the reason',
      );
    },
  });
  closing.add(topic.close);
  measure(
    {
      partitions: () => byName('group', topic.assignedPartitions()),
      consumerLag: () => topic.lags().map(lagSample),
      deadLetters: () => [...deadLetters].map(([code, number]) => [{ code }, number] as const),
      ...cacheReads({
        'decider-states': () => ({ bytes: opened.stateBytes.states, limit: opened.stateLimits.states }),
        'decider-histories': () => ({ bytes: opened.stateBytes.histories, limit: opened.stateLimits.histories }),
        'intake-identities': () => identities.size ?? { bytes: 0, limit: undefined },
      }),
    },
    'ingest',
  );
  topic.ended.catch((error: unknown) => logger.error({ err: error }, 'the topic of feed messages is read no more'));
  if (store) {
    const sharedAges = createPostgresFeedAges(postgres!);
    const { connectorStore } = await openPostgresRegistry(postgres!, secretsFrom(config, environment).box, clock, {
      name: owner,
    });
    const connectors = await openLiveFeeds({
      config,
      environment,
      owner,
      ports: { log, store, identities, connectorStore, clock },
      sharedAges,
      core: { intake, runner: { documentChanges: parts.view!.documentChanges } },
    });
    if (connectors) closing.add(connectors.close);
    if (connectors && config.connectors.contact === undefined) logger.warn({}, noContactText());
    if (connectors) void connectors.start();
    else {
      endFeedAges(connectorStore, sharedAges, { owner, now: clock.now }).catch((error: unknown) =>
        logger.warn({ err: error }, 'the ages of feeds that are polled no more could not be removed'),
      );
    }
  }
  return { intake, figures: counted.stats, preview: (item) => opened.preview(item) };
}

/** Starts the role `ingest` with an HTTP endpoint, in a process without the API. */
export async function startIngestRole(parts: RoleParts): Promise<RunningRole> {
  const { engines, config, responder, environment } = parts;
  const { log } = engines;
  const { intake } = await openClusterIntakeOfRole(parts);
  const projected: Parameters<typeof createIngestEndpoint>[0]['projected'] = async (places, options) => {
    if (!parts.view) throw new UnavailableError('This process does not know what can be read.');
    await parts.view.projectedSoon(places, options);
  };
  const { setTimer } = environment.pace;
  const positions = createPositionTokens({
    log,
    logName: createLogNameReader(log),
    projected,
    setTimer,
    ...feedDivision(engines.topics),
  });
  const router = Router({ caseSensitive: true, strict: true });
  createIngestEndpoint({ intake, ingestKey: config.ingestKey, responder, projected, positions, setTimer })(router);
  const listener: RequestListener = (request, response) =>
    router(request as Request, response as Response, () =>
      responder.sendError(response, notFound('There is nothing at this path.'), {
        requestId: responder.requestId(request),
      }),
    );
  return { listener, caughtUp: Promise.resolve() };
}

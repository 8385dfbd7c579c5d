import type { RequestListener } from 'node:http';
import { type Request, type Response, Router } from 'express';
import { notFound } from '../../api/calls/errors.ts';
import { createLogPositions } from '../../api/calls/log-positions.ts';
import { ingestDoor } from '../../api/http/ingest-door.ts';
import { Unavailable } from '../../domain/unavailable.ts';
import { createLogName } from '../../event-log/log-name.ts';
import { countedIntake, type IntakeFigures } from '../../ingest/counted-intake.ts';
import { RESUME_EVERY } from '../../ingest/feed-intake.ts';
import { postgresIdentities } from '../../ingest/identities/postgres-identities.ts';
import type { Intake } from '../../ingest/intake.ts';
import { alarmedIntake } from '../../ingest/quarantine-alarm.ts';
import { postgresStateSnapshots } from '../../ingest/states/postgres-state-snapshots.ts';
import { openIngestTopic } from '../../messaging/ingest-topic.ts';
import { realDelay } from '../../platform/time/retry.ts';
import { cacheReads, lagSample } from '../metrics/cluster-metrics.ts';
import { byName } from '../metrics/metric-registry.ts';
import { feedDivision } from './cluster-view.ts';
import { openIntake } from './core.ts';
import { openLiveFeeds } from './live-feeds.ts';
import { openPostgresRegistry } from './postgres-registry.ts';
import { registryMarks } from './registry-marks.ts';
import type { PlayedRole, RoleParts } from './role-parts.ts';
import { secretsFrom } from './secrets.ts';

/** What takes facts in at this process. */
export interface Taking {
  readonly intake: Intake;
  readonly figures: IntakeFigures;
}

/** Takes what comes by the topic, and what feeds bring. @throws Unavailable where it cannot begin now */
export async function openTaking(parts: RoleParts): Promise<Taking> {
  const { engines, environment, config, clock, closing, owner, measure } = parts;
  const { log, broker, topics, postgres, store } = engines;
  const { logger } = environment;
  const identities = postgresIdentities(postgres!, { now: clock.now });
  const opened = await openIntake(
    { log, identities, states: postgresStateSnapshots(postgres!), clock },
    { now: clock.now, random: environment.random },
    { owner },
  );
  // What a process had taken when it died is released by no other message.
  const resuming = setInterval(
    () => void opened.resume().catch((error: unknown) => logger.warn({ err: error }, 'what waits was not tried again')),
    RESUME_EVERY,
  );
  resuming.unref();
  closing.add(() => clearInterval(resuming));
  const counted = countedIntake(opened);
  const intake = await alarmedIntake(counted.intake, identities, logger.warn.bind(logger));
  const topic = openIngestTopic({
    ...{ broker, topics, intake, delay: realDelay, sessionMs: config.cluster!.sessionMs },
    kept: registryMarks(postgres!).partitions,
    onRetry: (error, attempt) => logger.warn({ err: error, attempt }, 'the topic of feed messages is tried again'),
  });
  closing.add(topic.close);
  measure(
    {
      partitions: () => byName('group', topic.assigned()),
      consumerLag: () => topic.lags().map(lagSample),
      ...cacheReads({
        'deciding-states': () => ({ bytes: opened.stateBytes.states, limit: opened.stateLimits.states }),
        'deciding-histories': () => ({ bytes: opened.stateBytes.histories, limit: opened.stateLimits.histories }),
        'identities-of-intake': () => identities.size ?? { bytes: 0, limit: undefined },
      }),
    },
    'ingest',
  );
  topic.ended.catch((error: unknown) => logger.error({ err: error }, 'the topic of feed messages is read no more'));
  if (store && config.connectors.names.length > 0) {
    const { keptFeeds } = await openPostgresRegistry(postgres!, secretsFrom(config, environment).box, clock, {
      name: owner,
    });
    const connectors = await openLiveFeeds({
      ...{ config, environment, owner },
      ports: { store, identities, keptFeeds, clock },
      core: { intake, runner: { changes: parts.view!.changes } },
    });
    if (connectors) closing.add(connectors.close);
    void connectors?.start();
  }
  return { intake, figures: counted.figures };
}

/** The door by HTTP of a process that does not answer the API. */
export async function playIngest(parts: RoleParts): Promise<PlayedRole> {
  const { engines, config, responder, environment } = parts;
  const { log } = engines;
  const { intake } = await openTaking(parts);
  const projected: Parameters<typeof ingestDoor>[0]['projected'] = async (places, options) => {
    if (!parts.view) throw new Unavailable('This process does not know what can be read.');
    await parts.view.projectedSoon(places, options);
  };
  const { setTimer } = environment.pace;
  const positions = createLogPositions({
    ...{ log, logName: createLogName(log), projected, setTimer },
    ...feedDivision(engines.topics),
  });
  const router = Router({ caseSensitive: true, strict: true });
  ingestDoor({ intake, ingestKey: config.ingestKey, responder, projected, positions, setTimer })(router);
  const listener: RequestListener = (request, response) =>
    router(request as Request, response as Response, () =>
      responder.sendError(response, notFound('There is nothing at this path.'), {
        requestId: responder.requestId(request),
      }),
    );
  return { listener, caughtUp: Promise.resolve() };
}

import { createResponder } from '../../api/http/responder.ts';
import { createHttpServer } from '../../api/http/server/http-server.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { followReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { createDelay } from '../../platform/async/retry.ts';
import { createClockOffset } from '../../platform/clock/clock-offset.ts';
import { createClusterClock } from '../../platform/clock/cluster-clock.ts';
import { baseUrl, type Config, listenUrl } from '../../platform/settings/config.ts';
import type { Role } from '../../platform/settings/deployment-profile.ts';
import { ENGINES_OF_ROLE } from '../../platform/settings/deployment-profile.ts';
import { ENGINE_NAMES } from '../../platform/settings/engine-settings.ts';
import { type Closing, createClosing } from '../composition/closing.ts';
import { connectionsOf, descriptorLimit } from '../composition/descriptors.ts';
import type { FatalLog } from '../composition/environment.ts';
import { type Environment, realEnvironment } from '../composition/environment.ts';
import { listen, stopListening } from '../composition/listen.ts';
import { cacheReads, createClusterMetrics, lagSample } from '../metrics/cluster-metrics.ts';
import { byName, one } from '../metrics/metric-registry.ts';
import { openClusterEngines } from './cluster-engines.ts';
import { watchEngines } from './engine-watch.ts';
import { openClusterView } from './open-cluster-view.ts';
import { createProcessListener, type ProcessState } from './process-listener.ts';
import type { RoleParts, RunningRole } from './role-parts.ts';
import { startRoles } from './roles/start-roles.ts';

/** A running process of a cluster. */
export interface ClusterProcess {
  /** `http://HOST:PORT`, with the port that was taken. */
  readonly listening: string;
  /** Rejects if the process cannot go on: its pepper is not the registry's, the tables are too new, or another database
   *  answers behind the address of the event log. */
  readonly failed: Promise<never>;
  /** Stops accepting, ends the streams with `reconnect`, and finishes requests in flight. */
  stop(): Promise<void>;
}

const TRY_EVERY_MS = 1000;
const COMPARE_EVERY_MS = 5000;

/** The others go by the streams that records name. */
const READS_STREAMS_OF_EVENTS: ReadonlySet<Role> = new Set(['api', 'ingest', 'webhooks', 'intelligence']);

/**
 * Starts a process of a cluster. It listens at once, even if engines are unavailable, and continues when all are available.
 * @throws ListenError when it cannot listen on the address
 */
export async function startClusterProcess(config: Config, logger: FatalLog): Promise<ClusterProcess> {
  const environment = realEnvironment(logger);
  const closing = createClosing((error) => logger.error({ err: error }, 'not everything could be closed'));
  try {
    return await openAll(config, environment, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function openAll(config: Config, environment: Environment, closing: Closing): Promise<ClusterProcess> {
  const { logger, pace, randomBytes, newRequestId, version } = environment;
  const { roles } = config;
  const owner = `${roles.join('.')}-${Buffer.from(randomBytes(9)).toString('base64url')}`;
  const state = { port: config.port, played: [] as readonly RunningRole[] };
  const publicUrl = () => baseUrl(config, state.port);
  let failBy = (_error: Error): void => {};
  const engines = await openClusterEngines(config.cluster!, environment, closing, undefined, (error) => failBy(error));
  const clock = createClusterClock({ now: environment.now });

  closing.level();
  const watch = watchEngines({ engines: engines.pingable, now: pace.now, setTimer: pace.setTimer, logger });
  closing.add(watch.close);
  const stopping = new AbortController();
  closing.add(() => stopping.abort(new Error('the process stops')));
  const metrics = createClusterMetrics((error) => logger.warn({ err: error }, 'a metric could not be measured'));
  metrics.add(
    {
      info: () => [[{ version, roles: roles.join(',') }, 1]],
      engineUp: () => {
        const away = new Set(watch.unavailable());
        return [...engines.pingable.keys()].map((engine) => [{ engine }, away.has(engine) ? 0 : 1] as const);
      },
      clockOffset: () => (clock.ahead === undefined ? [] : one(clock.ahead / 1000)),
      partitions: () => byName('group', engines.feed.assignedPartitions()),
      consumerLag: () => engines.feed.lags().map(lagSample),
      records: () => one(engines.log.appendStats?.records ?? 0),
      roundTrips: () => byName('engine', engines.roundTrips),
      ...cacheReads({
        'record-feed': () => ({ bytes: engines.feed.bufferedBytes, limit: engines.feed.bufferedBytesLimit }),
        'stream-revisions': () => engines.log.knownStreams,
      }),
    },
    'process',
  );
  const responder = createResponder({
    baseUrl: publicUrl,
    newRequestId,
    log: logger,
  });
  const caughtUp = { isSo: false };
  const needed = new Set(roles.flatMap((role) => ENGINES_OF_ROLE[role]));

  function processState(): ProcessState {
    // An engine that no role of this process needs does not block it: ingest works without the read store.
    const waitingFor = watch.unavailable().filter((engine) => state.played.length === 0 || needed.has(engine));
    if (waitingFor.length > 0) return { status: 'waiting', waitingFor };
    const stopped = state.played.map((role) => role.stopped?.()).find((reason) => reason !== undefined);
    if (stopped !== undefined) return { status: 'stopped', reason: stopped };
    if (clock.refusal) return { status: 'stopped', reason: 'clock' };
    return caughtUp.isSo ? { status: 'ready' } : { status: 'catching_up' };
  }

  const process = createProcessListener({ roles, state: processState, metrics, responder });
  const http = createHttpServer(process.listener, publicUrl, newRequestId, {
    connections: connectionsOf(descriptorLimit()),
    onRefused: (closed) =>
      logger.warn({ closed }, `${closed} connections were closed: as many as there may be are open`),
  });
  state.port = await listen(http, config);
  closing.add(() => stopListening(http));

  const parts: Omit<RoleParts, 'closing' | 'view' | 'receivedChanges'> = {
    config,
    environment,
    engines,
    clock,
    owner,
    watch,
    responder,
    baseUrl: publicUrl,
    measure: metrics.add,
  };
  compareClocks();

  /** All processes compare their clocks with the registry's clock. */
  function compareClocks(): void {
    const { postgres } = engines;
    if (!postgres) return;
    const ahead = createClockOffset({ readServerTime: postgres.now, now: environment.now, steadyNow: pace.now });
    const compare = async (): Promise<void> => {
      await ahead().then(
        (offset) => clock.setOffset(-offset),
        // The engine watch reports unavailable engines.
        () => {},
      );
      process.refuse(clock.refusal);
      if (clock.isOpen || !clock.refusal) await clock.runWaiting().catch(() => {});
      if (!stopping.signal.aborted) closeTimer = pace.setTimer(() => void compare(), COMPARE_EVERY_MS);
    };
    let closeTimer = (): void => {};
    closing.add(() => closeTimer());
    void compare();
  }

  const delay = createDelay(pace.setTimer);

  async function begin(): Promise<void> {
    for (;;) {
      await watch.allThere();
      const own = createClosing((error) => logger.error({ err: error }, 'not everything could be closed'));
      try {
        if (roles.some((role) => READS_STREAMS_OF_EVENTS.has(role))) own.add(await followReplacements(engines.log));
        const { listener, played } = await startRoles({
          ...parts,
          closing: own,
          ...(await openClusterView(parts, own)),
        });
        rolesClosing = own;
        state.played = played;
        if (listener) process.serve(listener);
        break;
      } catch (error) {
        await own.close();
        if (!(error instanceof UnavailableError)) throw error;
        logger.warn({ err: error }, 'the roles could not begin, trying again');
        await delay(TRY_EVERY_MS, stopping.signal);
      }
    }
    await Promise.all(state.played.map((role) => role.caughtUp));
    caughtUp.isSo = true;
    logger.info({ roles }, 'ready');
  }

  let rolesClosing: Closing | undefined;
  closing.level();
  closing.add(async () => rolesClosing?.close());
  const failed = new Promise<never>((_, reject) => {
    failBy = reject;
    begin().catch((error: unknown) => {
      if (!stopping.signal.aborted) reject(error as Error);
    });
  });
  failed.catch(() => {});
  logger.info({ roles, engines: ENGINE_NAMES.filter((name) => engines.pingable.has(name)) }, 'listening');
  return { listening: listenUrl(config, state.port), failed, stop: closing.close };
}

import { createHttpServer } from '../../api/http/http-server.ts';
import { createResponder } from '../../api/http/responder.ts';
import { Unavailable } from '../../domain/unavailable.ts';
import { createSharedClock } from '../../platform/clock/shared-clock.ts';
import { clockOffset } from '../../platform/postgres/clock-offset.ts';
import { baseUrl, type Config, listenUrl } from '../../platform/settings/config.ts';
import { ENGINE_NAMES } from '../../platform/settings/engine-names.ts';
import { ENGINES_OF_ROLE } from '../../platform/settings/profile.ts';
import { delayOf } from '../../platform/time/delay-of.ts';
import { cacheReads, createClusterMetrics, lagSample } from '../metrics/cluster-metrics.ts';
import { byName, one } from '../metrics/metric-registry.ts';
import type { AppLog } from './app.ts';
import { type Closing, createClosing } from './closing.ts';
import { openClusterEngines } from './cluster-engines.ts';
import { connectionsOf, descriptorLimit } from './descriptors.ts';
import { watchEngines } from './engine-watch.ts';
import { type Environment, realEnvironment } from './environment.ts';
import { listen, stopListening } from './listen.ts';
import { openView } from './open-view.ts';
import { playRoles } from './play-roles.ts';
import { createProcessListener, type ProcessState } from './process-listener.ts';
import type { PlayedRole, RoleParts } from './role-parts.ts';

/** A process of a cluster. */
export interface ClusterProcess {
  /** `http://HOST:PORT`, with the port that was taken. */
  readonly listening: string;
  /** Rejects where it cannot go on: another pepper than the registry's, tables that are too new. */
  readonly failed: Promise<never>;
  /** Stops accepting, tells the streams, finishes what is in flight. */
  stop(): Promise<void>;
}

const TRY_EVERY_MS = 1000;
const COMPARE_EVERY_MS = 5000;

/**
 * Starts a process of a cluster. It listens at once, whoever is away, and goes on by itself when all are there.
 * @throws ListenError when the address cannot be had
 */
export async function startClusterProcess(config: Config, logger: AppLog): Promise<ClusterProcess> {
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
  const state = { port: config.port, played: [] as readonly PlayedRole[] };
  const publicUrl = () => baseUrl(config, state.port);
  const engines = await openClusterEngines(config.cluster!, environment, closing);
  const clock = createSharedClock({ now: environment.now });

  closing.level();
  const watch = watchEngines({ engines: engines.asked, now: pace.now, setTimer: pace.setTimer, logger });
  closing.add(watch.close);
  const stopping = new AbortController();
  closing.add(() => stopping.abort(new Error('the process stops')));
  const metrics = createClusterMetrics((error) => logger.warn({ err: error }, 'a metric could not be told'));
  metrics.add(
    {
      info: () => [[{ version, roles: roles.join(',') }, 1]],
      engineUp: () => {
        const away = new Set(watch.away());
        return [...engines.asked.keys()].map((engine) => [{ engine }, away.has(engine) ? 0 : 1] as const);
      },
      clockOffset: () => (clock.ahead === undefined ? [] : one(clock.ahead / 1000)),
      partitions: () => byName('group', engines.feed.assigned()),
      consumerLag: () => engines.feed.lags().map(lagSample),
      records: () => one(engines.log.figures?.records ?? 0),
      roundTrips: () => byName('engine', engines.roundTrips),
      ...cacheReads({
        'records-of-topics': () => ({ bytes: engines.feed.heldBytes, limit: engines.feed.heldLimit }),
        'known-streams': () => engines.log.knownStreams,
      }),
    },
    'process',
  );
  const responder = createResponder({
    ...{ baseUrl: publicUrl, newRequestId, log: logger },
  });
  const caughtUp = { isSo: false };
  const needed = new Set(roles.flatMap((role) => ENGINES_OF_ROLE[role]));

  function processState(): ProcessState {
    // What serves no role that is played here keeps nobody from it: ingest goes on without the read store.
    const waitingFor = watch.away().filter((engine) => state.played.length === 0 || needed.has(engine));
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

  const parts: Omit<RoleParts, 'closing' | 'view' | 'hearing'> = {
    ...{ config, environment, engines, clock, owner, watch, responder, baseUrl: publicUrl, measure: metrics.add },
  };
  compareClocks();

  /** The clock of the registry is what all processes are held to. */
  function compareClocks(): void {
    const { postgres } = engines;
    if (!postgres) return;
    const ahead = clockOffset({ ask: postgres.now, now: environment.now, steadyNow: pace.now });
    const compare = async (): Promise<void> => {
      await ahead().then(
        (offset) => clock.compared(-offset),
        // What is away is told elsewhere.
        () => {},
      );
      process.refuse(clock.refusal);
      if (clock.isOpen || !clock.refusal) await clock.look().catch(() => {});
      if (!stopping.signal.aborted) closeTimer = pace.setTimer(() => void compare(), COMPARE_EVERY_MS);
    };
    let closeTimer = (): void => {};
    closing.add(() => closeTimer());
    void compare();
  }

  const delay = delayOf(pace.setTimer);

  async function begin(): Promise<void> {
    for (;;) {
      await watch.allThere();
      const own = createClosing((error) => logger.error({ err: error }, 'not everything could be closed'));
      try {
        const { listener, played } = await playRoles({ ...parts, closing: own, ...(await openView(parts, own)) });
        rolesClosing = own;
        state.played = played;
        if (listener) process.serve(listener);
        break;
      } catch (error) {
        await own.close();
        if (!(error instanceof Unavailable)) throw error;
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
    begin().catch((error: unknown) => {
      if (!stopping.signal.aborted) reject(error as Error);
    });
  });
  failed.catch(() => {});
  logger.info({ roles, engines: ENGINE_NAMES.filter((name) => engines.asked.has(name)) }, 'listening');
  return { listening: listenUrl(config, state.port), failed, stop: closing.close };
}

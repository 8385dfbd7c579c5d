import { createResponder } from '../../../src/api/http/responder.ts';
import type { Places } from '../../../src/domain/position.ts';
import { Unavailable } from '../../../src/domain/unavailable.ts';
import { makeTopics } from '../../../src/messaging/topics.ts';
import { createSharedClock } from '../../../src/platform/clock/shared-clock.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { ROLES } from '../../../src/platform/settings/profile.ts';
import { realDelay, withRetries } from '../../../src/platform/time/retry.ts';
import type { WaitOptions } from '../../../src/read-models/projector/waiters.ts';
import { openApiCore } from '../../../src/server/composition/api-role.ts';
import { type Closing, createClosing } from '../../../src/server/composition/closing.ts';
import { type ClusterEngines, openClusterEngines } from '../../../src/server/composition/cluster-engines.ts';
import type { Core } from '../../../src/server/composition/core.ts';
import type { Environment } from '../../../src/server/composition/environment.ts';
import { realEnvironment } from '../../../src/server/composition/environment.ts';
import { openTaking } from '../../../src/server/composition/ingest-role.ts';
import { openView } from '../../../src/server/composition/open-view.ts';
import type { Secrets } from '../../../src/server/composition/ports.ts';
import { playProjector } from '../../../src/server/composition/projector-role.ts';
import { playRelay } from '../../../src/server/composition/relay-role.ts';
import type { RoleParts } from '../../../src/server/composition/role-parts.ts';
import { BASE_URL, type ComposedOptions, type OpenedStores } from '../composed.ts';
import { clusterWorld } from './cluster-places.ts';

/** As the command `cluster` has it, so that a server that has gone leaves its partitions soon. */
const SESSION_MS = 1500;
/** Few: each costs the broker files, and most tests know one event. */
const PARTITIONS = 2;
let servers = 0;

/**
 * What a server of a cluster stands on, with all roles in this process: engines of the run, in a world of their own. The
 * log, the limits and the leases go by the test's clock; what asks engines again and again, by the real one.
 */
export async function openClusterStores(
  options: ComposedOptions,
  given: Environment,
  secrets: Secrets,
): Promise<OpenedStores> {
  const { logger } = given;
  const closing = createClosing((error) => logger.error({ err: error }, 'not everything could be closed'));
  try {
    return await openAll(options, given, secrets, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function openAll(
  { folder, around, settings }: ComposedOptions,
  given: Environment,
  secrets: Secrets,
  closing: Closing,
): Promise<OpenedStores> {
  const { now, logger } = given;
  const world = await clusterWorld(folder);
  closing.add(world.close);
  world.setClock(now);
  closing.level();
  const cluster = { addresses: world.addresses, sessionMs: SESSION_MS };
  const environment: Environment = {
    ...realEnvironment({
      ...logger,
      // What is tried again is no failure.
      warn() {},
    }),
    ...{ now, random: given.random, randomBytes: given.randomBytes, newRequestId: given.newRequestId },
  };
  const opened = await openClusterEngines(cluster, environment, closing, {
    ...{ prefix: world.prefix, partitions: PARTITIONS, limitsNow: now },
  });
  const engines: ClusterEngines = { ...opened, postgres: { ...opened.postgres!, now: async () => now() } };
  closing.level();
  await engines.redis!.ready();
  await patiently(() => makeTopics(engines.broker, engines.topics, ['facts', 'changes', 'ingest']));
  const clock = createSharedClock({ now });
  clock.compared(0);
  const baseUrl = () => BASE_URL;
  const common: Omit<RoleParts, 'view' | 'hearing'> = {
    config: { ...readConfig({}), ...settings, roles: ROLES, cluster, keyPepper: secrets.pepper },
    ...{ environment, engines, clock, closing, baseUrl },
    owner: `server-${++servers}`,
    watch: { away: () => [] },
    responder: createResponder({ baseUrl, newRequestId: given.newRequestId, log: logger }),
    measure() {},
  };
  const parts: RoleParts = { ...common, ...(await patiently(() => openView(common, closing))) };
  playRelay(parts);
  const taking = await openTaking(parts);
  const api = await openApiCore(parts, taking);
  const ports = around?.(api.ports) ?? api.ports;
  const view = parts.view!;
  let projector: ReturnType<typeof playProjector> | undefined;
  const core = {
    ...api.core,
    intake: taking.intake,
    runner: {
      ...view,
      async start() {
        projector ??= playProjector(parts);
        await projector.caughtUp;
      },
      caughtUp: (options?: WaitOptions) => view.projected(undefined, options),
      rebuild: async (names?: readonly string[]) => projector!.runner.rebuild(names),
      stop: async () => projector?.runner.stop(),
    } as unknown as Core['runner'],
    async projected(places?: Places, options?: WaitOptions) {
      await view.projected(places, options);
      await api.core.forecasts.reached(await ports.log.head(), options?.signal);
    },
    close: async () => {},
  } as Core;
  return {
    ...{ ports, core, shared: api.shared, close: closing.close },
    registry: async () => engines.postgres!.db,
  };
}

/** As a process does that begins while an engine is slow. */
const patiently = <T>(work: () => Promise<T>): Promise<T> =>
  withRetries(work, {
    ...{ delay: realDelay, signal: new AbortController().signal },
    isFinal: (error) => !(error instanceof Unavailable),
    onRetry() {},
  });

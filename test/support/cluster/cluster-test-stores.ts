import { createResponder } from '../../../src/api/http/responder.ts';
import type { PartitionPositions } from '../../../src/domain/event-sourcing/position.ts';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import { makeTopics } from '../../../src/messaging/broker/topics.ts';
import { realDelay, retryWithBackoff } from '../../../src/platform/async/retry.ts';
import { createClusterClock } from '../../../src/platform/clock/cluster-clock.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { ROLES } from '../../../src/platform/settings/deployment-profile.ts';
import type { WaitOptions } from '../../../src/read-models/projector/progress/waiters.ts';
import { type ClusterEngines, openClusterEngines } from '../../../src/server/cluster/cluster-engines.ts';
import { openClusterView } from '../../../src/server/cluster/open-cluster-view.ts';
import type { RoleParts } from '../../../src/server/cluster/role-parts.ts';
import { openApiCore } from '../../../src/server/cluster/roles/api-role.ts';
import { openClusterIntakeOfRole } from '../../../src/server/cluster/roles/ingest-role.ts';
import { startProjectorRole } from '../../../src/server/cluster/roles/projector-role.ts';
import { startRelayRole } from '../../../src/server/cluster/roles/relay-role.ts';
import { type Closing, createClosing } from '../../../src/server/composition/closing.ts';
import type { Environment } from '../../../src/server/composition/environment.ts';
import { realEnvironment } from '../../../src/server/composition/environment.ts';
import type { Core } from '../../../src/server/composition/open-core.ts';
import type { Secrets } from '../../../src/server/composition/ports.ts';
import { BASE_URL, type ComposedOptions, type OpenedStores } from '../composed.ts';
import { clusterWorld } from './cluster-test-world.ts';

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
    now,
    random: given.random,
    randomBytes: given.randomBytes,
    newRequestId: given.newRequestId,
  };
  const opened = await openClusterEngines(cluster, environment, closing, {
    prefix: world.prefix,
    partitions: PARTITIONS,
    limitsNow: now,
    graceMs: 0,
  });
  const engines: ClusterEngines = { ...opened, postgres: { ...opened.postgres!, now: async () => now() } };
  closing.level();
  await engines.redis!.ready();
  await patiently(() => makeTopics(engines.broker, engines.topics, ['facts', 'changes', 'ingest']));
  const clock = createClusterClock({ now });
  clock.setOffset(0);
  const baseUrl = () => BASE_URL;
  const common: Omit<RoleParts, 'view' | 'receivedChanges'> = {
    config: { ...readConfig({}), ...settings, roles: ROLES, cluster, keyPepper: secrets.pepper },
    environment,
    engines,
    clock,
    closing,
    baseUrl,
    owner: `server-${++servers}`,
    watch: { unavailable: () => [] },
    responder: createResponder({ baseUrl, newRequestId: given.newRequestId, log: logger }),
    measure() {},
  };
  const parts: RoleParts = { ...common, ...(await patiently(() => openClusterView(common, closing))) };
  startRelayRole(parts);
  const taking = await openClusterIntakeOfRole(parts);
  const api = await openApiCore(parts, taking);
  const ports = around?.(api.ports) ?? api.ports;
  const view = parts.view!;
  let projector: ReturnType<typeof startProjectorRole> | undefined;
  const core = {
    ...api.core,
    intake: taking.intake,
    runner: {
      ...view,
      async start() {
        projector ??= startProjectorRole(parts);
        await projector.caughtUp;
      },
      caughtUp: (options?: WaitOptions) => view.projected(undefined, options),
      rebuild: async (names?: readonly string[]) => projector!.runner.rebuild(names),
      stop: async () => projector?.runner.stop(),
    } as unknown as Core['runner'],
    async projected(places?: PartitionPositions, options?: WaitOptions) {
      await view.projected(places, options);
      await api.core.forecasts.waitUntilLearned(await ports.log.head(), options?.signal);
    },
    close: async () => {},
  } as Core;
  return {
    ports,
    core,
    shared: api.shared,
    close: closing.close,
    registry: async () => engines.postgres!.db,
  };
}

/** As a process does that begins while an engine is slow. */
const patiently = <T>(work: () => Promise<T>): Promise<T> =>
  retryWithBackoff(work, {
    delay: realDelay,
    signal: new AbortController().signal,
    isFinal: (error) => !(error instanceof UnavailableError),
    onRetry() {},
  });

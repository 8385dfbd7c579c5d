import { createInvoicing } from '../../accounts/billing/billing.ts';
import { plansInForce } from '../../accounts/billing/plans/live-plans.ts';
import { sqlBilledAccounts } from '../../accounts/billing/sql-billing.ts';
import { keysAdministration } from '../../accounts/keys-administration.ts';
import { openOperators } from '../../accounts/users/open-people.ts';
import type { OperatorsOfPeople } from '../../accounts/users/people.ts';
import type { Projection } from '../../domain/projection.ts';
import { postgresIdentities } from '../../ingest/identities/postgres-identities.ts';
import { BATCH, type Intake } from '../../ingest/intake.ts';
import { postgresStateSnapshots } from '../../ingest/states/postgres-state-snapshots.ts';
import { createSharedClock } from '../../platform/clock/shared-clock.ts';
import { providerOf } from '../../platform/payments/provider.ts';
import { baseUrl, type Config } from '../../platform/settings/config.ts';
import type { EngineName } from '../../platform/settings/engine-names.ts';
import { realDelay } from '../../platform/time/retry.ts';
import { orderRebuild } from '../../read-models/projector/partitioned/ordered-rebuild.ts';
import type { RebuildResult } from '../../read-models/projector/rebuild.ts';
import type { KeysActionParts } from '../control/keys-action.ts';
import { type Closing, createClosing } from './closing.ts';
import { openIntake } from './core.ts';
import { openEventLogEngine, openLimitsEngine, openReadStoreEngine, openRegistryEngine } from './engine-clients.ts';
import { type Environment, realEnvironment, silentLog } from './environment.ts';
import type { ReadPorts } from './ports.ts';
import { openPostgresRegistry } from './postgres-registry.ts';
import { registryMarks } from './registry-marks.ts';
import { secretsFrom } from './secrets.ts';
import { openSharedCredits } from './shared-ports.ts';

/** A cluster in which a command works, beside its processes. */
export interface CommandEngines {
  readonly config: Config;
  readonly environment: Environment;
  /** Names this command among the processes. */
  readonly owner: string;
  readonly closing: Closing;
  /** The address of an engine that the command needs. */
  readonly addressOf: (engine: EngineName) => string;
}

/** Opens nothing yet. @param config its `cluster` has the addresses that the command needs */
export function commandEngines(config: Config): CommandEngines {
  const environment = realEnvironment(silentLog);
  const { addresses } = config.cluster!;
  return {
    ...{ config, environment, closing: createClosing(() => {}) },
    owner: `command-${Buffer.from(environment.randomBytes(9)).toString('base64url')}`,
    addressOf: (engine) => addresses[engine]!,
  };
}

/** What of a cluster's stores can be read; those whose addresses were not given are not there. */
export async function openClusterForReading(config: Config): Promise<ReadPorts> {
  const { addresses } = config.cluster!;
  const engines = commandEngines(config);
  const log = await openLog(engines);
  const store = addresses['read-store'] === undefined ? undefined : await openStore(engines);
  const postgres = addresses.registry === undefined ? undefined : await openRegistry(engines);
  const { now } = engines.environment;
  return {
    log,
    store: store!,
    identities: postgres ? postgresIdentities(postgres, { now }) : undefined!,
    billing: postgres ? sqlBilledAccounts(postgres.db) : undefined!,
    close: engines.closing.close,
  };
}

/** The one way in, of this process. What others leave behind is theirs to try. */
export async function openClusterIntake(
  config: Config,
): Promise<{ readonly intake: Intake; readonly close: () => Promise<void> }> {
  const engines = commandEngines(config);
  const { environment, owner, closing } = engines;
  const [log, postgres] = [await openLog(engines), await openRegistry(engines)];
  const clock = await comparedClock(engines, postgres);
  const intake = await openIntake(
    {
      ...{ log, clock, identities: postgresIdentities(postgres, { now: clock.now }) },
      states: postgresStateSnapshots(postgres),
    },
    { now: clock.now, random: environment.random },
    { owner, partMessages: BATCH },
  );
  return { intake, close: closing.close };
}

/** What the keys command does, beside the processes. @throws ConfigError where the pepper is not the registry's */
export async function openClusterKeys(
  config: Config,
): Promise<{ readonly parts: KeysActionParts; readonly close: () => Promise<void> }> {
  const engines = commandEngines(config);
  const { environment, owner, closing, addressOf } = engines;
  const [log, store, postgres] = [await openLog(engines), await openStore(engines), await openRegistry(engines)];
  const redis = await openLimitsEngine(addressOf('limits'), environment);
  closing.add(async () => void (await redis.close()));
  const secrets = secretsFrom(config, environment);
  try {
    await registryMarks(postgres).checkPepper(secrets.pepper);
    const clock = await comparedClock(engines, postgres);
    const {
      keys: registry,
      billing,
      billingStores,
    } = await openPostgresRegistry(postgres, secrets.box, clock, { name: owner });
    closing.level();
    const provider = providerOf(config);
    const plans = plansInForce(config.plans, await billingStores.planChanges.all());
    const { randomBytes: random } = environment;
    const { administration } = createInvoicing({
      ...{ log, registry: billing, provider, random, now: clock.now, plans, billingLog: silentLog },
      credits: openSharedCredits({ engines: { redis, log, store }, environment, closing, owner }),
      baseUrl: () => baseUrl(config, config.port),
    });
    const keys = keysAdministration(
      { registry, random, pepper: secrets.pepper, now: clock.now },
      { registry: billing, provider },
    );
    return { parts: { keys, billing: administration }, close: closing.close };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** What the users command does, beside the processes. @throws ConfigError where the pepper is not the registry's */
export async function openClusterOperators(
  config: Config,
): Promise<{ readonly parts: OperatorsOfPeople; readonly close: () => Promise<void> }> {
  const engines = commandEngines(config);
  const { environment, owner, closing } = engines;
  const postgres = await openRegistry(engines);
  const secrets = secretsFrom(config, environment);
  try {
    await registryMarks(postgres).checkPepper(secrets.pepper);
    const clock = await comparedClock(engines, postgres);
    const { registry } = await openPostgresRegistry(postgres, secrets.box, clock, { name: owner });
    const parts = openOperators({
      ...{ ...registry, ...environment, gate: clock, now: clock.now, pepper: secrets.pepper },
      baseUrl: () => baseUrl(config, config.port),
    });
    return { parts, close: closing.close };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** Has read models built anew by the processes that project. Done here is nothing but to wait. */
export async function rebuildInCluster(
  config: Config,
  projections: readonly Projection[],
  onProgress: (records: number) => void,
): Promise<readonly RebuildResult[]> {
  const engines = commandEngines(config);
  const { steadyNow } = engines.environment;
  try {
    const [log, store] = [await openLog(engines), await openStore(engines)];
    const { signal } = new AbortController();
    return await orderRebuild({ log, store, projections, steadyNow, delay: realDelay, onProgress, signal });
  } finally {
    await engines.closing.close();
  }
}

export async function openLog({ addressOf, environment, closing }: CommandEngines) {
  const log = await openEventLogEngine(addressOf('event-log'), environment);
  closing.add(log.close);
  return log;
}

export async function openStore({ addressOf, environment, closing }: CommandEngines) {
  const store = await openReadStoreEngine(addressOf('read-store'), environment);
  closing.add(store.close);
  return store;
}

export async function openRegistry({ addressOf, closing }: CommandEngines) {
  const postgres = await openRegistryEngine(addressOf('registry'));
  closing.add(postgres.close);
  return postgres;
}

/** The registry's clock is the one that processes are held to. @throws Unavailable while this machine's is far off */
export async function comparedClock(
  { environment: { now } }: Pick<CommandEngines, 'environment'>,
  postgres: { now(): Promise<number> },
) {
  const clock = createSharedClock({ now });
  const asked = now();
  const theirs = await postgres.now();
  clock.compared((asked + now()) / 2 - theirs);
  clock.assertOpen();
  return clock;
}

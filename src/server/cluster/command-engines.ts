import { createInvoicing } from '../../accounts/billing/create-billing.ts';
import { mergePlanChanges } from '../../accounts/billing/live-plans.ts';
import { createSqlBilledAccounts } from '../../accounts/billing/sql/sql-billing.ts';
import { createKeyAdministration } from '../../accounts/key-administration.ts';
import { createSqlSealKeys } from '../../accounts/seal-keys/sql-seal-key-store.ts';
import { openOperatorUserActions } from '../../accounts/users/open-users.ts';
import type { OperatorUserActions } from '../../accounts/users/user-service.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import { readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { postgresIdentities } from '../../ingest/identities/sql/postgres-identities.ts';
import { INTAKE_BATCH_SIZE } from '../../ingest/intake/intake.ts';
import { postgresStateSnapshots } from '../../ingest/states/postgres-state-snapshots.ts';
import { realDelay } from '../../platform/async/retry.ts';
import { createClusterClock } from '../../platform/clock/cluster-clock.ts';
import { paymentProviderOf } from '../../platform/payments/open-payments.ts';
import { baseUrl, type Config } from '../../platform/settings/config.ts';
import type { EngineName } from '../../platform/settings/engine-settings.ts';
import { requestRebuild } from '../../read-models/projector/partitioned/cluster-rebuild.ts';
import type { RebuildResult } from '../../read-models/projector/runner-rebuild.ts';
import { type Closing, createClosing } from '../composition/closing.ts';
import { type Environment, realEnvironment, silentLog } from '../composition/environment.ts';
import { openIntake } from '../composition/open-core.ts';
import type { ReadPorts } from '../composition/ports.ts';
import { secretsFrom } from '../composition/secrets.ts';
import type { KeysActionParts } from '../control/keys-action.ts';
import type { MendingParts } from '../mending/do-act.ts';
import { openSharedCredits } from './cluster-stores.ts';
import { openEventLogEngine, openLimitsEngine, openReadStoreEngine, openRegistryEngine } from './engine-clients.ts';
import { openPostgresRegistry } from './postgres-registry.ts';
import { registryMarkers } from './registry-markers.ts';

/** The cluster on which a command works, beside its processes. */
export interface CommandEngines {
  readonly config: Config;
  readonly environment: Environment;
  /** The name of this command among the processes. */
  readonly owner: string;
  readonly closing: Closing;
  /** The address of an engine. The command checked before that it is set. */
  readonly addressOf: (engine: EngineName) => string;
}

/** Opens nothing yet. @param config its `cluster` has the addresses that the command needs */
export function commandEngines(config: Config): CommandEngines {
  const environment = realEnvironment(silentLog);
  const { addresses } = config.cluster!;
  return {
    config,
    environment,
    closing: createClosing(() => {}),
    owner: `command-${Buffer.from(environment.randomBytes(9)).toString('base64url')}`,
    addressOf: (engine) => addresses[engine]!,
  };
}

/** The stores of a cluster for reading. Stores without an address are missing. */
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
    billing: postgres ? createSqlBilledAccounts(postgres.db) : undefined!,
    sealKeys: postgres ? createSqlSealKeys(postgres.db) : undefined!,
    close: engines.closing.close,
  };
}

/** An intake in this process. It does not retry what other intakes left in quarantine. */
export async function openClusterIntake(
  config: Config,
): Promise<MendingParts & { readonly close: () => Promise<void> }> {
  const engines = commandEngines(config);
  const { environment, owner, closing } = engines;
  const [log, postgres] = [await openLog(engines), await openRegistry(engines)];
  const clock = await comparedClock(engines, postgres);
  const identities = postgresIdentities(postgres, { now: clock.now });
  const intake = await openIntake(
    {
      log,
      clock,
      identities,
      states: postgresStateSnapshots(postgres),
    },
    { now: clock.now, random: environment.random },
    { owner, partMessages: INTAKE_BATCH_SIZE, quarantine: config.quarantine },
  );
  return { intake, preview: (item) => intake.preview(item), identities, log, now: clock.now, close: closing.close };
}

/** The actions of the keys command, beside running processes. @throws ConfigError if the pepper is not the registry's */
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
    await registryMarkers(postgres).checkPepper(secrets.pepper);
    const clock = await comparedClock(engines, postgres);
    const {
      keys: registry,
      billing,
      billingStores,
    } = await openPostgresRegistry(postgres, secrets.box, clock, { name: owner });
    closing.level();
    const provider = paymentProviderOf(config);
    const plans = mergePlanChanges(config.plans, await billingStores.planChanges.all());
    const { randomBytes: random } = environment;
    const { administration } = createInvoicing({
      log,
      registry: billing,
      provider,
      random,
      now: clock.now,
      plans,
      billingLog: silentLog,
      credits: openSharedCredits({ engines: { redis, log, store }, environment, closing, owner }),
      baseUrl: () => baseUrl(config, config.port),
    });
    const keys = createKeyAdministration(
      { registry, random, pepper: secrets.pepper, now: clock.now },
      { registry: billing, provider },
    );
    return { parts: { keys, billing: administration }, close: closing.close };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** The actions of the users command, beside running processes. @throws ConfigError if the pepper is not the registry's */
export async function openClusterOperators(
  config: Config,
): Promise<{ readonly parts: OperatorUserActions; readonly close: () => Promise<void> }> {
  const engines = commandEngines(config);
  const { environment, owner, closing } = engines;
  const postgres = await openRegistry(engines);
  const secrets = secretsFrom(config, environment);
  try {
    await registryMarkers(postgres).checkPepper(secrets.pepper);
    const clock = await comparedClock(engines, postgres);
    const { registry } = await openPostgresRegistry(postgres, secrets.box, clock, { name: owner });
    const parts = openOperatorUserActions({
      ...registry,
      ...environment,
      gate: clock,
      now: clock.now,
      pepper: secrets.pepper,
      baseUrl: () => baseUrl(config, config.port),
    });
    return { parts, close: closing.close };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/**
 * Requests a rebuild from the projecting processes, and waits for them.
 * @param isLearnedToo whether what is stored of the learned forecasts is thrown away too. Processes that run keep what
 * they have learned, and store nothing more of it.
 */
export async function rebuildInCluster(
  config: Config,
  projections: readonly Projection[],
  isLearnedToo: boolean,
  onProgress: (records: number) => void,
): Promise<readonly RebuildResult[]> {
  const engines = commandEngines(config);
  const { steadyNow } = engines.environment;
  try {
    const [log, store] = [await openLog(engines), await openStore(engines)];
    const { signal } = new AbortController();
    const rebuilt = await requestRebuild({ log, store, projections, steadyNow, delay: realDelay, onProgress, signal });
    if (isLearnedToo) await store.results.writing.clear();
    return rebuilt;
  } finally {
    await engines.closing.close();
  }
}

export async function openLog({ addressOf, environment, closing }: CommandEngines) {
  const log = await openEventLogEngine(addressOf('event-log'), environment);
  closing.add(log.close);
  await readReplacements(log);
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

/** Compares this machine's clock with the registry's clock. @throws UnavailableError while it is far off */
export async function comparedClock(
  { environment: { now } }: Pick<CommandEngines, 'environment'>,
  postgres: { now(): Promise<number> },
) {
  const clock = createClusterClock({ now });
  const asked = now();
  const theirs = await postgres.now();
  clock.setOffset((asked + now()) / 2 - theirs);
  clock.assertOpen();
  return clock;
}

import type { Credits } from '../../accounts/credits/credits.ts';
import { openRedisCredits } from '../../accounts/credits/redis/redis-credits.ts';
import { openRedisLimits } from '../../api/limits/redis-limits.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { postgresIdentities } from '../../ingest/identities/sql/postgres-identities.ts';
import type { Ports, Secrets } from '../composition/ports.ts';
import { secretsFrom } from '../composition/secrets.ts';
import type { SharedMetering } from '../composition/server-parts.ts';
import { feedDivision } from './cluster-view.ts';
import { openPostgresRegistry } from './postgres-registry.ts';
import { registryMarkers } from './registry-markers.ts';
import type { RoleParts } from './role-parts.ts';

/** The heartbeat interval of a process. Without a heartbeat it loses the concurrency slots of its calls. */
const SIGN_EVERY_MS = 2000;

/** The lease of a process that sends webhooks. When it ends, other processes send its messages. */
export const WEBHOOK_LEASE_MS = 6000;

/**
 * All stores of a process that has all engines.
 * @throws ConfigError if the registry was created with another pepper; UnavailableError
 */
export async function openClusterStores(
  parts: RoleParts,
): Promise<{ readonly ports: Ports; readonly secrets: Secrets }> {
  const { engines, config, environment, clock, owner } = parts;
  const { log, feed, postgres, store } = engines;
  const secrets = secretsFrom(config, environment);
  await registryMarkers(postgres!).checkPepper(secrets.pepper);
  const registry = await openPostgresRegistry(postgres!, secrets.box, clock, {
    name: owner,
    steadyNow: environment.steadyNow,
  });
  const ports: Ports = {
    ...registry,
    log,
    feed,
    clock,
    store: store!,
    folds: store!.folds,
    results: config.roles.includes('intelligence') ? store!.results.writing : store!.results.reading,
    identities: postgresIdentities(postgres!, { now: clock.now }),
    // The engines are closed by their opener.
    close: async () => {},
  };
  return { ports, secrets };
}

/** Limits and credits that all processes share. */
export function openSharedMetering(parts: RoleParts, ports: Pick<Ports, 'log' | 'identities'>): SharedMetering {
  const { engines, owner, closing, watch, clock } = parts;
  const { sharedNames } = engines;
  const limits = openRedisLimits({
    connection: engines.redis!,
    owner,
    now: sharedNames?.limitsNow,
    ...(sharedNames && { prefix: `${sharedNames.prefix}limits:` }),
  });
  const signs = setInterval(() => void Promise.resolve(limits.renew()).catch(() => {}), SIGN_EVERY_MS);
  signs.unref();
  closing.add(() => clearInterval(signs));
  return {
    owner,
    limits,
    credits: (onCharged) => openSharedCredits(parts, onCharged),
    partitioning: feedDivision(engines.topics),
    lastKnown: lastKnownOf(ports),
    webhookLease: { owner, forMs: WEBHOOK_LEASE_MS },
    isDegraded: () => (watch.unavailable().length > 0 ? 'engine' : clock.isOff ? 'clock' : undefined),
  };
}

interface SharedCreditsParts extends Pick<RoleParts, 'environment' | 'owner'> {
  readonly engines: Pick<RoleParts['engines'], 'redis' | 'log' | 'store' | 'sharedNames'>;
  readonly closing: Pick<RoleParts['closing'], 'add'>;
}

export function openSharedCredits(
  { engines, environment, closing, owner }: SharedCreditsParts,
  onCharged?: (credits: number, accountId: number) => void,
): Credits {
  const { redis, log, store, sharedNames } = engines;
  const { later, steadyNow, setTimer, logger } = environment;
  const credits = openRedisCredits({
    connection: redis!,
    log,
    store: store!,
    writerId: owner,
    later,
    steadyNow,
    setTimer,
    onCharged,
    ...(sharedNames && {
      prefix: `${sharedNames.prefix}credits:`,
      now: sharedNames.limitsNow,
      graceMs: sharedNames.graceMs,
    }),
    onError: (error) => logger.error({ err: error }, 'charges were lost, with the calls that they are for'),
    onTrouble: (error) => logger.error({ err: error }, 'charges are late: the log did not take them'),
  });
  closing.add(credits.close);
  return credits;
}

/** Remembers the last answer, so that health can be shown while an engine is unavailable. */
function lastKnownOf({ log, identities }: Pick<Ports, 'log' | 'identities'>): SharedMetering['lastKnown'] {
  return {
    log: {
      head: orLast(() => log.head(), null),
      countBetween: log.countBetween,
      recordAt: (position) => log.recordAt(position),
      readAll: (after, limit) => log.readAll(after, limit),
    },
    identities: { countQuarantined: orLast(() => identities.countQuarantined(), []) },
  };
}

function orLast<T>(ask: () => Promise<T>, first: T): () => Promise<T> {
  let last = first;
  return async () => {
    try {
      last = await ask();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
    return last;
  };
}

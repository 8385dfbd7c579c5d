import { createClusterClock } from '../../platform/clock/cluster-clock.ts';
import { openPostgres } from '../../platform/postgres/open-postgres.ts';
import type { ClusterSettings } from '../../platform/settings/deployment-profile.ts';
import {
  ENGINE_NAMES,
  ENGINE_VARIABLES,
  type EngineName,
  redactAddress,
} from '../../platform/settings/engine-settings.ts';
import { openEventLogEngine, openLimitsEngine, openReadStoreEngine } from '../cluster/engine-clients.ts';
import { type Pingable, pingInTime } from '../cluster/engine-watch.ts';
import { type Environment, silentLog } from '../composition/environment.ts';
import { type Finding, failed, lineOf, ok, warning } from './finding.ts';

type Opened = Pingable & { close(): unknown };

/**
 * Asks each engine of a cluster once whether it is there, and the registry for the time. Writes nothing.
 * @param addresses those of the settings
 */
export async function checkEngines(
  { addresses }: Pick<ClusterSettings, 'addresses'>,
  environment: Pick<Environment, 'now' | 'steadyNow' | 'setTimer'>,
): Promise<Finding[]> {
  const given = ENGINE_NAMES.flatMap((name) =>
    addresses[name] === undefined ? [] : [[name, addresses[name]] as const],
  );
  const found = await Promise.all(given.map(([name, url]) => checkEngine(name, url, environment)));
  return found.flat();
}

async function checkEngine(
  name: EngineName,
  url: string,
  environment: Pick<Environment, 'now' | 'steadyNow' | 'setTimer'>,
): Promise<Finding[]> {
  const where = redactAddress(url);
  const todo = `see that it runs and can be reached from here, and that ${ENGINE_VARIABLES[name]} is right`;
  let engine: Opened | undefined;
  try {
    if (name === 'registry') return await checkRegistry(where, url, environment);
    engine = await openEngine(name, url, environment);
    await pingInTime(engine, environment.setTimer);
    return [ok(name, `${where} answers`)];
  } catch (error) {
    return [failed(name, `${where} does not answer as needed: ${lineOf(error)}`, todo)];
  } finally {
    await Promise.resolve(engine?.close()).catch(() => {});
  }
}

async function openEngine(
  name: Exclude<EngineName, 'registry'>,
  url: string,
  environment: Pick<Environment, 'now' | 'steadyNow'>,
): Promise<Opened> {
  if (name === 'event-log') return openEventLogEngine(url, environment);
  if (name === 'read-store') return openReadStoreEngine(url, environment);
  if (name === 'limits') return openLimitsEngine(url, { logger: silentLog });
  const { openKafkajsBroker } = await import('../../messaging/kafkajs/kafkajs-client.ts');
  return openKafkajsBroker({ url });
}

/** Without its migrations: the first process of a new version makes those. */
async function checkRegistry(
  where: string,
  url: string,
  { now, setTimer }: Pick<Environment, 'now' | 'setTimer'>,
): Promise<Finding[]> {
  const registry = openPostgres(url, { migrations: [] });
  try {
    await pingInTime(registry, setTimer);
    const clock = createClusterClock({ now });
    const asked = now();
    const theirs = await registry.now();
    clock.setOffset((asked + now()) / 2 - theirs);
    const says = `the clock is ${Math.round(clock.ahead!) / 1000} s ahead of the registry's`;
    const todo = 'set the clocks of all machines by NTP: timedatectl set-ntp true';
    const ofClock = clock.refusal
      ? failed('clock', says, todo)
      : clock.isOff
        ? warning('clock', says, todo)
        : ok('clock', says);
    return [ok('registry', `${where} answers`), ofClock];
  } finally {
    await registry.close();
  }
}

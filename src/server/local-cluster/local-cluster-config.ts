import { type Config, readConfig } from '../../platform/settings/config.ts';
import { ConfigError } from '../../platform/settings/config-error.ts';
import { ENGINE_NAMES, ENGINE_VARIABLES, type EngineName } from '../../platform/settings/engine-settings.ts';

/** Placeholders for addresses that are known only at run time. */
const ANY: Readonly<Record<EngineName, string>> = {
  'event-log': 'esdb://127.0.0.1',
  'read-store': 'mongodb://127.0.0.1',
  registry: 'postgres://127.0.0.1',
  limits: 'redis://127.0.0.1',
  broker: 'kafka://127.0.0.1:9092',
};
const SECRET = 'made in the data folder when it is unset';

/**
 * The configuration of a cluster on one machine: unset addresses and secrets are created.
 * @param dataDir from the command line, before DATA_DIR
 * @throws ConfigError
 */
export function readClusterConfig(env: Readonly<Record<string, string | undefined>>, dataDir?: string): Config {
  const set = (name: string) => env[name]?.trim() || undefined;
  if (set('ROLES') !== undefined)
    throw new ConfigError('ROLES', 'the command cluster starts all of them; leave it unset');
  const addresses = Object.fromEntries(
    ENGINE_NAMES.map((engine) => [ENGINE_VARIABLES[engine], set(ENGINE_VARIABLES[engine]) ?? ANY[engine]]),
  );
  const secrets = Object.fromEntries(
    ['KEY_PEPPER', 'SESSION_SECRET'].map((name) => [name, set(name) === undefined ? SECRET : env[name]]),
  );
  const config = readConfig({ BASE_URL: 'http://front', ...withoutEmpty(env), ...addresses, ...secrets }, dataDir);
  return {
    ...config,
    publicUrl: set('BASE_URL') === undefined ? undefined : config.publicUrl,
    keyPepper: set('KEY_PEPPER') === undefined ? undefined : config.keyPepper,
    sessionSecret: set('SESSION_SECRET') === undefined ? undefined : config.sessionSecret,
  };
}

const withoutEmpty = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));

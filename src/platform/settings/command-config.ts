import { type Config, readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import { describeAddressForm, EMBEDDED, ENGINE_NAMES, ENGINE_VARIABLES, type EngineName } from './engine-settings.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The engines and secrets that a command of a cluster needs. */
export interface CommandNeeds {
  /** Name of the command, for messages. */
  readonly command: string;
  readonly engines: readonly EngineName[];
  /** Whether the command encrypts or decrypts secrets. */
  readonly pepper?: boolean;
}

const PEPPER_LENGTH = 32;
/** Placeholders for unused engines. A relay is the role with the fewest needs. */
const UNUSED = { EVENT_LOG_URL: 'esdb://127.0.0.1', BROKER_URL: 'kafka://127.0.0.1:9092' } as const;

const addressIn = (env: Variables, engine: EngineName): string | undefined => {
  const value = env[ENGINE_VARIABLES[engine]]?.trim() || undefined;
  return value === EMBEDDED ? undefined : value;
};

/** Whether the environment names a remote engine. */
export const hasEngineAddress = (env: Variables): boolean => ENGINE_NAMES.some((engine) => addressIn(env, engine));

/**
 * The configuration of a command that works on a cluster's engines. Only the engines that it uses are required.
 * @throws ConfigError
 */
export function readClusterCommandConfig(env: Variables, { command, engines, pepper }: CommandNeeds): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const config = readConfig({ ...UNUSED, ...present, ROLES: 'relay' });
  for (const engine of engines) {
    if (addressIn(env, engine)) continue;
    throw new ConfigError(
      ENGINE_VARIABLES[engine],
      `must be ${describeAddressForm(engine)}: the command ${command} needs it`,
    );
  }
  if (pepper && (config.keyPepper?.length ?? 0) < PEPPER_LENGTH) {
    throw new ConfigError('KEY_PEPPER', `must be the secret of the cluster: the command ${command} needs it`);
  }
  const given = ENGINE_NAMES.filter((engine) => addressIn(env, engine));
  const { addresses, sessionMs } = config.cluster!;
  return {
    ...config,
    cluster: { addresses: Object.fromEntries(given.map((engine) => [engine, addresses[engine]])), sessionMs },
  };
}

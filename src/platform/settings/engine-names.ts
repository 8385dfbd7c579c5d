/** The embedded store. */
export const EMBEDDED = 'sqlite:';

/** The servers of a cluster, by their names in health, logs and `cluster.json`. */
export const ENGINE_NAMES = ['event-log', 'read-store', 'registry', 'limits', 'broker'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** The variable with each engine's address. */
export const ENGINE_VARIABLES = {
  'event-log': 'EVENT_LOG_URL',
  'read-store': 'READ_STORE_URL',
  registry: 'REGISTRY_URL',
  limits: 'LIMITS_URL',
  broker: 'BROKER_URL',
} as const satisfies Readonly<Record<EngineName, string>>;

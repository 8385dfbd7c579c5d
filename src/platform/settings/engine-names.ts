/** The servers that a cluster stands on, by the names under which health, logs and `cluster.json` speak of them. */
export const ENGINE_NAMES = ['event-log', 'read-store', 'registry', 'limits', 'broker'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Where the address of each engine is given. */
export const ENGINE_VARIABLES = {
  'event-log': 'EVENT_LOG_URL',
  'read-store': 'READ_STORE_URL',
  registry: 'REGISTRY_URL',
  limits: 'LIMITS_URL',
  broker: 'BROKER_URL',
} as const satisfies Readonly<Record<EngineName, string>>;

/** What the tables of a data folder hold, in the order in which it is told. */
export const TABLE_GROUPS = [
  'log',
  'read models',
  'forecasts',
  'identities',
  'quarantine',
  'accounts',
  'webhooks',
  'server',
] as const;
export type TableGroup = (typeof TABLE_GROUPS)[number];

/** The names begin with these. Every other table is about accounts: their users, keys, payments and mails. */
const PREFIXES: readonly (readonly [RegExp, TableGroup])[] = [
  [/^(records|streams|log_)/, 'log'],
  [/^(doc_|projection_)/, 'read models'],
  [/^(forecast_|decider_states)/, 'forecasts'],
  [/^(external_ids|names|named_sources|fixtures|id_counters)/, 'identities'],
  [/^quarantine/, 'quarantine'],
  [/^webhook_/, 'webhooks'],
  [/^(sqlite_|checksums|counted_rows|background_jobs|feed_)/, 'server'],
];

export const groupOfTable = (table: string): TableGroup =>
  PREFIXES.find(([prefix]) => prefix.test(table))?.[1] ?? 'accounts';

/** The operator's commands, and the file that each begins in. The order is that of the usage text. */
export const COMMANDS = {
  start: ['src/server/cli/start.ts', 'start the server'],
  cluster: ['src/server/cli/cluster.ts', 'the cluster profile on one machine, for trying and testing'],
  ingest: ['src/server/cli/ingest.ts', 'feed messages in, from files or standard input'],
  import: ['src/server/cli/import.ts', "a provider's own files in"],
  feeds: ['src/server/cli/feeds.ts', 'live connectors: list them, or ask one once'],
  rebuild: ['src/server/cli/rebuild.ts', 'build read models anew from the log'],
  verify: ['src/server/cli/verify.ts', 'fold the log again and compare every document'],
  export: ['src/server/cli/export.ts', 'tables into Parquet, CSV or NDJSON files'],
  replay: ['src/server/cli/replay.ts', 'play a stretch of the log again'],
  audit: ['src/server/cli/audit.ts', 'what is known, when it was learned, from which message; what the folder takes'],
  identities: [
    'src/server/cli/identities.ts',
    'mend what is called what: waiting messages, events that are one or two, names, refs',
  ],
  backtest: ['src/server/cli/backtest.ts', 'judge the forecasts by the log'],
  keys: ['src/server/cli/keys.ts', 'create, list and revoke API keys'],
  users: ['src/server/cli/users.ts', 'make users, staff and new passwords'],
  mcp: ['src/server/cli/mcp.ts', 'the tools of a server for an agent that starts programs'],
  doctor: ['src/server/cli/doctor.ts', 'what stands in the way of a start, and what to do about it'],
  bench: ['bench/main.ts', 'the benchmarks'],
};

/** For each area files that hold its behaviour: the project `cluster` runs them on the engines of a cluster too. */
const AREAS: Readonly<Record<string, readonly string[]>> = {
  ingest: ['api/http/endpoints/ingest-endpoint.long', 'api/spec/corrections', 'api/spec/mappings'],
  rest: ['api/spec/events-list.long', 'api/spec/odds', 'api/spec/score'],
  streams: ['api/streams/stream-endpoint.long'],
  webhooks: ['webhooks/from-fact-to-post'],
  metering: ['api/agent/credits'],
  // The SDK's client calls each tool once; the file of calls opens a server for each of its tests, and runs on demand.
  mcp: ['api/mcp/sdk-client'],
  grading: ['text/slips/requests'],
  'as-of': ['api/spec/as-of.long'],
  identities: [
    'read-models/change-feed/identity-changes.long',
    'api/operations/events/merged-events',
    'api/operations/directory/merged-teams',
    'api/operations/directory/split-teams',
    'api/streams/followed-merged-events',
  ],
  intelligence: ['intelligence/event-intelligence.long'],
};

/** Of what runs on demand (`npm run test:cluster:all`): what a server answers, whatever it stands on. */
const ALL: readonly string[] = [
  ...['agent', 'calls', 'client', 'compat', 'http', 'markets', 'mcp', 'spec', 'statistics', 'streams'].map(
    (way) => `api/${way}`,
  ),
  ...['accounts/billing', 'forecasting/publishing', 'forecasting/track-record', 'intelligence'],
  ...['read-models/change-feed', 'text/name-matching', 'text/slips', 'webhooks'],
].map((folder) => `test/${folder}/**/*.test.ts`);

/** Why a file is left out of what runs on a cluster. */
export const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ['test/**/*.server.test.ts', 'starts processes of its own, on a data folder'],
  ['test/**/*.property.test.ts', 'tries too many servers'],
  [
    'test/api/http/ledgerline-position.long.test.ts',
    'the place of an embedded log is one number, here it is one for each partition',
  ],
]);

export const CLUSTER_FILES: readonly string[] =
  process.env['CLUSTER_FILES'] === 'all'
    ? ALL
    : Object.values(AREAS).flatMap((files) => files.map((file) => `test/${file}.test.ts`));

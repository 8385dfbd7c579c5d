import { createServer, request } from 'node:http';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { operations } from '../../../src/api/operations/index.ts';
import { freePort, startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { dayOfSport } from '../openapi/day-of-sport.ts';
import { rpc, say } from './mcp-client.ts';
import { conform, inspect, installClients } from './outside-clients.ts';

// Clients that others have written. They come from npm, into a folder that git does not see, once: they are heavy, and
// they need a newer Node than we do.

const BOOTSTRAP_KEY = `llk_outsideofusx.${'A'.repeat(43)}`;
const INGEST_KEY = 'ingest';
const MINUTES = 60_000;

beforeAll(async () => {
  console.log(`the outside clients of MCP run on Node ${await installClients()}`);
}, 10 * MINUTES);

/** A server with a day of sport. */
async function started() {
  const folder = temporaryFolder();
  // Where the webhooks go that a client makes.
  const server = await startServer(folder, { BOOTSTRAP_KEY, INGEST_KEY, WEBHOOK_ALLOW: '127.0.0.1/32' });
  const response = await fetch(`${server.url}/ingest/v1/messages?wait=projected`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
    body: dayOfSport(Date.now())
      .map((message) => `${JSON.stringify(message)}\n`)
      .join(''),
  });
  expect(response.status).toBe(200);
  const get = async (path: string): Promise<any> =>
    (await fetch(server.url + path, { headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` } })).json();
  return { ...server, folder, get };
}

it(
  "the inspector's command line lists all tools, and calls every one",
  async () => {
    const { url, folder, get } = await started();
    const ask = (...args: readonly string[]) => inspect(folder, url, BOOTSTRAP_KEY, args);
    const listed = await ask('--method', 'tools/list', '--strict');
    expect(listed.code, listed.stderr).toBe(0);
    const tools: readonly any[] = JSON.parse(listed.stdout).tools;
    const own = await say({ url, key: BOOTSTRAP_KEY }, rpc('tools/list'));
    expect(tools).toEqual(own.body.result.tools);

    const event = (await get('/v1/events')).events[0].id;
    const team = (await get('/v1/teams')).data[0].id;
    const player = (await get('/v1/players')).data[0].id;
    // The order is that in which a webhook is made, used and ended.
    const created = await ask(
      ...['--method', 'tools/call', '--tool-name', 'create_webhook', '--tool-arg', 'url=https://127.0.0.1:9/'],
    );
    expect(created.code, created.stderr).toBe(0);
    const webhook = JSON.parse(created.stdout).structuredContent.id;
    const idOf = (name: string) => {
      const { path } = operations.find((one) => one.name === name)!;
      const kind = /^\/v1\/(\w+)\/\{id\}/.exec(path)?.[1];
      return { events: event, teams: team, players: player, webhooks: webhook }[kind ?? ''];
    };
    const legs = [{ event_id: event, market_key: 'h2h', side: 'home' }];
    const graded = await ask(
      ...['--method', 'tools/call', '--tool-name', 'grade_slip', '--tool-arg', `legs=${JSON.stringify(legs)}`],
    );
    expect(graded.code, graded.stderr).toBe(0);
    const receipt = JSON.parse(graded.stdout).structuredContent.receipt.id;
    const given: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      batch_get_events: { event_ids: [event] },
      query_events: { query: 'nfl today' },
      resolve_team: { query: 'Chiefs' },
      resolve_player: { query: 'Mahomes' },
      grade_slip: { legs },
      get_grade_receipt: { id: receipt },
      scan_ev: { sport: 'nfl' },
      scan_arbitrage: { sport: 'nfl' },
      list_forecasts: { sport: 'nfl' },
      get_record: { sport: 'nfl' },
      get_market_quality: { league: 'nfl' },
      get_standings: { slug: 'nfl' },
      get_futures: { slug: 'nfl' },
      get_projections: { slug: 'nfl' },
      get_futures_history: { slug: 'nfl', season: 2025 },
      summarize_bets: { by: 'book' },
      list_mappings: { type: 'event', id: event },
      list_changes: { limit: 5 },
      estimate_cost: { calls: [{ tool: 'get_event', arguments: { id: event } }] },
      replay_webhook: { from: '2026-01-01T00:00:00Z' },
    };
    // The operator's key has no account that could hold bets and experiments.
    const without = [
      ...['create_webhook', 'delete_webhook', 'add_bets', 'delete_bet'],
      ...['create_experiment', 'get_experiment', 'end_experiment'],
    ];
    const rest = tools.filter(({ name }) => !without.includes(name));
    for (const { name, outputSchema } of [...rest, { name: 'delete_webhook' }]) {
      const id = idOf(name);
      const args = { ...(id === undefined ? {} : { id }), ...given[name] };
      const pairs = Object.entries(args).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
      const called = await ask('--method', 'tools/call', '--tool-name', name, ...pairs);
      expect([name, called.code, called.stderr]).toEqual([name, 0, '']);
      const { structuredContent, content, _meta } = JSON.parse(called.stdout);
      expect(JSON.parse(content[0].text)).toEqual(structuredContent);
      expect(_meta.credits_used).toEqual(expect.any(Number));
      if (outputSchema) expect(Object.keys(structuredContent)).toEqual(expect.arrayContaining(outputSchema.required));
    }
  },
  5 * MINUTES,
);

describe("the protocol's own tests of the era with `initialize`", () => {
  it.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])(
    '%s',
    async (scenario) => {
      const { port, folder } = await started();
      const ran = await conform(folder, `http://localhost:${await keyed(Number(port))}`, scenario);
      expect(ran.code, ran.stdout + ran.stderr).toBe(0);
      expect(ran.stdout).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/);
    },
    2 * MINUTES,
  );
});

/** Checks that call a tool of the tests' own server, which no other server has. */
const NEED_FIXTURES: ReadonlySet<string> = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
]);

describe("the protocol's own tests of the revision 2026-07-28", () => {
  it.each([
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'sep-2164-resource-not-found',
    'input-required-result-unsupported-methods',
    'server-sse-multiple-streams',
  ])(
    '%s',
    async (scenario) => {
      const { port, folder } = await started();
      const { stdout, stderr } = await conform(
        folder,
        `http://localhost:${await keyed(Number(port))}`,
        scenario,
        'modern',
      );
      const checks = [...stripVTControlCharacters(stdout).matchAll(/\[([\w-]+) *\] (SUCCESS|FAILURE|WARNING)/g)];
      expect(checks.filter(([, , outcome]) => outcome === 'SUCCESS').length, stdout + stderr).toBeGreaterThan(0);
      const wrong = checks.filter(([, name, outcome]) => outcome !== 'SUCCESS' && !NEED_FIXTURES.has(name!));
      expect(wrong.map(([line]) => line)).toEqual([]);
    },
    2 * MINUTES,
  );
});

/** A proxy that adds the key, which these tests cannot send, and changes nothing else. @returns its port */
async function keyed(port: number): Promise<number> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const given = { ...headers, authorization: `Bearer ${BOOTSTRAP_KEY}` };
    const asking = request({ host: '127.0.0.1', port, path, method, headers: given }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(asking);
  });
  const own = await freePort();
  // By its name, this machine may be either address.
  await new Promise<void>((resolve) => proxy.listen(own, 'localhost', resolve));
  onTestFinished(() => void proxy.close());
  return own;
}

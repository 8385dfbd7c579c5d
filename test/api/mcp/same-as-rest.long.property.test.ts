import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operation } from '../../../src/api/calls/operation/operation.ts';
import { isMcpTool } from '../../../src/api/calls/operation/tool-arguments.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { cases } from '../../support/cases.ts';
import { metersOf } from '../agent/metering.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { dayOfSport } from '../openapi/day-of-sport.ts';
import { callOf, outcomeOf, say } from './mcp-client.ts';

/** Two servers that were told the same. One is asked over REST, the other over MCP, each the same in the same order. */
let overRest: AgentServer;
let overMcp: AgentServer;
let ids: readonly number[];
const hosts = { 'example.com': ['93.184.216.34'] };
const plans = {
  growth: { requests_per_minute: 10_000 },
  // Soon at the end of its window, and of its credits.
  free: { requests_per_minute: 9, initial_credits: 5 },
};
beforeAll(async () => {
  [overRest, overMcp] = await Promise.all([
    serveAgent({ plans, hosts } as never),
    serveAgent({ plans, hosts } as never),
  ]);
  for (const server of [overRest, overMcp]) await server.feed(...dayOfSport(server.clock.time));
  const { key } = await overRest.newKey({ plan: 'growth' });
  ids = (await overRest.get('/v1/events', key)).events.map(({ id }: { id: number }) => id);
  await overMcp.newKey({ plan: 'growth' });
  expect(ids.length).toBeGreaterThan(3);
});
afterAll(() => Promise.all([overRest.close(), overMcp.close()]));

const tools = operations.filter(isMcpTool);
const operationOf = (tool: string): Operation => tools.find(({ name }) => name === tool)!;
const writing = tools.filter(({ idempotency, method }) => idempotency || method === 'DELETE');
/** Stands for the id of the webhook that was made last. */
const LAST_MADE = 'last made';

interface Asked {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
}

/** A word of an address that is as wrong there as its JSON is. */
const wrong = fc.constantFrom<unknown>('abc', 25.5, -1, 0, 101, 2 ** 60, '', 'true ', '1,2', null);
const id = fc.oneof(
  { weight: 4, arbitrary: fc.nat(5).map((n) => ids[n % ids.length] as unknown) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(987_654, 2 ** 60, -3, 'abc', 1.5, '') },
);
const day = fc.constantFrom('2026-03-01', '2026-02-01', '2026-12-01', '2026-02-30', 'today', '');
const moment = fc.constantFrom(
  '2026-03-01T11:00:00Z',
  '2026-02-28T11:00:00Z',
  '2027-01-01T00:00:00Z',
  'now',
  '2026-03-01',
);
const text = fc.oneof(
  fc.constantFrom('kansas', 'e', 'mahomes', '\0', ' '),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);

const slug = fc.constantFrom('nfl', 'nba', 'atp', 'x', ' ');

/** Ids that are none of an event, by operation or tag. */
const OF_IDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Webhooks: fc.oneof({ weight: 4, arbitrary: fc.constant(LAST_MADE) }, id),
  get_grade_receipt: fc.constantFrom('gr_1', 'x', '', ' '),
  Experiments: fc.constantFrom('ex_0_AAAAAAAAAAAAAAAAAAAAAA', 'x', '', ' '),
  get_standings: slug,
  get_futures: slug,
  get_projections: slug,
  get_futures_history: slug,
};

/** Values of parameters by name; what is not named here goes by its type. */
const NAMED: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  sport: fc.constantFrom<unknown>('nfl', 'nba', 'tennis', 'chess', null),
  league: fc.constantFrom('nfl', 'epl', 'x'),
  status: fc.constantFrom('inprogress', 'final', 'scheduled', 'x'),
  date: day,
  from: day,
  to: day,
  as_of: moment,
  as_of_basis: fc.constantFrom<unknown>('recorded', 'observed', 'x', null),
  bookmaker: fc.constantFrom('pinnacle', 'all', 'fanduel,draftkings', 'x', '', ','),
  team_id: fc.integer({ min: 1, max: 6 }),
  after_id: id,
  sort: fc.constantFrom('time', 'status', 'x'),
  field: fc.constantFrom('score', 'status', 'x'),
  source: fc.constantFrom('feed', 'x', ''),
  ref: fc.constantFrom('g1', 't1', 'p2', 'x'),
  type: fc.constantFrom('event', 'team', 'player', 'x'),
  by: fc.constantFrom('book', 'sport', 'market', 'month', 'x'),
};

function parameter(name: string, type: string): fc.Arbitrary<unknown> {
  if (NAMED[name]) return NAMED[name];
  if (type === 'boolean') return fc.constantFrom<unknown>(true, false, 'yes', null);
  if (type === 'integer')
    return fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 100 }) }, { weight: 1, arbitrary: wrong });
  return text;
}

const junk = fc.constantFrom<unknown>(null, 5, 'x', [], {}, true, 1.5);
/** Bodies are the same JSON on both ways. */
const BODIES: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  batch_get_events: {
    event_ids: fc.oneof(
      fc.array(id, { maxLength: 4 }),
      fc.array(
        fc.nat(5).map((n) => ids[n % ids.length]),
        { maxLength: 27 },
      ),
    ),
    include_odds: fc.boolean(),
    bookmaker: NAMED['bookmaker']!,
    as_of: moment,
  },
  create_webhook: {
    url: fc.oneof(
      { weight: 4, arbitrary: fc.constant('https://example.com/x') },
      { weight: 1, arbitrary: fc.constantFrom('http://example.com', 'https://nowhere.example', 'x') },
    ),
    event_types: fc.subarray(['score', 'status', 'injury', 'x'], { minLength: 1 }),
    sport: fc.constantFrom('nfl', 'nba', 'x', null),
    event_id: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: id }),
  },
  resolve_team: {
    query: fc.oneof(text, fc.constantFrom('Chiefs', 'KC', 'Kansas City')),
    clues: fc.record({ sport: NAMED['sport']!, event_id: id, team_id: id, x: text }, { requiredKeys: [] }),
    options: fc.record({ min_confidence: fc.constantFrom<unknown>(0, 0.85, 1, 1.5, 'x') }, { requiredKeys: [] }),
  },
  resolve_player: {
    query: fc.oneof(text, fc.constantFrom('Patrick Mahomes', 'Mahomes')),
    clues: fc.record({ sport: NAMED['sport']!, event_id: id, team_text: text, position: text }, { requiredKeys: [] }),
    options: fc.record({ mode: fc.constantFrom('strict', 'permissive', 'ingest', 'x') }, { requiredKeys: [] }),
  },
  grade_slip: {
    legs: fc.array(
      fc.record(
        {
          event_id: id,
          market_key: fc.constantFrom('h2h', 'ml', 'spreads', 'points', 'x y'),
          side: fc.constantFrom('home', 'over', 'x'),
          line: fc.constantFrom<unknown>(-3.5, 220, null, 'x'),
          player_id: fc.integer({ min: 1, max: 6 }),
        },
        { requiredKeys: ['event_id', 'market_key', 'side'] },
      ),
      { maxLength: 9 },
    ),
    text: fc.oneof(text, fc.constantFrom('Chiefs ML', 'Chiefs -3.5 today; Mahomes 25+ points')),
    clues: fc.record({ sport: NAMED['sport']!, event_id: id, team_text: text }, { requiredKeys: [] }),
    as_of: moment,
  },
  // None is made: its id is made of chance.
  create_experiment: {
    name: text,
    cohort: junk,
    from: fc.constantFrom('2020-01-01T00:00:00Z', 'x'),
    to: fc.constantFrom('2020-01-02T00:00:00Z', 'x'),
  },
  add_bets: {
    bets: fc.array(
      fc.record(
        {
          event_id: id,
          market_key: fc.constantFrom('h2h', 'ml', 'spreads', 'x y'),
          side: fc.constantFrom('home', 'over', 'x'),
          line: fc.constantFrom<unknown>(-3.5, 220, null, 'x'),
          text: fc.constantFrom<unknown>('Chiefs ML', 'nonsense', null),
          price: fc.constantFrom<unknown>(-110, 150, 1.9),
          stake: fc.constantFrom<unknown>(1, 25.5, 0),
          book: fc.constantFrom('draftkings', ' '),
          placed_at: moment,
        },
        { requiredKeys: ['price', 'stake', 'book', 'placed_at'] },
      ),
      { maxLength: 3 },
    ),
  },
  replay_webhook: { from: moment, after_delivery_id: fc.nat(3) },
  query_events: {
    query: fc
      .array(fc.constantFrom('nfl', 'nba', 'live', 'today', 'last 3 days', '5', '2026-03-01', 'foo', ' '))
      .map((words) => words.join(' ')),
    limit: fc.integer({ min: 0, max: 101 }),
  },
  estimate_cost: {
    calls: fc.array(
      fc.record({
        tool: fc.constantFrom('get_event', 'get_odds', 'no_such'),
        arguments: fc.record({ id }, { requiredKeys: [] }),
      }),
      { maxLength: 3 },
    ),
  },
};

const member = ([name, value]: readonly [string, fc.Arbitrary<unknown>], share: number) =>
  fc.option(value, { nil: undefined, freq: share }).map((given) => [name, given] as const);

const asked: fc.Arbitrary<Asked> = fc
  .oneof({ weight: 2, arbitrary: fc.constantFrom(...tools) }, { weight: 1, arbitrary: fc.constantFrom(...writing) })
  .chain((operation) => {
    const { path, query, body } = operation.input as Record<string, { shape?: Record<string, any> } | undefined>;
    const idOf = OF_IDS[operation.name] ?? OF_IDS[operation.tag] ?? id;
    const typeOf = (schema: any): string => {
      let inner = schema;
      while (inner.def?.innerType) inner = inner.def.innerType;
      return inner.def?.format === 'safeint' || inner.def?.type === 'int'
        ? 'integer'
        : inner.def?.type === 'number'
          ? 'integer'
          : inner.def?.type;
    };
    const members = [
      ...Object.keys(path?.shape ?? {}).map((name) => idOf.map((given) => [name, given] as const)),
      ...Object.entries(query?.shape ?? {}).map(([name, schema]) => member([name, parameter(name, typeOf(schema))], 1)),
      ...Object.entries(body ? BODIES[operation.name]! : {}).map(([name, value]) =>
        member([name, fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: junk })], 3),
      ),
      fc.constantFrom(['api_key', 'x'] as const, ['unknown', null] as const),
    ];
    const idempotencyKey = operation.idempotency
      ? fc.constantFrom(undefined, 'a', 'a', 'b c', 'ü')
      : fc.constant(undefined);
    return fc.record({
      tool: fc.constant(operation.name),
      args: fc.tuple(...members).map((all) => Object.fromEntries(all.filter(([, value]) => value !== undefined))),
      idempotencyKey,
    });
  });

/** The REST request with the same arguments. An address has no null, and no word for `""` in its path. */
async function askRest({ tool, args, idempotencyKey }: Asked, key: string) {
  const operation = operationOf(tool);
  const { path, query, body } = operation.input as Record<string, { shape?: Record<string, unknown> } | undefined>;
  const names = (part: typeof path) => Object.keys(part?.shape ?? {}).filter((name) => name in args);
  const address = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])));
  const search = new URLSearchParams(
    names(query).flatMap((name) => (args[name] === null ? [] : [[name, String(args[name])] as [string, string]])),
  );
  const sent = body ? JSON.stringify(Object.fromEntries(names(body).map((name) => [name, args[name]]))) : undefined;
  const { method } = operation;
  const response = await fetch(`${overRest.url}${address}${search.size > 0 ? `?${search}` : ''}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      // Headers are bytes.
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, value: answer === '' ? {} : JSON.parse(answer) };
}

/** What is made of chance, or tells how far this server is. */
const OWN = new Set([
  'request_id',
  'receipt',
  'webhook_id',
  'signing_secret',
  'prefix',
  'position',
  // Charges have places in the log too.
  'next_after',
  'lag_events',
  'lag_seconds',
]);
const shown = (value: unknown) => JSON.stringify(value, (name, member) => (OWN.has(name) ? 'own' : member));

const key = fc.record({
  plan: fc.constantFrom('growth', 'growth', 'free'),
  scopes: fc.constantFrom(['all'], ['all'], ['nba', 'tennis']),
});

it('a tool answers what REST answers, at the same price, with the same limits', async () => {
  const seen = { good: new Set<string>(), bad: new Set<string>() };
  await fc.assert(
    fc.asyncProperty(key, fc.array(asked, { minLength: 1, maxLength: 20, size: 'max' }), async (request, calls) => {
      const [rest, mcp] = await Promise.all([overRest.newKey(request), overMcp.newKey(request)]);
      let lastMade: unknown = 1;
      for (const { args: given, ...one } of calls) {
        const call = { ...one, args: given['id'] === LAST_MADE ? { ...given, id: lastMade } : given };
        // A path of which a part is empty is another path.
        if (call.args['id'] === '' && operationOf(call.tool).input.path) continue;
        const expected = await askRest(call, rest.key);
        const { tool, args, idempotencyKey } = call;
        const meta = idempotencyKey === undefined ? undefined : { idempotency_key: idempotencyKey };
        const heard = await say(overMcp, callOf(tool, args, meta), { key: mcp.key });
        const got = outcomeOf(heard);
        (got.isError ? seen.bad : seen.good).add(got.isError ? `${got.error.status} ${got.error.code}` : tool);

        expect([got.isError, shown(got.value)]).toEqual([expected.status >= 400, shown(expected.value)]);
        if (got.isError) expect(got.error.status).toBe(expected.status);
        expect(metersOf(heard)).toEqual(metersOf(expected));
        if (tool === 'create_webhook' && !got.isError) lastMade = got.value.id;
        expect(got.credits).toBe(metersOf(expected).used);
        for (const name of ['idempotency-replayed', 'content-type']) {
          if (expected.status !== 204) expect(heard.headers.get(name)).toBe(expected.headers.get(name));
        }
      }
    }),
    { numRuns: cases(300) },
  );
  // It would say nothing if most had failed.
  expect(seen.good.size).toBeGreaterThan(12);
  expect([...seen.bad]).toEqual(expect.arrayContaining(['404 not_found', '422 validation_error']));
});

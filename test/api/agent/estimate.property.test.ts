import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operation } from '../../../src/api/calls/operation/operation.ts';
import { isMcpTool } from '../../../src/api/calls/operation/tool-arguments.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { cases } from '../../support/cases.ts';
import { type Message, odds } from '../spec/messages.ts';
import { feedGames, type Games } from './games.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from './serving.ts';

let server: AgentServer;
let games: Games;
let receiptId: string;
beforeAll(async () => {
  server = await serveAgent();
  games = await feedGames(server);
  await server.feed(...[500, 450].map(outright));
  const { body } = await server.post('/v1/grade/slip', { legs: legsOf(games.full) }, { key: BOOTSTRAP_KEY });
  receiptId = body.receipt.id;
});
afterAll(() => server.close());

const legsOf = (event_id: number) => [{ event_id, market_key: 'h2h', side: 'home' }];

/** Those that change nothing but what they are asked for. */
const tools = new Map(
  operations
    .filter((operation) => isMcpTool(operation) && !/^\/v1\/(?:webhooks|bets|experiments)/.test(operation.path))
    .map((operation) => [operation.name, operation]),
);

const bookmaker = fc.constantFrom('pinnacle', 'fanduel', 'bet365', 'all', 'pinnacle,fanduel', 'bet365, x', ',', 'ALL');
const asOf = fc.constantFrom('2026-03-01T08:30:00Z', '2026-03-01T11:59:59Z', '2020-01-01T00:00:00Z');
const basis = fc.constantFrom('recorded', 'observed', 'guessed');
const limit = fc.constantFrom(1, 25, 100, 0, 201);
const eventId = fc.constantFrom(0, 1, 2).map((index) => () => [games.full, games.bare, games.unknown][index]!);

/** Members of many tools; the few that each tool must have come last. What a tool does not know it ignores. */
const anyArguments = fc
  .record(
    {
      include_odds: fc.boolean(),
      include_intelligence: fc.boolean(),
      include_alts: fc.boolean(),
      include_scores: fc.boolean(),
      bookmaker,
      as_of: asOf,
      as_of_basis: basis,
      limit,
      sport: fc.constantFrom('nfl', 'nba', 'curling'),
      status: fc.constantFrom('final', 'inprogress', 'unknown'),
      date: fc.constantFrom('2026-03-01', 'no day'),
      exclude_status: fc.constantFrom('out', 'questionable', 'nonsense'),
      sort: fc.constantFrom('time', 'status', 'name'),
      market: fc.constantFrom('h2h', 'totals', 'x'),
      min_ev: fc.constantFrom(-1, 0, 2.5),
      kind: fc.constantFrom('all', 'middle', 'x'),
      active: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .chain((given) =>
    fc.record({
      given: fc.constant(given),
      id: eventId,
      isOther: fc.boolean(),
      ids: fc.array(eventId, { minLength: 1, maxLength: 6 }),
      query: fc.constantFrom('nba games', '5 nfl 2026-03-01', 'next 400 days', 'tomorrow', ' '),
    }),
  );

function idFor(tool: string, eventIdNow: number, isOther: boolean): number | string {
  if (tool === 'get_grade_receipt') return isOther ? `gr_${eventIdNow}` : receiptId;
  if (isOther) return eventIdNow;
  if (tool === 'get_team') return games.teamId;
  return tool.startsWith('get_player') ? games.playerId : eventIdNow;
}

/** Prices on who wins the season. */
const outright = (price: number, index: number) =>
  ({
    kind: 'outright',
    source: 'feed',
    at: `2026-03-01T0${index + 8}:00:00Z`,
    sport: 'nfl',
    league: 'nfl',
    season: 2025,
    market: 'winner',
    bookmaker: 'pinnacle',
    outcomes: [{ team: 'Kansas City Chiefs', price }],
  }) as unknown as Message;

/** The REST request of a tool's arguments. */
function ask({ method, path, input }: Operation, given: Record<string, unknown>) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(given[name]));
  const key = BOOTSTRAP_KEY;
  if (method !== 'GET') return server.post(filled, given, { key });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (!path.includes(`{${name}}`) && !Array.isArray(value)) search.append(name, String(value));
  }
  return server.ask(input.query ? `${filled}?${search}` : filled, { key });
}

const required = (id: number | string, ids: readonly number[], query: string) => ({
  id,
  slug: 'nfl',
  event_ids: ids,
  query,
  type: 'event',
  legs: legsOf(games.full),
  calls: [{ tool: 'get_event', arguments: { id: 1 } }],
});

/** Holds the answer of a call against its estimate. @returns the status of the answer */
async function compare(tool: string, all: Record<string, unknown>): Promise<number> {
  const answer = await ask(tools.get(tool)!, all);
  const estimated = await server.post('/v1/estimate', { calls: [{ tool, arguments: all }] }, { key: BOOTSTRAP_KEY });
  expect([tool, estimated.status]).toEqual([tool, answer.status === 422 ? 422 : 200]);
  if (answer.status === 422) {
    const place = ['body', 'calls', 0, 'arguments'];
    const locs = answer.body.error.errors.map(({ loc }: any) => [...place, ...loc.slice(1)]);
    expect(estimated.body.error.errors.map(({ loc }: any) => loc)).toEqual(locs);
  } else if (answer.status >= 400) {
    expect(answer.credits).toBe(0);
  } else {
    const [{ min_credits, max_credits }] = estimated.body.estimates;
    expect(answer.credits).toBeGreaterThanOrEqual(min_credits);
    expect(answer.credits).toBeLessThanOrEqual(max_credits);
  }
  return answer.status;
}

it('each tool answers at a price within its estimate', async () => {
  expect(tools.size).toBeGreaterThan(15);
  for (const tool of tools.keys()) {
    const id = idFor(tool, games.full, false);
    const all = { sport: 'nfl', league: 'nfl', ...required(id, [games.full, games.bare], 'nfl games') };
    expect([tool, await compare(tool, all)]).toEqual([tool, 200]);
  }
});

it('an answer costs what its estimate says, and an input with a wrong form has no estimate', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...tools.keys()),
      anyArguments,
      async (tool, { given, id, isOther, ids, query }) => {
        const eventIds = ids.map((one) => one());
        await compare(tool, { ...given, ...required(idFor(tool, id(), isOther), eventIds, query) });
      },
    ),
    { numRuns: cases(1500) },
  );
});

it('both bounds are reached: an estimate is no wider than necessary', async () => {
  // Shortly before the start: the intelligence counts no older prices.
  const h2h = [
    { outcome: 'home', price: -120 },
    { outcome: 'away', price: 110 },
  ];
  await server.feed(odds('full', 'pinnacle', [{ key: 'h2h', outcomes: h2h }], { at: '2026-03-01T11:00:00Z' }));
  const rows: [tool: string, given: object, credits: number][] = [
    ['get_event', { id: games.bare, include_odds: true }, 1],
    ['get_event', { id: games.full, include_odds: true }, 2],
    ['get_odds', { id: games.bare, bookmaker: 'all' }, 0],
    ['get_odds', { id: games.full, bookmaker: 'all' }, 2],
    ['get_odds_history', { id: games.full }, 1],
    ['get_odds_history', { id: games.full, bookmaker: 'all' }, 2],
    ['get_odds_summary', { id: games.bare, bookmaker: 'all' }, 0],
    ['get_odds_summary', { id: games.full, bookmaker: 'all' }, 2],
    ['get_intelligence', { id: games.bare }, 0],
    ['get_intelligence', { id: games.full }, 1],
    ['get_event', { id: games.bare, include_intelligence: true }, 1],
    ['get_event', { id: games.full, include_odds: true, include_intelligence: true }, 3],
    ['get_splits', { id: games.bare }, 0],
    ['get_splits', { id: games.full }, 1],
    ['get_injuries', { id: games.bare }, 0],
    ['get_injuries', { id: games.full }, 1],
    ['batch_get_events', { event_ids: [games.unknown] }, 0],
    ['batch_get_events', { event_ids: [games.full, games.full, games.bare] }, 2],
  ];
  for (const [tool, given, credits] of rows) {
    const answer = await ask(tools.get(tool)!, given as Record<string, unknown>);
    expect([tool, answer.status, answer.credits]).toEqual([tool, 200, credits]);
    const { body } = await server.post('/v1/estimate', { calls: [{ tool, arguments: given }] });
    expect([body.total_min_credits, body.total_max_credits]).toContain(credits);
  }
});

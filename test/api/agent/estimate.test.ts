import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInputReader } from '../../../src/api/calls/operation/operation-input.ts';
import { openApiDocument } from '../../../src/api/openapi/openapi-document.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../support/longest-blocking.ts';
import { chargesOf, metersOf } from './metering.ts';
import { type AgentServer, serveAgent } from './serving.ts';

let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent();
});
afterAll(() => server.close());

const PATH = '/v1/estimate';
const estimate = (calls: unknown, key?: string) => server.post(PATH, { calls }, key === undefined ? {} : { key });
const bounds = async (tool: string, given?: unknown) => {
  const { status, body } = await estimate([given === undefined ? { tool } : { tool, arguments: given }]);
  expect([tool, status]).toEqual([tool, 200]);
  const [{ min_credits, max_credits }] = body.estimates;
  return [min_credits, max_credits];
};
const locsOf = async (calls: unknown) => {
  const { status, body, credits } = await estimate(calls);
  expect([status, body.error?.code, credits]).toEqual([422, 'validation_error', 0]);
  return body.error.errors.map(({ loc }: any) => loc);
};

describe('POST /v1/estimate', () => {
  it('shows the minimum and the maximum of each call, its price in words, and the sums', async () => {
    const { status, body, credits } = await estimate([
      { tool: 'get_event', arguments: { id: 1, include_odds: true } },
      { tool: 'get_odds', arguments: { id: 1, bookmaker: 'all' } },
      { tool: 'get_health' },
      { tool: 'get_odds', arguments: { id: 1, bookmaker: 'all' } },
    ]);
    const odds = {
      tool: 'get_odds',
      min_credits: 0,
      max_credits: 2,
      note: '1 credit for one bookmaker, 2 for several or all; free while nothing is available',
    };
    expect([status, credits]).toEqual([200, 0]);
    expect(body).toEqual({
      estimates: [
        {
          tool: 'get_event',
          min_credits: 1,
          max_credits: 2,
          note: '1 credit, and 1 for each of `include_odds` and `include_intelligence` whose data is available',
        },
        odds,
        { tool: 'get_health', min_credits: 0, max_credits: 0, note: 'Free' },
        odds,
      ],
      total_min_credits: 1,
      total_max_credits: 6,
    });
  });

  it.each<[tool: string, given: object | undefined, min: number, max: number]>([
    ['list_sports', undefined, 1, 1],
    ['list_seasons', {}, 1, 1],
    ['list_bookmakers', {}, 0, 0],
    ['get_standings', { slug: 'nfl' }, 1, 1],
    ['get_futures', { slug: 'nfl' }, 1, 1],
    ['get_projections', { slug: 'nfl' }, 0, 1],
    ['get_futures_history', { slug: 'nfl', bookmaker: 'all' }, 2, 2],
    ['list_events', { include_scores: true }, 1, 1],
    ['query_events', { query: 'nba' }, 1, 1],
    ['get_event', { id: 1 }, 1, 1],
    ['get_event', { id: 1, include_intelligence: true }, 1, 2],
    ['get_event', { id: 1, include_odds: true, include_intelligence: true, bookmaker: 'all' }, 1, 3],
    ['batch_get_events', { event_ids: [1] }, 0, 1],
    ['batch_get_events', { event_ids: [1, 2, 1, 2, 3] }, 0, 3],
    ['batch_get_events', { event_ids: [1, 2, 1], include_odds: true, include_intelligence: true }, 0, 6],
    ['get_live_score', { id: 1 }, 1, 1],
    ['get_odds', { id: 1 }, 0, 1],
    ['get_odds', { id: 1, bookmaker: 'fanduel, FanDuel,' }, 0, 1],
    ['get_odds', { id: 1, bookmaker: 'pinnacle,fanduel' }, 0, 2],
    ['get_odds_history', { id: 1 }, 1, 1],
    ['get_odds_history', { id: 1, bookmaker: 'all', limit: 200 }, 2, 2],
    ['get_odds_summary', { id: 1, bookmaker: 'all' }, 0, 2],
    ['get_intelligence', { id: 1 }, 0, 1],
    ['get_probabilities', { id: 1 }, 0, 1],
    ['scan_ev', { sport: 'nfl' }, 1, 1],
    ['scan_arbitrage', { sport: 'nfl' }, 1, 1],
    ['list_forecasts', { sport: 'nfl' }, 1, 1],
    ['get_record', { sport: 'nfl' }, 0, 0],
    ['get_market_quality', { league: 'nfl' }, 1, 1],
    ['list_changes', { sport: 'nfl', after: '0' }, 0, 1],
    ['get_splits', { id: 1 }, 0, 1],
    ['get_injuries', { id: 1 }, 0, 1],
    ['list_corrections', {}, 1, 1],
    ['list_mappings', { source: 'espn', ref: '1' }, 1, 1],
    ['list_teams', {}, 1, 1],
    ['get_team', { id: 1 }, 1, 1],
    ['search_players', {}, 1, 1],
    ['get_player', { id: 1 }, 1, 1],
    ['get_player_events', { id: 1 }, 1, 1],
    ['create_webhook', { url: 'https://example.com/' }, 0, 0],
    ['rotate_webhook_secret', { id: 1 }, 0, 0],
    ['get_credits', undefined, 0, 0],
    ['list_credit_packs', undefined, 0, 0],
    ['list_keys', undefined, 0, 0],
    ['estimate_cost', { calls: [{ tool: 'list_events' }] }, 0, 0],
  ])('%s %j', async (tool, given, min, max) => {
    expect(await bounds(tool, given)).toEqual([min, max]);
  });

  it('checks the form only: no ids, scopes, times', async () => {
    const { key } = await server.newKey({ plan: 'growth', scopes: ['nba'] });
    const { status } = await estimate(
      [
        { tool: 'get_event', arguments: { id: 123_456_789, as_of: 'no time' } },
        { tool: 'list_events', arguments: { sport: 'nfl', status: 'unknown', date: 'no day', after_id: 77 } },
        { tool: 'get_player', arguments: { id: Number.MAX_SAFE_INTEGER } },
      ],
      key,
    );
    expect(status).toBe(200);
  });

  it('is free, answers at a balance of 0, and counts in the window', async () => {
    const { key, record } = await server.newKey({ plan: 'payg' });
    const first = await estimate([{ tool: 'list_events' }], key);
    const second = await server.ask('/v1/estimate/tools', { key });
    expect([first.status, first.credits, second.status, second.credits]).toEqual([200, 0, 200, 0]);
    expect(metersOf(second).left).toBe(metersOf(first).left! - 1);
    expect(await chargesOf(server, record.accountId, first.headers.get('x-request-id')!)).toEqual([]);
  });

  it('accepts 1 to 100 calls', async () => {
    const calls = (count: number) => Array.from({ length: count }, () => ({ tool: 'list_events', arguments: {} }));
    const { body } = await estimate(calls(100));
    expect([body.estimates.length, body.total_min_credits, body.total_max_credits]).toEqual([100, 100, 100]);
    expect(await locsOf(calls(101))).toEqual([['body', 'calls']]);
    expect(await locsOf([])).toEqual([['body', 'calls']]);
  });

  it.each([[undefined], [null], [{}], ['list_events'], [5]])('refuses calls that are no list: %j', async (calls) => {
    expect(await locsOf(calls)).toEqual([['body', 'calls']]);
  });

  it.each<[what: string, call: unknown, loc: (string | number)[]]>([
    ['no object', 'list_events', []],
    ['null', null, []],
    ['no tool', {}, ['tool']],
    ['a tool that is no text', { tool: 5 }, ['tool']],
    ['an unknown tool', { tool: 'get_weather' }, ['tool']],
    ['a name that every object has', { tool: 'constructor' }, ['tool']],
    ['what is an operation, but no tool', { tool: 'create_key', arguments: { name: 'x' } }, ['tool']],
    ['the stream', { tool: 'stream_scores', arguments: { id: 1 } }, ['tool']],
    ['the stream of changes', { tool: 'stream_changes', arguments: {} }, ['tool']],
    ['what tools/list says', { tool: 'list_estimate_tools' }, ['tool']],
    ['arguments of null', { tool: 'list_events', arguments: null }, ['arguments']],
    ['a list of arguments', { tool: 'list_events', arguments: [] }, ['arguments']],
    ['a missing argument', { tool: 'get_event' }, ['arguments', 'id']],
    ['an id of null', { tool: 'get_event', arguments: { id: null } }, ['arguments', 'id']],
    ['an id as text', { tool: 'get_event', arguments: { id: '25' } }, ['arguments', 'id']],
    ['an id that is a fraction', { tool: 'get_event', arguments: { id: 25.5 } }, ['arguments', 'id']],
    ['a limit as text', { tool: 'list_events', arguments: { limit: '25' } }, ['arguments', 'limit']],
    ['a limit that is too high', { tool: 'list_events', arguments: { limit: 101 } }, ['arguments', 'limit']],
    ['a boolean as text', { tool: 'list_sports', arguments: { active_only: 'true' } }, ['arguments', 'active_only']],
    ['a wrong word', { tool: 'list_events', arguments: { sort: 'name' } }, ['arguments', 'sort']],
    ['an empty batch', { tool: 'batch_get_events', arguments: { event_ids: [] } }, ['arguments', 'event_ids']],
    ['a wrong item', { tool: 'batch_get_events', arguments: { event_ids: [1, 'x'] } }, ['arguments', 'event_ids', 1]],
    ['a blank question', { tool: 'query_events', arguments: { query: ' ' } }, ['arguments', 'query']],
    [
      'a wrong call in a call',
      { tool: 'estimate_cost', arguments: { calls: [{ tool: 'get_health' }, { tool: 'x' }] } },
      ['arguments', 'calls', 1, 'tool'],
    ],
    [
      'a wrong argument of a call in a call',
      { tool: 'estimate_cost', arguments: { calls: [{ tool: 'get_event', arguments: { id: 'x' } }] } },
      ['arguments', 'calls', 0, 'arguments', 'id'],
    ],
  ])('refuses %s, and says where', async (_, call, loc) => {
    expect(await locsOf([{ tool: 'list_events' }, call])).toEqual([['body', 'calls', 1, ...loc]]);
  });

  it('reports every error, with the messages of the call itself', async () => {
    const { body } = await estimate([
      { tool: 'get_event', arguments: { include_odds: 'yes' } },
      { tool: 'list_events', arguments: { limit: 0 } },
    ]);
    const calls = ['body', 'calls'];
    expect(body.error.errors).toEqual([
      { loc: [...calls, 0, 'arguments', 'id'], msg: 'is required', type: 'missing' },
      { loc: [...calls, 0, 'arguments', 'include_odds'], msg: 'must be true or false', type: 'invalid_type' },
      { loc: [...calls, 1, 'arguments', 'limit'], msg: 'must be at least 1', type: 'too_small' },
    ]);
  });

  it('ignores unknown arguments, and null where it stands for none', async () => {
    expect(await bounds('get_event', { id: 1, include_odds: null, bookmaker: null, nonsense: {} })).toEqual([1, 1]);
  });

  it.each([
    ['good ones', { tool: 'get_event', arguments: { id: 1 } }, 200],
    ['wrong ones', { tool: 'x' }, 422],
    ['what is no call', 1, 422],
  ])('holds nobody up over as many calls in calls as a body has room for: %s', async (_, call, status) => {
    const many = (count: number, one: unknown) => Array.from({ length: count }, () => one);
    const within = (calls: unknown) => ({ tool: 'estimate_cost', arguments: { calls } });
    const calls = many(4, within(many(100, within(many(55, call)))));
    expect(JSON.stringify({ calls }).length).toBeLessThan(1024 * 1024);
    const operation = operations.find(({ name }) => name === 'estimate_cost')!;
    const input = createInputReader(operation).fromHttp({}, '', { calls });
    const { result, longest } = await longestBlocking(() =>
      operation.run(input, undefined as never).then(
        () => 200,
        (error) => error.status,
      ),
    );
    expect(result).toBe(status);
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  });
});

describe('GET /v1/estimate/tools', () => {
  it('has the names of the tools, in the order of the description', async () => {
    const { status, body, credits } = await server.ask('/v1/estimate/tools');
    expect([status, credits]).toEqual([200, 0]);
    const described = Object.values((await openApiDocument(operations, 'https://sports.example'))['paths'] as object)
      .flatMap((path) => Object.values(path))
      .map(({ operationId }: any) => operationId);
    const others = [
      'stream_scores',
      'stream_changes',
      'list_estimate_tools',
      'create_key',
      'revoke_key',
      'top_up_credits',
      'get_usage',
      'list_ledger',
      'create_link',
      'list_links',
      'delete_link',
      'get_my_books',
      'put_my_books',
      'start_trial',
      'finish_trial',
    ];
    expect(body).toEqual({ tools: described.filter((name) => !others.includes(name)), total: body.tools.length });
    expect(body.tools).toContain('estimate_cost');
    expect(body.tools.length).toBe(described.length - others.length);
  });
});

import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flatCost, type Operation, replayStoredAnswer } from '../../../src/api/calls/operation/operation.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { pathId } from '../../../src/api/operations/shared/parameters.ts';
import { parseExposition, sampleOf } from '../../server/metrics/exposition.ts';
import { feedGames, type Games } from '../agent/games.ts';
import { buyPack, chargesOf, holdRequest, look, metersOf } from '../agent/metering.ts';
import { type AgentServer, type AgentServerOptions, BOOTSTRAP_KEY, serveAgent } from '../agent/serving.ts';
import { NFL, team } from '../spec/messages.ts';
import { callOf, type Heard, outcomeOf, rpc, type Said, say } from './mcp-client.ts';

let runs = 0;
/** Its answer may be kept. */
const counted: Operation = {
  name: 'count_runs',
  method: 'GET',
  path: '/v1/counted/{id}',
  tag: 'Toys',
  summary: 'How often it ran.',
  input: { path: pathId('counter') },
  output: z.looseObject({}),
  cost: flatCost(1),
  run: async ({ id }) => ({ id, runs: ++runs }),
};
const made: Operation = {
  ...counted,
  name: 'make_run',
  method: 'POST',
  path: '/v1/made/{id}',
  status: 201,
  cost: flatCost(2),
  idempotency: replayStoredAnswer,
};
const forgetful: Operation = { ...made, name: 'forget_run', path: '/v1/forgotten/{id}', idempotency: undefined };
const all = [...operations, counted, made, forgetful];

let server: AgentServer;
let games: Games;
let key: string;
let accountId: number;
async function start(options: AgentServerOptions = {}) {
  server = await serveAgent({ operations: all, ...options });
  games = await feedGames(server);
  await another();
}
async function another(request: Parameters<AgentServer['newKey']>[0] = { plan: 'growth' }) {
  const opened = await server.newKey(request);
  key = opened.key;
  accountId = opened.record.accountId;
}
beforeEach(async () => {
  runs = 0;
  await start();
});
afterEach(() => server.close());

const tell = (message: unknown, said: Said = {}) => say(server, message, { key, ...said });
const call = (name: string, args?: object, meta?: object, said: Said = {}) => tell(callOf(name, args, meta), said);
const errorOf = (heard: Heard) => {
  const { isError, error } = outcomeOf(heard);
  expect(isError).toBe(true);
  return error;
};

describe('a tool that succeeds', () => {
  it('answers the very JSON of REST, with its cost', async () => {
    const rest = await server.ask(`/v1/events/${games.full}?include_odds=true`, { key });
    const heard = await call('get_event', { id: games.full, include_odds: true });
    expect(outcomeOf(heard)).toEqual({ isError: false, error: undefined, value: rest.body, credits: 2 });
    expect(heard.body.result.content[0].text).toBe(JSON.stringify(rest.body));
    expect(heard.body).toMatchObject({ jsonrpc: '2.0', id: 1 });
    const [before, after] = [metersOf(rest), metersOf(heard)];
    expect(after).toEqual({ ...before, left: before.left! - 1, credits: before.credits! - 2 });
    expect(heard.headers.get('cache-control')).toBe('no-store');
    expect(heard.headers.get('etag')).toBeNull();
  });

  it('answers in UTF-8, under an id of any characters', async () => {
    const id = 'é"\\ 日本 \u2028';
    const query = 'Zürich "日本" \u2028 nfl';
    const heard = await tell(callOf('query_events', { query }, undefined, id));
    expect(heard.body.id).toBe(id);
    expect(outcomeOf(heard).value.query).toBe(query);
    expect(Number(heard.headers.get('content-length'))).toBe(Buffer.byteLength(heard.text));
    await server.feed(team(NFL, 'zürich', 'Zürich Renegaden 日本', 'ZÜR'));
    const found = await call('list_teams', { q: 'zürich' });
    expect(outcomeOf(found).value.data[0].name).toBe('Zürich Renegaden 日本');
  });

  it('may be called without arguments, and before any initialize', async () => {
    expect(outcomeOf(await call('list_sports')).value.sports).toHaveLength(2);
  });

  it('answers {} where REST has no body', async () => {
    await server.close();
    await start({ hosts: { 'example.com': ['93.184.216.34'] } });
    const created = outcomeOf(await call('create_webhook', { url: 'https://example.com/' })).value;
    const deleted = await call('delete_webhook', { id: created.id });
    expect(outcomeOf(deleted)).toMatchObject({ value: {}, credits: 0 });
    expect(deleted.body.result.structuredContent).toEqual({});
    expect(errorOf(await call('delete_webhook', { id: created.id })).status).toBe(404);
  });

  it('is charged and noted under its name, as over REST', async () => {
    const heard = await call('get_event', { id: games.full }, undefined, { headers: { 'x-request-id': 'mine' } });
    expect(heard.headers.get('x-request-id')).toBe('mine');
    expect(await chargesOf(server, accountId, 'mine')).toEqual([1]);
  });
});

describe('a tool that fails', () => {
  it.each<[string, object, number, string]>([
    ['get_event', { id: 987_654 }, 404, 'not_found'],
    ['get_event', { id: '1' }, 422, 'validation_error'],
    ['list_events', { limit: 25.5 }, 422, 'validation_error'],
    ['list_events', { from: 'yesterday' }, 400, 'bad_request'],
    ['get_event', {}, 422, 'validation_error'],
  ])('%s %j: %d %s', async (name, args, status, code) => {
    const heard = await call(name, args);
    expect(errorOf(heard)).toMatchObject({ status, code, request_id: heard.headers.get('x-request-id') });
    expect(metersOf(heard)).toMatchObject({ used: 0, credits: 50_000 });
  });

  it('reports the place of an error as REST does', async () => {
    const { errors } = errorOf(await call('list_events', { limit: '25', sport: 5 }));
    expect(errors.map(({ loc }: any) => loc)).toEqual([
      ['query', 'sport'],
      ['query', 'limit'],
    ]);
  });

  it('for a sport that the key does not open', async () => {
    await another({ plan: 'growth', scopes: ['nba'] });
    expect(errorOf(await call('list_events', { sport: 'nfl' }))).toMatchObject({
      status: 403,
      code: 'sport_scope_denied',
      granted_scopes: ['nba'],
    });
  });

  it('for want of credits', async () => {
    await another({ plan: 'payg' });
    const heard = await call('get_event', { id: games.full });
    expect(errorOf(heard)).toMatchObject({ status: 402, code: 'insufficient_credits' });
    await buyPack(server, key, accountId);
    expect(outcomeOf(await call('get_event', { id: games.full })).credits).toBe(1);
  });
});

describe('the window of requests', () => {
  beforeEach(async () => {
    await server.close();
    await start({ plans: { growth: { requests_per_minute: 3 } } });
  });

  it('is one for REST and MCP, and refuses a call as a tool error', async () => {
    expect(metersOf(await call('get_credits')).left).toBe(2);
    expect((await look(server, key)).left).toBe(1);
    expect(metersOf(await call('get_credits')).left).toBe(0);
    const refused = await call('get_credits');
    expect(errorOf(refused)).toMatchObject({ status: 429, code: 'rate_limit_exceeded', retry_after: 60 });
    expect(metersOf(refused)).toMatchObject({ limit: 3, left: 0, retryAfter: 60, used: 0 });
    expect((await server.ask('/v1/sports', { key })).status).toBe(429);
  });

  it.each([
    ['an error of the tool', callOf('get_event', { id: 0 })],
    ['wrong arguments', callOf('get_event', {})],
    ['an unknown tool', callOf('no_such_tool')],
    ['no name', rpc('tools/call', {})],
    ['arguments that are no object', callOf('get_event', [1])],
  ])('counts a call once, whatever becomes of it: %s', async (_, message) => {
    expect(metersOf(await tell(message)).left).toBe(2);
    expect((await look(server, key)).left).toBe(1);
    await look(server, key);
    expect(errorOf(await tell(message)).status).toBe(429);
  });

  it('counts nothing else in the window of calls', async () => {
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    for (let n = 0; n < 5; n++) {
      for (const message of [rpc('initialize', initialize), rpc('tools/list'), rpc('ping'), rpc('no/such')]) {
        const { status, headers } = await tell(message);
        expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, '600']);
      }
      expect((await tell({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
      expect((await tell({ jsonrpc: '2.0', method: 'tools/call', params: {} })).status).toBe(202);
      expect((await tell([callOf('list_sports')])).status).toBe(400);
      const described = await tell(undefined, { method: 'GET', headers: { accept: '*/*' } });
      expect(described.status).toBe(200);
    }
    expect(await look(server, key)).toEqual({ left: 2, credits: 50_000 });
  });
});

describe('polls of scores', () => {
  it('share 20 a minute over REST and MCP', async () => {
    for (let n = 0; n < 7; n++) {
      expect(outcomeOf(await call('get_live_score', { id: games.full })).isError).toBe(false);
      expect(outcomeOf(await call('list_events', { include_scores: true })).isError).toBe(false);
      if (n < 6) expect((await server.ask(`/v1/events/${games.full}/score`, { key })).status).toBe(200);
    }
    expect(errorOf(await call('get_live_score', { id: games.full }))).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
    });
    expect((await server.ask(`/v1/events/${games.full}/score`, { key })).status).toBe(429);
    expect(outcomeOf(await call('list_events')).isError).toBe(false);
  });
});

describe('requests in flight', () => {
  const IN_FLIGHT = 16;

  it('share 16 slots: a call beyond them is a tool error, anything else 429', async () => {
    await look(server, key);
    const held = await Promise.all(Array.from({ length: IN_FLIGHT }, () => holdRequest(server, key)));
    const left = (await call('list_sports')).headers.get('x-ratelimit-remaining');

    const refused = await call('list_sports');
    expect(errorOf(refused)).toMatchObject({ status: 429, code: 'concurrency_limit_exceeded', retry_after: 1 });
    expect(refused.headers.get('retry-after')).toBe('1');
    // It counts in no window.
    expect(refused.headers.get('x-ratelimit-remaining')).toBe(left);
    const call404 = await tell(callOf('no_such_tool'));
    expect(errorOf(call404).code).toBe('concurrency_limit_exceeded');

    for (const [message, said] of [
      [rpc('ping'), {}],
      [rpc('tools/list'), {}],
      [{ jsonrpc: '2.0', method: 'notifications/initialized' }, {}],
      [{ jsonrpc: '2.0', method: 'tools/call', params: { name: 'list_sports' } }, {}],
      [[callOf('list_sports')], {}],
      [undefined, { body: '{' }],
      [rpc('ping'), { headers: { accept: 'text/html' } }],
      [callOf('list_sports'), { headers: { 'mcp-protocol-version': 'x' } }],
    ] as [unknown, Said][]) {
      const { status, body, headers } = await tell(message, said);
      expect([message, status, body.error.code]).toEqual([message, 429, 'concurrency_limit_exceeded']);
      expect([headers.get('retry-after'), headers.get('x-credits-used')]).toEqual(['1', '0']);
    }
    // Neither the description nor what is judged before takes a place.
    expect((await tell(undefined, { method: 'GET', headers: { accept: '*/*' } })).status).toBe(200);
    expect((await tell(rpc('ping'), { key: 'x' })).status).toBe(401);
    for (const one of held) expect(await one.finish()).toBe(200);
    expect(outcomeOf(await call('list_sports')).isError).toBe(false);
  });

  it('are in use from the headers of any request to /mcp on', async () => {
    await look(server, key);
    const held = await Promise.all(Array.from({ length: IN_FLIGHT }, () => holdMessage(server, key)));
    expect((await server.ask('/v1/sports', { key })).body.error.code).toBe('concurrency_limit_exceeded');
    expect(errorOf(await call('list_sports')).code).toBe('concurrency_limit_exceeded');
    for (const one of held) one.leave();
    await expect.poll(async () => (await server.ask('/v1/sports', { key })).status).toBe(200);
  });

  it('are overrun by so many bytes only: beyond these nothing is read, and a call is 429 too', async () => {
    await look(server, key);
    const held = await Promise.all(Array.from({ length: IN_FLIGHT }, () => holdMessage(server, key)));
    const MIB = 1024 * 1024;
    const beyond = await Promise.all(Array.from({ length: 64 }, () => holdMessage(server, key, MIB)));
    const refused = await tell(callOf('list_sports'));
    expect([refused.status, refused.body.error.code]).toEqual([429, 'concurrency_limit_exceeded']);
    beyond[0]!.leave();
    await expect.poll(async () => (await tell(callOf('list_sports'))).status).toBe(200);
    for (const one of [...held, ...beyond]) one.leave();
  });

  it('are released, however a request ends', async () => {
    for (let n = 0; n < 2 * IN_FLIGHT; n++) {
      await tell([rpc('ping')]);
      await tell(undefined, { body: '{' });
      await call('get_event', {});
      await tell(rpc('no/such'));
    }
    expect(outcomeOf(await call('list_sports')).isError).toBe(false);
  });
});

describe('_meta.idempotency_key', () => {
  const rest = (id: number, idempotencyKey: string) =>
    server.post(`/v1/made/${id}`, undefined, { key, headers: { 'idempotency-key': idempotencyKey } });

  it('gets the first answer again, over REST too, and costs nothing', async () => {
    const first = await call('make_run', { id: 5 }, { idempotency_key: 'k' });
    expect(outcomeOf(first)).toMatchObject({ value: { id: 5, runs: 1 }, credits: 2 });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await call('make_run', { id: 5 }, { idempotency_key: ' k ' });
    expect(outcomeOf(again)).toMatchObject({ value: { id: 5, runs: 1 }, credits: 0 });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const overRest = await rest(5, 'k');
    expect([overRest.status, overRest.body, overRest.credits]).toEqual([201, { id: 5, runs: 1 }, 0]);
  });

  it('gets the answer that REST has given', async () => {
    expect((await rest(5, 'k')).body).toEqual({ id: 5, runs: 1 });
    expect(outcomeOf(await call('make_run', { id: 5 }, { idempotency_key: 'k' })).value).toEqual({ id: 5, runs: 1 });
    expect(outcomeOf(await call('make_run', { id: 6 }, { idempotency_key: 'k' })).value).toEqual({ id: 6, runs: 2 });
  });

  it.each([[5], [null], [''], ['x'.repeat(256)], ['ü'], ['a\nb'], [{}]])(
    'is refused as the header is: %j',
    async (given) => {
      const { status, errors } = errorOf(await call('make_run', { id: 5 }, { idempotency_key: given }));
      expect([status, errors[0].loc]).toEqual([422, ['header', 'Idempotency-Key']]);
      expect(runs).toBe(0);
    },
  );

  it('is not read where REST reads none', async () => {
    for (const runs of [1, 2]) {
      const heard = await call('forget_run', { id: 5 }, { idempotency_key: runs === 1 ? 'k' : 5 });
      expect(outcomeOf(heard).value).toEqual({ id: 5, runs });
    }
  });

  it('is not the header', async () => {
    for (const runs of [1, 2]) {
      const heard = await call('make_run', { id: 5 }, undefined, { headers: { 'idempotency-key': 'k' } });
      expect(outcomeOf(heard).value).toEqual({ id: 5, runs });
    }
  });
});

describe('cached answers', () => {
  it('are shared by REST and MCP', async () => {
    expect((await server.ask('/v1/counted/1', { key })).body).toEqual({ id: 1, runs: 1 });
    expect(outcomeOf(await call('count_runs', { id: 1 }))).toMatchObject({ value: { id: 1, runs: 1 }, credits: 1 });
    expect(outcomeOf(await call('count_runs', { id: 2 })).value).toEqual({ id: 2, runs: 2 });
    expect((await server.ask('/v1/counted/2', { key })).body).toEqual({ id: 2, runs: 2 });
  });
});

describe('/metrics', () => {
  it('counts calls by operation, with the status that REST would have', async () => {
    await call('get_odds', { id: games.full });
    await call('get_odds', { id: games.unknown });
    await call('get_odds', {});
    await call('no_such_tool');
    await tell(rpc('tools/list'));
    await tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const headers = { authorization: `Bearer ${BOOTSTRAP_KEY}` };
    const told = parseExposition(await (await fetch(`${server.url}/metrics`, { headers })).text());
    const count = (operation: string, status: string) =>
      sampleOf(told, 'ledgerline_requests_total', { operation, status });
    expect([count('get_odds', '2xx'), count('get_odds', '4xx'), count('none', '4xx')]).toEqual([1, 2, 1]);
    expect(
      told.get('ledgerline_requests_total')!.samples.filter(({ labels }) => labels['operation'] === 'none'),
    ).toHaveLength(1);
    expect(sampleOf(told, 'ledgerline_refusals_total', { code: 'not_found' })).toBe(1);
  });
});

/** A request to /mcp whose head the server has read, and whose body never comes. */
async function holdMessage({ port }: AgentServer, key: string, length = 100) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const lines = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    'Expect: 100-continue',
    '\r\n',
  ];
  socket.write(lines.join('\r\n'));
  await new Promise((resolve) => socket.once('data', resolve));
  return { leave: () => void socket.destroy() };
}

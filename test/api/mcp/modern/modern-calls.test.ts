import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedGames, type Games } from '../../agent/games.ts';
import { type AgentServer, serveAgent } from '../../agent/serving.ts';
import { callOf, say } from '../mcp-client.ts';
import { ask, callTool, SERVER_INFO } from './modern-client.ts';

let server: AgentServer;
let games: Games;
beforeAll(async () => {
  server = await serveAgent();
  games = await feedGames(server);
});
afterAll(() => server.close());

describe('a call', () => {
  it('answers as REST does, and says what it cost in `_meta`', async () => {
    const rest = await server.ask(`/v1/events/${games.full}`);
    const heard = await callTool(server, 'get_event', { id: games.full });
    const { result } = heard.body;
    expect(result.structuredContent).toEqual(rest.body);
    expect(result).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }] });
    expect(result._meta).toEqual({
      [SERVER_INFO]: expect.objectContaining({ name: 'ledgerline' }),
      credits_used: 1,
      'ledgerline/creditsUsed': 1,
      'ledgerline/creditsRemaining': Number(heard.headers.get('x-credits-remaining')),
      'ledgerline/requestId': heard.headers.get('x-request-id'),
    });
  });

  it('that fails is a result with `isError`, and free', async () => {
    const { status, body } = await callTool(server, 'get_event', { id: games.unknown });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      isError: true,
      resultType: 'complete',
      _meta: { credits_used: 0, 'ledgerline/creditsUsed': 0 },
    });
    expect(JSON.parse(body.result.content[0].text).error).toMatchObject({ code: 'not_found', status: 404 });
  });

  it('may be of a tool that is not listed', async () => {
    const { body } = await callTool(server, 'get_splits', { id: games.full }, { search: '?tools=account' });
    expect(body.result.structuredContent.available).toBe(true);
  });

  it('of an unknown tool is -32602', async () => {
    const { status, body } = await callTool(server, 'no_such');
    expect([status, body.error.code]).toEqual([200, -32602]);
  });
});

describe('ledgerline/maxCredits', () => {
  const capped = (most: unknown) => ({ meta: { 'ledgerline/maxCredits': most } });
  const many = { id: 0, bookmaker: 'all' };
  const balance = async () => (await server.ask('/api/agent/credits')).body;

  it('refuses a call that may cost more, before it runs, for nothing', async () => {
    const before = await balance();
    const { body } = await callTool(server, 'get_odds', { ...many, id: games.full }, capped(1));
    expect(JSON.parse(body.result.content[0].text).error).toMatchObject({ code: 'credit_cap_exceeded', status: 402 });
    expect(await balance()).toEqual(before);
  });

  it('lets pass what may cost as much', async () => {
    const { body } = await callTool(server, 'get_odds', { ...many, id: games.full }, capped(2));
    expect(body.result._meta.credits_used).toBe(2);
  });

  it('holds in the other era too', async () => {
    const message = callOf('get_odds', { ...many, id: games.full }, { 'ledgerline/maxCredits': 1.5 });
    const { body } = await say(server, message);
    expect(JSON.parse(body.result.content[0].text).error.code).toBe('credit_cap_exceeded');
  });

  it.each(['1', -1, null, {}, true])('is -32602 as %j', async (most) => {
    const { status, body } = await callTool(server, 'get_event', { id: games.full }, capped(most));
    expect([status, body.error?.code]).toEqual([200, -32602]);
  });

  it('holds for what is read as a resource', async () => {
    const uri = `ledgerline://events/${games.full}/odds`;
    const { status, body } = await ask(server, 'resources/read', { uri }, capped(0));
    expect([status, body.error.code]).toEqual([402, 'credit_cap_exceeded']);
  });
});

describe('a resource of an event', () => {
  it.each([
    ['score', 'score'],
    ['odds', 'odds'],
  ])('%s is what REST answers, for its price', async (kind, path) => {
    const rest = await server.ask(`/v1/events/${games.full}/${path}`);
    const uri = `ledgerline://events/${games.full}/${kind}`;
    const { body, headers } = await ask(server, 'resources/read', { uri });
    const [content] = body.result.contents;
    expect(JSON.parse(content.text)).toEqual(rest.body);
    expect(content).toMatchObject({ uri, mimeType: 'application/json' });
    expect(body.result).toMatchObject({ cacheScope: 'private', ttlMs: 0, _meta: { credits_used: 1 } });
    expect(headers.get('x-credits-used')).toBe('1');
  });

  it('counts among the polls of scores', async () => {
    const { key } = await server.newKey();
    const uri = `ledgerline://events/${games.full}/score`;
    for (let poll = 0; poll < 20; poll++) {
      expect((await ask(server, 'resources/read', { uri }, { key })).status).toBe(200);
    }
    const refused = await ask(server, 'resources/read', { uri }, { key });
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
  });

  it('that is unknown is -32602 with its address, and free', async () => {
    const uri = `ledgerline://events/${games.unknown}/score`;
    const { status, body, headers } = await ask(server, 'resources/read', { uri });
    expect([status, body.error.code, body.error.data]).toEqual([200, -32602, { uri }]);
    expect(headers.get('x-credits-used')).toBe('0');
  });
});

it('needs a key, whatever is asked', async () => {
  for (const method of ['server/discover', 'prompts/list']) {
    expect((await ask(server, method, {}, { key: 'llk_x.y' })).status).toBe(401);
  }
});

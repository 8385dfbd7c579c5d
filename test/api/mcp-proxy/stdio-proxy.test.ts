import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedGames, type Games } from '../agent/games.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { callOf, rpc, say } from '../mcp/mcp-client.ts';
import { envelope, modernRequest, SERVER_INFO, SUBSCRIPTION_ID } from '../mcp/modern/modern-client.ts';
import { NFL, schedule, score } from '../spec/messages.ts';
import { cancelling, notification, proxied } from './proxied-client.ts';

// Against the server that ships.

let server: AgentServer;
let games: Games;
beforeAll(async () => {
  server = await serveAgent();
  games = await feedGames(server);
});
afterAll(() => server.close());

const opened = (tools?: string) => proxied({ url: server.url, key: server.key, ...(tools ? { tools } : {}) });
const modern = (method: string, params: Record<string, unknown> = {}, id: string | number = 1) =>
  modernRequest(method, params, { id }).message;

describe('a client of the revisions with initialize', () => {
  it('agrees on a version, and lists and calls tools', async () => {
    const client = opened();
    const clientInfo = { name: 'test', version: '1' };
    const { result } = await client.ask(
      rpc('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
    );
    expect(result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'ledgerline' } });
    client.send(notification('notifications/initialized'));
    expect(await client.ask(rpc('ping', undefined, 2))).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    const listed = await client.ask(rpc('tools/list', undefined, 'list'));
    expect(listed.result.tools).toHaveLength(12);
    const called = await client.ask(callOf('get_event', { id: games.full }, undefined, 4));
    expect(called.result.structuredContent).toEqual(await server.get(`/v1/events/${games.full}`));
  });

  it('is offered the toolsets that it names', async () => {
    const listed = await opened('account').ask(rpc('tools/list'));
    expect(listed.result.tools.map(({ name }: { name: string }) => name)).toContain('create_webhook');
  });

  it('gets the errors of the protocol as they are, each for its request', async () => {
    const client = opened();
    expect((await client.ask(rpc('resources/list', {}, 1))).error.code).toBe(-32601);
    expect((await client.ask(callOf('nonsense', {}, undefined, 2))).error.code).toBe(-32602);
    const told = await client.ask(callOf('get_event', { id: games.unknown }, undefined, 3));
    expect(told.result.isError).toBe(true);
  });
});

describe('a client of the revision 2026-07-28', () => {
  it('discovers the server, and reads tools, resources and prompts', async () => {
    const client = opened();
    const { result } = await client.ask(modern('server/discover'));
    expect(result.supportedVersions[0]).toBe('2026-07-28');
    expect(result._meta[SERVER_INFO].name).toBe('ledgerline');
    expect((await client.ask(modern('tools/list', {}, 2))).result.tools).toHaveLength(12);
    const uri = `ledgerline://events/${games.full}/score`;
    const read = await client.ask(modern('resources/read', { uri }, 3));
    expect(JSON.parse(read.result.contents[0].text).event_id).toBe(games.full);
    const prompts = (await client.ask(modern('prompts/list', {}, 4))).result.prompts;
    expect(prompts.length).toBeGreaterThan(0);
    const called = await client.ask(modern('tools/call', { name: 'get_event', arguments: { id: games.full } }, 5));
    expect(called.result.structuredContent.id).toBe(games.full);
  });

  it.each([['täg'], [' padded '], ['=?base64?x?='], ['line\nbreak'], ['世界'], ['']])(
    'may name %j: the header says the same as the body',
    async (name) => {
      const { error, result } = await opened().ask(modern('prompts/get', { name }));
      // Nothing has this name. A header that differs would be -32020.
      expect([error?.code, result]).toEqual([-32602, undefined]);
    },
  );

  it('gets its errors as they are', async () => {
    const client = opened();
    expect((await client.ask(modern('ping'))).error.code).toBe(-32601);
    const older = rpc('tools/list', { _meta: envelope('2025-11-25') }, 2);
    expect((await client.ask(older)).error).toMatchObject({ code: -32022, data: { requested: '2025-11-25' } });
    const bare = rpc('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }, 3);
    expect((await client.ask(bare)).error.code).toBe(-32602);
    const odd = rpc('tools/list', { _meta: envelope('zukünftig') }, 4);
    expect((await client.ask(odd)).error.code).toBeLessThan(0);
  });
});

describe('a subscription', () => {
  const uriOf = (id: number) => `ledgerline://events/${id}/score`;
  const listen = (id: string | number) =>
    modern('subscriptions/listen', { notifications: { resourceSubscriptions: [uriOf(games.full)] } }, id);
  /** The score changes in each minute. */
  const play = (minute: number) =>
    server.feed(
      score('full', 'inprogress', [String(minute), '3'], {
        at: `2026-03-01T11:${minute}:00Z`,
        period: '1',
        clock: '07:00',
      }),
    );

  it('tells its changes between other answers, until it is cancelled', async () => {
    const client = opened();
    client.send(listen('mine'));
    const acknowledged = await client.notified('notifications/subscriptions/acknowledged');
    expect(acknowledged.params._meta[SUBSCRIPTION_ID]).toBe('mine');
    await play(41);
    const updated = await client.notified('notifications/resources/updated');
    expect(updated.params).toEqual({ uri: uriOf(games.full), _meta: { [SUBSCRIPTION_ID]: 'mine' } });
    expect((await client.ask(modern('tools/list', {}, 2))).result.tools).toHaveLength(12);
    expect(server.agentStreams.size).toBe(1);

    client.send(cancelling('mine'));
    await expect.poll(() => server.agentStreams.size).toBe(0);
    await play(42);
    expect((await client.ask(modern('tools/list', {}, 3))).result.tools).toHaveLength(12);
    expect(client.heard.filter(({ method }) => method === 'notifications/resources/updated')).toHaveLength(1);
    expect(client.heard.some(({ id }) => id === 'mine')).toBe(false);
  });

  it('ends with the input, and the proxy with it', async () => {
    const client = opened();
    client.send(listen(1));
    await client.notified('notifications/subscriptions/acknowledged');
    client.input.end();
    await client.ended;
    await expect.poll(() => server.agentStreams.size).toBe(0);
    expect(client.heard).toHaveLength(1);
  });

  it('is refused as the sixth of a key, and says why', async () => {
    const client = opened();
    for (let id = 1; id <= 5; id++) client.send(listen(id));
    await client.notified('notifications/subscriptions/acknowledged', 5);
    const { error } = await client.ask(listen(6));
    expect(error).toMatchObject({ code: 429, data: { code: 'stream_limit_exceeded' } });
    expect(error.message).toMatch(/Try again in \d+ seconds\.$/);
    client.input.end();
    await client.ended;
    await expect.poll(() => server.agentStreams.size).toBe(0);
  });
});

describe('many requests', () => {
  it('are answered beside each other, none twice, though a key has sixteen slots', async () => {
    const client = opened();
    for (let id = 0; id < 100; id++) client.send(callOf('get_event', { id: games.full }, undefined, id));
    await expect.poll(() => client.heard.length).toBe(100);
    expect(new Set(client.heard.map(({ id }) => id)).size).toBe(100);
    expect(client.heard.filter(({ result }) => !result || result.isError)).toEqual([]);
  });

  it('that have one id get an error for the second', async () => {
    const client = opened();
    client.send(rpc('tools/list', undefined, 'same'));
    client.send(rpc('tools/list', undefined, 'same'));
    await expect.poll(() => client.heard.length).toBe(2);
    const [first, second] = client.heard;
    expect([first.error.code, second.result.tools.length]).toEqual([-32600, 12]);
  });
});

describe('a key', () => {
  it('that is wrong is told for every request', async () => {
    const client = proxied({ url: server.url, key: 'llk_wrong.key' });
    for (const message of [rpc('initialize', {}, 1), modern('server/discover', {}, 2)]) {
      const { error } = await client.ask(message);
      expect([error.code, error.data.code]).toEqual([401, 'unauthorized']);
      expect(error.message).toContain('does not accept the API key. Put a valid key');
    }
  });

  it('that is missing leaves the tools by which an agent asks for one, and is told as such for all else', async () => {
    const client = proxied({ url: server.url });
    const listed = await client.ask(rpc('tools/list', undefined, 1));
    expect(listed.result.tools.map(({ name }: { name: string }) => name)).toEqual(['start_trial', 'finish_trial']);
    const { error } = await client.ask(callOf('get_event', { id: games.full }, undefined, 2));
    expect([error.code, error.message]).toEqual([401, expect.stringContaining('needs an API key')]);
  });
});

it('an answer that a client gets through the proxy is the one that the server gives', async () => {
  await server.feed(schedule(NFL, 'ümläut', ['Füchse', 'Łódź\u2028'], '2026-03-02T11:30:00Z'));
  const message = callOf('list_events', { limit: 100 });
  const direct = await say({ ...server }, message, { search: '?tools=core' });
  expect(await opened().ask(message)).toEqual(direct.body);
});

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '../../../src/api/calls/principal.ts';
import { outcomeOf } from '../agent/metering.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { callOf, rpc, type Said, say } from './mcp-client.ts';
import { ask, callTool } from './modern/modern-client.ts';

let server: AgentServer;
let addresses = 0;
beforeAll(async () => {
  server = await serveAgent();
});
afterAll(() => server.close());

const NAMES = ['start_trial', 'finish_trial'];
/** Without a key, from an address of its own. */
const nobody = (said: Said = {}): Said => ({
  key: null,
  ...said,
  headers: { 'x-forwarded-for': `198.51.100.${++addresses % 250}`, ...said.headers },
});
const tell = (message: unknown, said: Said = {}) => say(server, message, nobody(said));
const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

/** Approves a request as the owner of the server's first key. */
async function approve(userCode: string): Promise<void> {
  const { accountId, plan } = server.record;
  const owner: Principal = {
    keyId: null,
    accountId,
    plan,
    scopes: ['all'],
    unlimited: false,
    owner: { userId: 1, ip: '192.0.2.1', userAgent: '' },
    account: { createdAt: server.clock.time, order: null },
  };
  await server.trials.approvals.approve(owner, userCode, { scopes: ['nba'], maxCreditsADay: 5 });
}

describe('a request without a key', () => {
  it('of the revisions with initialize: the handshake, ping, and the list of the two tools', async () => {
    const { status, body } = await tell(INITIALIZE);
    expect([status, body.result.protocolVersion]).toEqual([200, '2025-11-25']);
    expect(body.result.instructions).toContain('start_trial');
    expect((await tell({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    expect((await tell(rpc('ping'))).body.result).toEqual({});
    for (const search of ['', '?tools=all', '?tools=core&schemas=full']) {
      const { tools } = (await tell(rpc('tools/list', {}), { search })).body.result;
      expect(tools.map(({ name }: any) => name)).toEqual(NAMES);
      for (const { description, inputSchema } of tools) {
        expect(description.length).toBeLessThanOrEqual(300);
        expect(inputSchema.type).toBe('object');
      }
    }
  });

  it('of the revision without it: server/discover and the list, which no cache may give to others', async () => {
    const found = await ask(server, 'server/discover', {}, nobody());
    expect([found.status, found.body.result.resultType]).toEqual([200, 'complete']);
    expect(found.body.result.supportedVersions).toContain('2026-07-28');
    expect(found.body.result).toMatchObject({ capabilities: { tools: {} }, cacheScope: 'private' });
    expect(found.body.result.instructions).toContain('start_trial');
    const { result } = (await ask(server, 'tools/list', {}, nobody())).body;
    expect(result.tools.map(({ name }: any) => name)).toEqual(NAMES);
    expect(result.cacheScope).toBe('private');
  });

  it('gets a key by the two tools, in both eras', async () => {
    for (const call of [
      (name: string, args: object) => tell(callOf(name, args)),
      (name: string, args: object) => callTool(server, name, args, nobody()),
    ]) {
      const started = await call('start_trial', { client_name: 'my agent' });
      expect(started.headers.get('x-credits-used')).toBe('0');
      const { structuredContent: asked, _meta: meta } = started.body.result;
      expect(meta.credits_used).toBe(0);
      const pending = (await call('finish_trial', { device_code: asked.device_code })).body.result;
      expect(pending.isError).toBe(true);
      expect(JSON.parse(pending.content[0].text).error).toMatchObject({
        code: 'authorization_pending',
        status: 400,
        retry_after: 5,
      });
      await approve(asked.user_code);
      const { structuredContent: got } = (await call('finish_trial', { device_code: asked.device_code })).body.result;
      expect(got).toMatchObject({ name: 'my agent', scopes: ['nba'], max_credits_a_day: 5 });
      expect((await server.ask('/v1/events?sport=nba', { key: got.key })).status).toBe(200);
      expect((await say(server, rpc('ping'), { key: got.key })).status).toBe(200);
    }
  });

  it('given wrong arguments, then the tool says what is wrong; given wrong params, then the protocol does', async () => {
    const { isError, content } = (await tell(callOf('start_trial', {}))).body.result;
    expect(isError).toBe(true);
    expect(JSON.parse(content[0].text).error.errors[0].loc).toEqual(['body', 'client_name']);
    expect((await tell(callOf('start_trial', 7))).body.error.code).toBe(-32602);
    expect((await tell(rpc('tools/list', { cursor: 'x' }))).body.error.code).toBe(-32602);
    expect((await tell(rpc('initialize', {}))).body.error.code).toBe(-32602);
  });

  it.each<[what: string, message: unknown, said?: Said]>([
    ['another tool', callOf('list_events', {})],
    ['an unknown tool', callOf('no_such_tool', {})],
    ['a call without a name', callOf(undefined, {})],
    ['a call of a tool as a notification', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'start_trial' } }],
    ['another notification', { jsonrpc: '2.0', method: 'notifications/cancelled' }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['resources', rpc('resources/list')],
    ['prompts', rpc('prompts/list')],
    ['an unknown method', rpc('no/such')],
    ['a batch', [rpc('ping')]],
    ['no JSON', undefined, { body: '{' }],
    ['a body of another type', rpc('ping'), { headers: { 'content-type': 'text/plain' } }],
    ['the description', undefined, { method: 'GET', headers: { accept: '*/*' } }],
  ])('%s is 401', async (_, message, said) => {
    const { status, body, headers } = await tell(message, said);
    expect([status, body.error.code]).toEqual([401, 'unauthorized']);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('of the newer revision is 401 too for whatever else there is', async () => {
    for (const [method, params] of [
      ['resources/list', {}],
      ['resources/read', { uri: 'ledgerline://catalogue' }],
      ['prompts/list', {}],
      ['completion/complete', {}],
      ['subscriptions/listen', {}],
      ['tools/call', { name: 'get_odds', arguments: { id: 1 } }],
    ] as const)
      expect([method, (await ask(server, method, params, nobody())).status]).toEqual([method, 401]);
  });

  it('given a version that is not spoken, then it is told which are', async () => {
    const { status, body } = await ask(
      server,
      'server/discover',
      {},
      {
        ...nobody(),
        meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
      },
    );
    expect(status).toBe(400);
    expect([-32020, -32022]).toContain(body.error.code);
  });

  it('given a key that is wrong or malformed, then it is 401, whatever is asked', async () => {
    for (const message of [
      INITIALIZE,
      rpc('ping'),
      rpc('tools/list', {}),
      callOf('start_trial', { client_name: 'x' }),
    ]) {
      expect((await say(server, message, { key: 'llk_x.y' })).status).toBe(401);
      expect((await say(server, message, { key: null, headers: { authorization: 'Basic eDp5' } })).status).toBe(401);
    }
  });

  it('given 1,200 a minute of an address, then 429, and others go on', async () => {
    const from = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    let served = 0;
    for (let n = 0; n < 12; n++) {
      const all = await Promise.all(Array.from({ length: 100 }, () => tell(rpc('ping'), from)));
      served += all.filter(({ status }) => status === 200).length;
    }
    expect(served).toBe(1200);
    const refused = await tell(rpc('ping'), from);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers.has('retry-after')).toBe(true);
    expect((await tell(rpc('ping'))).status).toBe(200);
  });
});

it('with a key the two tools are neither listed nor called', async () => {
  for (const search of ['', '?tools=all', '?tools=account']) {
    const { tools } = (await say(server, rpc('tools/list', {}), { search })).body.result;
    expect(tools.map(({ name }: any) => name).filter((name: string) => NAMES.includes(name))).toEqual([]);
  }
  expect((await say(server, callOf('start_trial', { client_name: 'x' }))).body.error.code).toBe(-32602);
  expect(outcomeOf(await server.post('/v1/estimate', { calls: [{ tool: 'start_trial' }] }))).toBe(
    '422 validation_error',
  );
});

it("the SDK's client connects without a key, and asks for one", async () => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)) as Transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES);
  const { structuredContent } = await client.callTool({ name: 'start_trial', arguments: { client_name: 'sdk' } });
  expect(structuredContent).toMatchObject({ interval: 5, expires_in: 900 });
  await client.close();
});

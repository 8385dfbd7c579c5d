import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../../../src/api/calls/principal.ts';
import { type Composed, composed } from '../../support/composed.ts';
import { rpc, say } from '../mcp/mcp-client.ts';

let server: Composed;
/** The caller of requests without a key. */
let owner: Principal | undefined;
beforeEach(async () => {
  owner = undefined;
  server = await composed({ replacements: { keyless: () => owner && (() => owner!) } });
  await server.core.runner.start();
});
afterEach(() => server.close());

const talked = async (plan = 'free') => ({ url: server.url, key: (await server.newKey({ plan })).key });
const MANY = 600;

/** The statuses of so many answers, each with how often it came. */
async function statusesOf(times: number, ask: (index: number) => Promise<{ status: number }>) {
  const counts: Record<number, number> = {};
  for (let from = 0; from < times; from += 8) {
    const some = Array.from({ length: Math.min(8, times - from) }, (_, index) => ask(from + index));
    for (const { status } of await Promise.all(some)) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

describe('messages of MCP that are no calls', () => {
  const FREE = [
    rpc('ping'),
    rpc('tools/list'),
    rpc('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }),
    rpc('resources/list'),
    rpc('prompts/list'),
    rpc('nothing'),
    rpc('notifications/initialized', undefined, undefined),
    { jsonrpc: '1.0' },
  ];

  it('are 600 of a key in 60 seconds, of all methods together, malformed ones and GET too', async () => {
    const who = await talked();
    const counts = await statusesOf(MANY - 1, (index) => say(who, FREE[index % FREE.length]));
    expect(counts[429]).toBeUndefined();
    const described = await say(who, undefined, { method: 'GET', headers: { accept: 'application/json' } });
    expect([described.status, described.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
    for (const message of FREE) {
      const { status, headers, body } = await say(who, message);
      expect([status, headers.get('retry-after'), body.error.code]).toEqual([429, '60', 'rate_limit_exceeded']);
    }
    const refused = await say(who, undefined, { method: 'GET', headers: { accept: 'application/json' } });
    expect(refused.status).toBe(429);
    const call = await say(who, rpc('tools/call', { name: 'list_sports' }));
    expect([call.status, call.body.result.isError], call.text).toEqual([200, undefined]);
    expect((await say(await talked(), FREE[0])).status).toBe(200);
    server.clock.time += 60_000;
    expect((await say(who, FREE[0])).status).toBe(200);
  });

  it('are not evaded by a new key of the same account', async () => {
    const who = await talked();
    await statusesOf(MANY, () => say(who, rpc('ping')));
    const made = await fetch(`${server.url}/api/agent/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${who.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'second', scopes: ['all'] }),
    });
    const { key } = (await made.json()) as { key: string };
    expect((await say({ url: server.url, key }, rpc('ping'))).status).toBe(429);
  });

  it('have ids of at most 256 characters', async () => {
    const who = await talked();
    const longest = 'x'.repeat(256);
    expect((await say(who, rpc('ping', undefined, longest))).body).toEqual({ jsonrpc: '2.0', id: longest, result: {} });
    const { status, text, body } = await say(who, rpc('ping', undefined, 'x'.repeat(1_000_000)));
    expect([status, body.error.code, body.id]).toEqual([400, -32600, null]);
    expect(body.error.message).toContain('id must have at most 256 characters');
    expect(text.length).toBeLessThan(300);
  });
});

describe('calls in sessions of an account', () => {
  const principal = (accountId: number): Principal => ({
    keyId: null,
    accountId,
    plan: 'free',
    scopes: ['all'],
    unlimited: false,
    account: { createdAt: 0, order: null },
  });

  it('are 600 in 60 seconds, whatever they ask for, and no limit of a key counts them', async () => {
    const { record } = await server.newKey({ name: 'a' });
    const other = await server.newKey({ name: 'b' });
    owner = principal(record.accountId);
    const paths = ['/api/agent/credits', '/api/agent/keys', '/api/agent/nothing'];
    const ask = (index = 0) => fetch(server.url + paths[index % paths.length]!);
    const counts = await statusesOf(MANY, ask);
    expect(counts).toEqual({ 200: 400, 404: 200 });
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
    owner = principal(other.record.accountId);
    expect((await ask()).headers.get('x-ratelimit-remaining')).toBe('599');
  });
});

it('whoever is refused before he is known counts by his address, as a wrong key does', async () => {
  const refused = () => fetch(`${server.url}/mcp`, { method: 'DELETE' });
  expect(await statusesOf(1200, refused)).toEqual({ 405: 1200 });
  expect((await refused()).status).toBe(429);
});

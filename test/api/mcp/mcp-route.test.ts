import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE_URL, type Served, serve } from '../http/serving.ts';
import { callOf, type Heard, outcomeOf, rpc, type Said, say } from './mcp-client.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
const PING = rpc('ping');

const asEnvelope = (code: string, status: number) => ({
  error: expect.objectContaining({ code, status, message: expect.any(String), request_id: expect.any(String) }),
  detail: expect.any(String),
});

/** What every answer that is no call tells. */
function expectFree({ headers }: Heard) {
  expect(headers.get('x-credits-used')).toBe('0');
  expect(headers.get('x-ratelimit-limit')).toBeNull();
  expect(headers.get('x-credits-remaining')).toBeNull();
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('etag')).toBeNull();
  expect(headers.get('mcp-session-id')).toBeNull();
  expect(headers.get('access-control-allow-origin')).toBeNull();
}

describe('what HTTP refuses', () => {
  it.each<[what: string, message: unknown, said: Said, status: number, code: string, header?: [string, string]]>([
    ['no key for a tool', callOf('list_events'), { key: null }, 401, 'unauthorized', ['www-authenticate', 'Bearer']],
    ['a wrong key', PING, { key: 'llk_x.y' }, 401, 'unauthorized', ['www-authenticate', 'Bearer']],
    ['a wrong key and no JSON', undefined, { key: 'x', body: '{' }, 401, 'unauthorized'],
    [
      'no key for the description',
      undefined,
      { key: null, method: 'GET', headers: { accept: '*/*' } },
      401,
      'unauthorized',
    ],
    ['PUT', PING, { method: 'PUT' }, 405, 'method_not_allowed', ['allow', 'GET, HEAD, POST']],
    ['DELETE', undefined, { method: 'DELETE' }, 405, 'method_not_allowed', ['allow', 'GET, HEAD, POST']],
    ['OPTIONS', undefined, { method: 'OPTIONS' }, 405, 'method_not_allowed', ['allow', 'GET, HEAD, POST']],
    [
      'PATCH without a key',
      PING,
      { method: 'PATCH', key: null },
      405,
      'method_not_allowed',
      ['allow', 'GET, HEAD, POST'],
    ],
    [
      'a stream',
      undefined,
      { method: 'GET', headers: { accept: 'text/event-stream' } },
      405,
      'method_not_allowed',
      ['allow', 'GET, HEAD, POST'],
    ],
    ['a stream or JSON', undefined, { method: 'GET' }, 405, 'method_not_allowed', ['allow', 'GET, HEAD, POST']],
    ['only HTML', PING, { headers: { accept: 'text/html' } }, 406, 'not_acceptable'],
    ['only a stream', PING, { headers: { accept: 'text/event-stream' } }, 406, 'not_acceptable'],
    ['anything but JSON', PING, { headers: { accept: '*/*, application/json;q=0' } }, 406, 'not_acceptable'],
    ['only HTML, and no JSON', undefined, { headers: { accept: 'text/html' }, body: '{' }, 406, 'not_acceptable'],
    ['the description as HTML', undefined, { method: 'GET', headers: { accept: 'text/html' } }, 406, 'not_acceptable'],
    ['text', PING, { headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    [
      'no type',
      undefined,
      { headers: { 'content-type': null }, body: new Uint8Array([123, 125]) },
      415,
      'unsupported_media_type',
    ],
    [
      'another charset',
      PING,
      { headers: { 'content-type': 'application/json; charset=klingon' } },
      415,
      'unsupported_media_type',
    ],
    ['more than a MiB', undefined, { body: `{"x":"${'x'.repeat(1024 * 1024)}"}` }, 413, 'payload_too_large'],
    ['another host', PING, { headers: { origin: 'https://evil.example' } }, 403, 'forbidden'],
  ])('%s', async (_, message, said, status, code, header) => {
    const heard = await say(served, message, said);
    expect([heard.status, heard.body]).toEqual([status, asEnvelope(code, status)]);
    if (header) expect(heard.headers.get(header[0])).toBe(header[1]);
    expectFree(heard);
  });

  it('does not accept the key from the URL', async () => {
    const response = await fetch(`${served.url}/mcp?api_key=${served.key}`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });
});

describe('what is accepted', () => {
  it.each([
    [null],
    ['*/*'],
    ['application/*'],
    ['application/json'],
    ['text/event-stream, application/json;q=0.1'],
    ['APPLICATION/JSON'],
  ])('Accept: %s', async (accept) => {
    // fetch sends one by itself where there is none.
    const heard = await say(served, PING, { headers: { accept: accept ?? '*/*' } });
    expect([heard.status, heard.body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect(heard.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expectFree(heard);
  });

  it('a session that another server has given', async () => {
    expect((await say(served, PING, { headers: { 'mcp-session-id': 'abc' } })).status).toBe(200);
  });

  it('a body of a MiB', async () => {
    const around = JSON.stringify(rpc('ping', { x: '' })).length;
    const body = JSON.stringify(rpc('ping', { x: 'x'.repeat(1024 * 1024 - around) }));
    expect(body.length).toBe(1024 * 1024);
    expect((await say(served, undefined, { body })).body.result).toEqual({});
  });
});

describe('what is no message', () => {
  const unread = (code: number) => ({ jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } });

  it.each([[''], ['{'], ['{"jsonrpc":"2.0",}'], ['nothing'], ['\u0000'], ['['.repeat(100) + ']'.repeat(100)]])(
    'is not JSON: %j',
    async (body) => {
      const heard = await say(served, undefined, { body });
      expect([heard.status, heard.body]).toEqual([400, unread(-32700)]);
      expectFree(heard);
    },
  );

  it.each<[string, unknown]>([
    ['a bare number', 5],
    ['a bare text', 'ping'],
    ['null', null],
    ['an empty array', []],
    ['an array of one', [PING]],
    ['an array of calls', [callOf('get_thing', { id: 1 }), callOf('get_thing', { id: 2 })]],
    ['an empty object', {}],
    ['no version', { id: 1, method: 'ping' }],
    ['version 1.0', { ...PING, jsonrpc: '1.0' }],
    ['version 2 as a number', { ...PING, jsonrpc: 2 }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['a method that is no text', { ...PING, method: 5 }],
    ['params that are a list', rpc('ping', [1])],
    ['params that are null', rpc('ping', null)],
    ['params that are a text', rpc('ping', 'x')],
    ['an id of null', rpc('ping', undefined, null)],
    ['an id that is a fraction', rpc('ping', undefined, 1.5)],
    ['an id that is a bool', rpc('ping', undefined, true)],
    ['an id that is an object', rpc('ping', undefined, {})],
  ])('is no request, notification or response: %s', async (_, message) => {
    const heard = await say(served, message);
    expect([heard.status, heard.body]).toEqual([400, unread(-32600)]);
    expectFree(heard);
  });
});

describe('requests', () => {
  it.each([[0], [-5], [2 ** 53 - 1], ['a'], [''], ['1']])('are answered under their id: %j', async (id) => {
    expect((await say(served, rpc('ping', undefined, id))).body).toEqual({ jsonrpc: '2.0', id, result: {} });
  });

  it.each([
    ['resources/list'],
    ['prompts/list'],
    ['logging/setLevel'],
    ['completion/complete'],
    ['tasks/list'],
    ['notifications/initialized'],
    ['server/discover'],
    ['constructor'],
    ['__proto__'],
    [''],
  ])('for a method that there is not: %j', async (method) => {
    const heard = await say(served, rpc(method, undefined, 'x'));
    const error = { code: -32601, message: expect.any(String) };
    expect([heard.status, heard.body]).toEqual([200, { jsonrpc: '2.0', id: 'x', error }]);
    expectFree(heard);
  });

  it.each<[string, unknown]>([
    ['ping', { _meta: 5 }],
    ['ping', { _meta: { progressToken: true } }],
    ['tools/list', { cursor: 'x' }],
    ['tools/list', { cursor: '' }],
    ['tools/list', { cursor: 5 }],
    ['initialize', undefined],
    ['initialize', {}],
    ['initialize', { ...INITIALIZE, protocolVersion: 5 }],
    ['tools/call', undefined],
    ['tools/call', {}],
    ['tools/call', { name: 5 }],
    ['tools/call', { name: 'get_thing', arguments: [1] }],
    ['tools/call', { name: 'get_thing', arguments: null }],
    ['tools/call', { name: 'get_thing', arguments: 'id=1' }],
    ['tools/call', { name: 'unknown' }],
    ['tools/call', { name: '__proto__' }],
    ['tools/call', { name: 'constructor', arguments: {} }],
  ])('with wrong params: %s %j', async (method, params) => {
    const heard = await say(served, rpc(method, params, 7));
    const error = { code: -32602, message: expect.any(String) };
    expect([heard.status, heard.body]).toEqual([200, { jsonrpc: '2.0', id: 7, error }]);
    expect(heard.headers.get('x-credits-used')).toBe('0');
  });

  it('may ask for a task, which is ignored', async () => {
    const call = callOf('get_thing', { id: 5 });
    const heard = await say(served, { ...call, params: { ...(call.params as object), task: { ttl: 1000 } } });
    expect(outcomeOf(heard).value).toMatchObject({ id: 5 });
  });

  it('may have members that JSON-RPC does not know', async () => {
    expect((await say(served, { ...PING, trace: 'x' })).body.result).toEqual({});
  });
});

describe('messages without an answer', () => {
  it.each<[string, unknown]>([
    ['that a client is ready', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['that a request is cancelled', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ['an unknown one', { jsonrpc: '2.0', method: 'no/such', params: {} }],
    [
      'a call without an id',
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'create_thing', arguments: { name: 'x' } } },
    ],
    ['a call without an id and with wrong params', { jsonrpc: '2.0', method: 'tools/call', params: {} }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'x' } }],
  ])('%s', async (_, message) => {
    const heard = await say(served, message);
    expect([heard.status, heard.text]).toEqual([202, '']);
    expect(heard.headers.get('content-length')).toBe('0');
    expectFree(heard);
  });
});

describe('versions', () => {
  const ALL = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

  it.each<[asked: string, agreed: string]>([
    ...ALL.map((version): [string, string] => [version, version]),
    ['2024-10-07', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('asked for %s, initialize answers with %s', async (protocolVersion, agreed) => {
    const heard = await say(served, rpc('initialize', { ...INITIALIZE, protocolVersion }));
    expect(heard.body.result).toEqual({
      protocolVersion: agreed,
      capabilities: { tools: {} },
      serverInfo: { name: 'ledgerline', title: 'Ledgerline', version: '0.0.0' },
      instructions: expect.any(String),
    });
    expect(heard.body.result.instructions.length).toBeLessThanOrEqual(1000);
    expectFree(heard);
  });

  it('do not make answers differ', async () => {
    const answers = await Promise.all(
      [...ALL, null].map((version) => say(served, rpc('tools/list'), { headers: { 'mcp-protocol-version': version } })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
  });

  it.each([
    [PING, 1],
    [callOf('get_thing', { id: 1 }, undefined, 'c'), 'c'],
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }, null],
  ])('that are unknown are told the known ones: %j', async (message, id) => {
    const heard = await say(served, message, { headers: { 'mcp-protocol-version': '2024-10-07' } });
    expect(heard.status).toBe(400);
    expect(heard.body).toEqual({ jsonrpc: '2.0', id, error: { code: -32000, message: expect.any(String) } });
    for (const version of ALL) expect(heard.body.error.message).toContain(version);
    expectFree(heard);
  });

  it('are not read on initialize', async () => {
    const heard = await say(served, rpc('initialize', INITIALIZE), { headers: { 'mcp-protocol-version': 'x' } });
    expect(heard.body.result.protocolVersion).toBe('2025-06-18');
  });

  it('are read after what is no message', async () => {
    const heard = await say(served, [PING], { headers: { 'mcp-protocol-version': 'x' } });
    expect(heard.body.error.code).toBe(-32600);
  });
});

describe('GET /mcp', () => {
  it('describes the server', async () => {
    const heard = await say(served, undefined, { method: 'GET', headers: { accept: '*/*' } });
    expect(heard.status).toBe(200);
    expect(heard.body).toEqual({
      name: 'ledgerline',
      version: '0.0.0',
      description: expect.any(String),
      protocol_version: '2025-06-18',
      protocol_versions: ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      transport: 'streamable_http',
      url: `${BASE_URL}/mcp`,
      authentication: 'bearer',
      tools: expect.any(Array),
      total: heard.body.tools.length,
      docs_url: `${BASE_URL}/docs`,
    });
    expect(heard.body.tools[1]).toEqual({
      name: 'list_things',
      description: 'Things. 1 credit.',
      credits: '1 credit',
    });
    expectFree(heard);
  });

  it('has a head', async () => {
    const heard = await say(served, undefined, { method: 'HEAD', headers: { accept: '*/*' } });
    expect([heard.status, heard.text]).toEqual([200, '']);
    expect(Number(heard.headers.get('content-length'))).toBeGreaterThan(100);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serve } from '../../http/serving.ts';
import { type Heard, rpc, say } from '../mcp-client.ts';
import { ask, callTool, envelope, modernRequest, SERVER_INFO, VERSION } from './modern-client.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const errorOf = ({ status, body }: Heard) => [status, body.error?.code];

describe('which era answers', () => {
  it('is this one where `_meta` names a version', async () => {
    const { status, body } = await ask(served, 'tools/list');
    expect([status, body.result.resultType]).toEqual([200, 'complete']);
    expect(body.result._meta[SERVER_INFO]).toMatchObject({ name: 'ledgerline' });
  });

  it('is the one with `initialize` where nothing names a version', async () => {
    const { body } = await say(served, rpc('tools/list'));
    expect(Object.keys(body.result)).toEqual(['tools']);
  });

  it.each(['ping', 'initialize', 'logging/setLevel', 'no/such', 'constructor'])(
    '%s is no method of this one: 404',
    async (method) => {
      expect(errorOf(await ask(served, method))).toEqual([404, -32601]);
    },
  );

  it('knows no method of old: 200 there', async () => {
    expect(errorOf(await say(served, rpc('server/discover')))).toEqual([200, -32601]);
  });
});

describe('a request of this era is refused', () => {
  const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/list' };

  it.each<[string, object | undefined]>([
    ['no `_meta`', undefined],
    ['no version', { 'io.modelcontextprotocol/clientCapabilities': {} }],
    ['no capabilities', { 'io.modelcontextprotocol/protocolVersion': VERSION }],
    ['capabilities that are no object', { ...envelope(), 'io.modelcontextprotocol/clientCapabilities': 1 }],
  ])('with %s: -32602', async (_, meta) => {
    const heard = await say(served, rpc('tools/list', meta && { _meta: meta }), { headers });
    expect(errorOf(heard)).toEqual([400, -32602]);
    expect(heard.body.id).toBe(1);
  });

  it('as `initialize` under its header: -32020', async () => {
    const message = rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    const heard = await say(served, message, { headers: { ...headers, 'mcp-method': 'initialize' } });
    expect(errorOf(heard)).toEqual([400, -32020]);
  });

  it.each(['2025-11-25', '2027-01-01', 'abc', ''])(
    'in the version %j: -32022, with those that are spoken',
    async (version) => {
      const { message } = modernRequest('tools/list');
      const own = { ...message, params: { _meta: envelope(version) } };
      const heard = await say(served, own, { headers: { ...headers, 'mcp-protocol-version': version || null } });
      expect(errorOf(heard)).toEqual([400, -32022]);
      expect(heard.body.error.data).toEqual({ supported: [VERSION], requested: version });
    },
  );

  it.each<[string, Record<string, string | null>]>([
    ['without its version', { 'mcp-protocol-version': null }],
    ['with another version', { 'mcp-protocol-version': '2025-11-25' }],
    ['without its method', { 'mcp-method': null }],
    ['with another method', { 'mcp-method': 'tools/list' }],
    ['with a method in capitals', { 'mcp-method': 'TOOLS/CALL' }],
    ['without a name', { 'mcp-name': null }],
    ['with another name', { 'mcp-name': 'get_other' }],
    ['with a name that is no Base64', { 'mcp-name': '=?base64?%%%?=' }],
    ['with a name in Base64 without padding', { 'mcp-name': '=?base64?Z2V0X3RoaW5n?x=' }],
    ['with a name that is no UTF-8', { 'mcp-name': '=?base64?/w==?=' }],
  ])('%s in its headers: -32020', async (_, wrong) => {
    const heard = await callTool(served, 'get_thing', { id: 1 }, { headers: wrong });
    expect(errorOf(heard)).toEqual([400, -32020]);
  });

  it.each<[string, Record<string, string>]>([
    ['in Base64', { 'mcp-name': `=?base64?${Buffer.from('get_thing').toString('base64')}?=` }],
    [
      'between blanks',
      { 'mcp-name': '  get_thing ', 'mcp-method': ' tools/call', 'mcp-protocol-version': `${VERSION} ` },
    ],
  ])('not with headers %s', async (_, headersOf) => {
    const { status, body } = await callTool(served, 'get_thing', { id: 1 }, { headers: headersOf });
    expect([status, body.error]).toEqual([200, undefined]);
  });

  it('never with a code that the protocol has given up', async () => {
    const heard = await Promise.all([
      ask(served, 'resources/read', { uri: 'ledgerline://no/such' }),
      ask(served, 'no/such'),
      say(served, undefined, { body: '{', headers }),
      say(served, rpc('tools/list'), { headers }),
      callTool(served, 'no_such_tool'),
    ]);
    for (const { body } of heard) {
      const { code } = body.error;
      expect([-32700, -32600, -32601, -32602, -32020, -32022]).toContain(code);
    }
  });
});

it('a notification of this era is taken and answered with nothing', async () => {
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const heard = await say(served, message, { headers: { 'mcp-protocol-version': VERSION } });
  expect([heard.status, heard.text]).toEqual([202, '']);
});

describe('what is listed', () => {
  it('begins with what the server can', async () => {
    const { body } = await ask(served, 'server/discover');
    expect(body.result).toMatchObject({
      supportedVersions: [VERSION, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
      instructions: expect.stringContaining('max_tokens'),
      cacheScope: 'public',
      ttlMs: expect.any(Number),
    });
  });

  it.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])(
    '%s has one page, the same for all, that may be kept',
    async (method) => {
      const [first, second] = [await ask(served, method), await ask(served, method)];
      expect(first.text).toBe(second.text);
      expect(first.body.result).toMatchObject({ cacheScope: 'public', ttlMs: expect.any(Number) });
      expect(errorOf(await ask(served, method, { cursor: 'x' }))).toEqual([200, -32602]);
      expect(first.headers.get('x-credits-used')).toBe('0');
    },
  );
});

describe('resources that cost nothing', () => {
  it('can all be read as they are listed', async () => {
    const { body } = await ask(served, 'resources/list');
    for (const { uri, mimeType } of body.result.resources) {
      const heard = await ask(served, 'resources/read', { uri });
      const [content] = heard.body.result.contents;
      expect([content.uri, content.mimeType]).toEqual([uri, mimeType]);
      if (mimeType === 'application/json') expect(JSON.parse(content.text)).toBeTypeOf('object');
      expect(heard.headers.get('x-credits-used')).toBe('0');
    }
  });

  it('tell the rules of a sport', async () => {
    const { body } = await ask(served, 'resources/read', { uri: 'ledgerline://rules/nfl' });
    expect(JSON.parse(body.result.contents[0].text)).toMatchObject({
      event_statuses: expect.arrayContaining(['final']),
      player_statistics: expect.arrayContaining(['passing_yards']),
    });
  });

  it.each(['ledgerline://rules/chess', 'ledgerline://events/x/score', 'file:///etc/passwd', 'ledgerline://docs/../x'])(
    '%s is none: -32602 with its address',
    async (uri) => {
      const heard = await ask(served, 'resources/read', { uri });
      expect(errorOf(heard)).toEqual([200, -32602]);
      expect(heard.body.error.data).toEqual({ uri });
    },
  );

  it('need an address', async () => {
    expect(errorOf(await ask(served, 'resources/read', { uri: 5 }))).toEqual([200, -32602]);
  });
});

describe('completion', () => {
  it.each<[string, object, object, readonly string[]]>([
    [
      'a sport of a prompt',
      { type: 'ref/prompt', name: 'morning_brief' },
      { name: 'sport', value: 'nc' },
      ['ncaaf', 'ncaab'],
    ],
    [
      'a sport of an address',
      { type: 'ref/resource', uri: 'ledgerline://rules/{sport}' },
      { name: 'sport', value: 'ten' },
      ['tennis'],
    ],
    ['nothing for what is free text', { type: 'ref/prompt', name: 'slip_check' }, { name: 'slip', value: 'C' }, []],
  ])('gives %s', async (_, ref, argument, values) => {
    const { body } = await ask(served, 'completion/complete', { ref, argument });
    expect(body.result.completion).toEqual({ values, total: values.length, hasMore: false });
  });

  it('of what is unknown is -32602', async () => {
    const ref = { type: 'ref/prompt', name: 'no_such' };
    expect(errorOf(await ask(served, 'completion/complete', { ref, argument: { name: 'x', value: '' } }))).toEqual([
      200, -32602,
    ]);
  });
});

describe('the list of tools', () => {
  it.each(['?tools=nope', '?tools=core,nope', '?tools='])(
    'refuses %s in both eras, and names the sets',
    async (search) => {
      for (const heard of [
        await ask(served, 'tools/list', {}, { search }),
        await say(served, rpc('tools/list'), { search }),
      ]) {
        expect(errorOf(heard)).toEqual([400, -32602]);
        expect(heard.body.error.message).toContain('core, odds, stats, betting, account, all');
      }
    },
  );
});

import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { listenBelow32768 } from '../http/listening.ts';
import { rpc } from '../mcp/mcp-client.ts';
import { modernRequest } from '../mcp/modern/modern-client.ts';
import { notification, proxied } from './proxied-client.ts';

/** A double of the server that keeps the headers of what it was sent, and agrees on the version 2025-03-26. */
async function recording() {
  const sent: { readonly method: string; readonly headers: IncomingHttpHeaders }[] = [];
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method } = JSON.parse(body);
    sent.push({ method, headers: request.headers });
    if (id === undefined) return void response.writeHead(202).end();
    const result = { protocolVersion: '2025-03-26' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const port = await listenBelow32768(http);
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { client: proxied({ url: `http://127.0.0.1:${port}`, key: 'llk_a.b' }), sent };
}

const named = ({ headers }: { headers: IncomingHttpHeaders }) => [
  headers['mcp-protocol-version'],
  headers['mcp-method'],
  headers['mcp-name'],
];

it('before the revision 2026-07-28 a message has the version that was agreed on, and none before that', async () => {
  const { client, sent } = await recording();
  await client.ask(rpc('initialize', { protocolVersion: '2024-11-05' }, 1));
  client.send(notification('notifications/initialized'));
  await expect.poll(() => sent.length).toBe(2);
  await client.ask(rpc('tools/call', { name: 'x' }, 2));
  await client.ask(rpc('initialize', { protocolVersion: '2024-11-05' }, 3));
  expect(sent.map(named)).toEqual([
    [undefined, undefined, undefined],
    ['2025-03-26', undefined, undefined],
    ['2025-03-26', undefined, undefined],
    [undefined, undefined, undefined],
  ]);
  for (const { headers } of sent) {
    expect(headers).toMatchObject({
      authorization: 'Bearer llk_a.b',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'user-agent': 'ledgerline-mcp/0.0.0',
    });
  }
});

it('since then it has its own, its method, and what it names', async () => {
  const { client, sent } = await recording();
  const requests = [
    ['tools/list', {}],
    ['tools/call', { name: 'get_odds' }],
    ['prompts/get', { name: ' größe ' }],
    ['resources/read', { uri: 'ledgerline://events/1/score' }],
    ['completion/complete', { name: 'not repeated' }],
    ['constructor', {}],
    ['mit ö', {}],
  ] as const;
  for (const [id, [method, params]] of requests.entries()) {
    await client.ask(modernRequest(method, params, { id }).message);
  }
  expect(sent.map(named)).toEqual([
    ['2026-07-28', 'tools/list', undefined],
    ['2026-07-28', 'tools/call', 'get_odds'],
    ['2026-07-28', 'prompts/get', '=?base64?IGdyw7bDn2Ug?='],
    ['2026-07-28', 'resources/read', 'ledgerline://events/1/score'],
    ['2026-07-28', 'completion/complete', undefined],
    ['2026-07-28', 'constructor', undefined],
    // No header can hold it: the server says what is missing.
    ['2026-07-28', undefined, undefined],
  ]);
});

import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_ANSWER_BYTES } from '../../../src/api/mcp-proxy/answer-messages.ts';
import { MAX_AT_ONCE, MAX_HELD, MAX_LINE_BYTES } from '../../../src/api/mcp-proxy/stdio-proxy.ts';
import { listenBelow32768 } from '../http/listening.ts';
import { rpc } from '../mcp/mcp-client.ts';
import { cancelling, proxied } from './proxied-client.ts';

// Against a double: something at the address of a server that answers as the test says, as no server of ours would.

async function double(listener: RequestListener) {
  const http = createServer(listener);
  const port = await listenBelow32768(http);
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { url: `http://127.0.0.1:${port}`, http };
}

const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };
const envelope = (status: number, code: string, message: string, more: object = {}) =>
  json(status, { error: { status, code, message, doc_url: `https://x.example/docs/errors/${code}`, ...more } });

describe('a refusal becomes an error of its request that says what to do', () => {
  it.each([
    [
      402,
      envelope(402, 'insufficient_credits', 'No credits.', { billing_url: 'https://x.example/billing' }),
      'No credits. Buy credits at https://x.example/billing.',
    ],
    [
      402,
      envelope(402, 'credit_cap_exceeded', 'The cap is reached', { resets_at: '2026-03-02T00:00:00Z' }),
      'The cap is reached. Try again after 2026-03-02T00:00:00Z.',
    ],
    [429, envelope(429, 'rate_limit_exceeded', 'Too many.', { retry_after: 7 }), 'Too many. Try again in 7 seconds.'],
    [
      403,
      envelope(403, 'forbidden', 'Host is not known.'),
      'Host is not known. What to do: https://x.example/docs/errors/forbidden',
    ],
    [503, json(503, 'no'), 'answers with HTTP 503, and not as a Ledgerline server does. Check LEDGERLINE_URL.'],
    [404, json(404, {}), 'answers with HTTP 404'],
    [200, json(200, { hello: 'world' }), 'answers with HTTP 200'],
    [202, ((_, response) => void response.writeHead(202).end()) satisfies RequestListener, 'answers with HTTP 202'],
    [
      301,
      json(301, {}, { location: 'https://y.example/mcp' }),
      'leads to https://y.example/mcp. Give that address as LEDGERLINE_URL.',
    ],
  ] as const)('HTTP %i', async (status, listener, text) => {
    const { url } = await double(listener);
    const { error } = await proxied({ url, key: 'k' }).ask(rpc('tools/list', {}, 'mine'));
    expect([error.code, error.message]).toEqual([status, expect.stringContaining(text)]);
  });

  it('a server that cannot be reached', async () => {
    const { url, http } = await double(json(200, {}));
    await new Promise<void>((resolve) => http.close(() => resolve()));
    const { error } = await proxied({ url, key: 'k' }).ask(rpc('tools/list'));
    expect([error.code, error.message]).toEqual([
      -32603,
      `${url}/mcp cannot be reached (ECONNREFUSED). Start the server, or correct LEDGERLINE_URL.`,
    ]);
  });

  it('a connection that breaks off', async () => {
    const { url } = await double((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"json');
      setImmediate(() => response.destroy());
    });
    const { error } = await proxied({ url, key: 'k' }).ask(rpc('tools/list'));
    expect(error.message).toContain('may have been carried out');
  });

  it('a stream that ends without its answer', async () => {
    const { url } = await double((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
    });
    const client = proxied({ url, key: 'k' });
    const { error } = await client.ask(rpc('subscriptions/listen', {}, 5));
    expect(error.message).toContain('Listen again.');
    expect(client.heard).toHaveLength(2);
  });

  it('an error for a request that was not understood keeps the id of that request', async () => {
    const { url } = await double(json(400, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No.' } }));
    expect(await proxied({ url, key: 'k' }).ask(rpc('tools/list', {}, 9))).toEqual({
      jsonrpc: '2.0',
      id: 9,
      error: { code: -32600, message: 'No.' },
    });
  });
});

describe('nothing but messages is written', () => {
  it('an answer over several lines becomes one line', async () => {
    const answer = { jsonrpc: '2.0', id: 1, result: { text: 'a\nb' } };
    const { url } = await double((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer, null, 2));
    });
    expect(await proxied({ url, key: 'k' }).ask(rpc('x'))).toEqual(answer);
  });

  it('requests of a server, answers to others and what is no JSON are left out of a stream', async () => {
    const events = [
      { jsonrpc: '2.0', id: 'theirs', method: 'sampling/createMessage' },
      { jsonrpc: '2.0', id: 'other', result: {} },
      { jsonrpc: '2.0', method: 'notifications/progress', params: {} },
      { jsonrpc: '2.0', id: 1, result: { done: true } },
    ];
    const { url } = await double((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: nonsense\n\n${events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}`);
    });
    const client = proxied({ url, key: 'k' });
    await client.ask(rpc('x'));
    expect(client.heard).toEqual(events.slice(2));
  });

  it.each([
    ['{', -32700],
    ['[]', -32600],
    ['5', -32600],
    ['{"jsonrpc":"2.0","id":1}', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"x"}', -32600],
    [`"${'x'.repeat(MAX_LINE_BYTES)}"`, -32600],
  ])('the line %.30s is answered with an error without an id, and the next one as ever', async (line, code) => {
    const { url } = await double(json(200, { jsonrpc: '2.0', id: 1, result: {} }));
    const client = proxied({ url, key: 'k' });
    client.send(line);
    await client.ask(rpc('x'));
    expect(client.heard.find(({ id }) => id === null).error.code).toBe(code);
  });

  it('blank lines and responses are passed over, and a last line needs no newline', async () => {
    let asked = 0;
    const { url } = await double((request, response) => {
      asked++;
      json(200, { jsonrpc: '2.0', id: 1, result: {} })(request, response);
    });
    const client = proxied({ url, key: 'k' });
    client.send('  ');
    client.send({ jsonrpc: '2.0', id: 3, result: {} });
    client.input.end(JSON.stringify(rpc('x')));
    await client.ended;
    expect([asked, client.heard.length]).toEqual([1, 1]);
  });
});

describe('memory is bounded', () => {
  it('an answer that is too large is an error', async () => {
    const { url } = await double((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(MAX_ANSWER_BYTES) }));
    });
    const { error } = await proxied({ url, key: 'k' }).ask(rpc('x'));
    expect(error.message).toContain('larger than 8 MiB');
  });

  it('a message of a stream that is too large is one too', async () => {
    const { url } = await double((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: "${'x'.repeat(MAX_ANSWER_BYTES + 1)}`);
    });
    const { error } = await proxied({ url, key: 'k' }).ask(rpc('x'));
    expect(error.message).toContain('larger than 8 MiB');
  });

  it('at a server that is silent, some requests are under way, others wait, and the rest is refused', async () => {
    let asked = 0;
    const { url } = await double(() => void asked++);
    const client = proxied({ url, key: 'k' });
    for (let id = 0; id <= MAX_HELD; id++) client.send(rpc('tools/call', {}, id));
    const { error } = await client.answered(MAX_HELD);
    expect([error.code, asked <= MAX_AT_ONCE]).toEqual([429, true]);
    await expect.poll(() => asked).toBe(MAX_AT_ONCE);
    // One that is cancelled makes room for the next.
    client.send(cancelling(0));
    await expect.poll(() => asked).toBe(MAX_AT_ONCE + 1);
    client.input.end();
    // It does not wait for a silent server for ever.
    await client.ended;
    expect(client.heard).toHaveLength(1);
  });

  it('while nobody reads the output, no more input is read', async () => {
    const { url } = await double(json(200, {}));
    const client = proxied({ url, key: 'k' });
    client.output.pause();
    for (let count = 0; count < 20_000; count++) client.send('nonsense');
    await expect.poll(() => client.output.readableLength + client.output.writableLength).toBeGreaterThan(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(client.output.readableLength + client.output.writableLength).toBeLessThan(200_000);
    expect(client.input.readableLength + client.input.writableLength).toBeGreaterThan(0);
    client.output.resume();
    await expect.poll(() => client.heard.length).toBe(20_000);
  });
});

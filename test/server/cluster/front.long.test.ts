import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createResponder } from '../../../src/api/http/responder.ts';
import { createHttpServer } from '../../../src/api/http/server/http-server.ts';
import { type Backend, watchBackends } from '../../../src/server/local-cluster/backends.ts';
import { createLoadBalancer } from '../../../src/server/local-cluster/load-balancer.ts';
import { listenBelow32768 } from '../../api/http/listening.ts';
import { eventually } from './toy-cluster.ts';

const BASE_URL = 'https://sports.example';

function ended(server: Server): void {
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
}

/** A process that plays a role, and what it was asked. */
async function backend(listener: RequestListener, role: Backend['role'] = 'api') {
  const asked: IncomingMessage[] = [];
  const server = createServer((incoming, response) => {
    asked.push(incoming);
    listener(incoming, response);
  });
  ended(server);
  return { role, port: await listenBelow32768(server), server, asked };
}

/** Nobody listens there. */
async function gone(role: Backend['role'] = 'api'): Promise<Backend> {
  const { port, server } = await backend(() => {}, role);
  await new Promise((resolve) => server.close(resolve));
  return { role, port };
}

interface Given {
  readonly silenceMs?: number;
  readonly trustProxy?: readonly string[];
  readonly lives?: () => boolean;
}

async function front(backends: readonly Backend[], { lives = () => true, ...given }: Given = {}) {
  const lost: Backend[] = [];
  const responder = createResponder({ baseUrl: () => BASE_URL, newRequestId: () => 'made', log: { error() {} } });
  const { listener, close } = createLoadBalancer({
    backends: {
      inTurn: (role) => backends.filter((one) => one.role === role),
      lives,
      lost: (one) => void lost.push(one),
    },
    responder,
    trustProxy: [],
    ...given,
  });
  const server = createHttpServer(
    listener,
    () => BASE_URL,
    () => 'made',
  );
  ended(server);
  onTestFinished(close);
  const port = await listenBelow32768(server);
  return { url: `http://127.0.0.1:${port}`, port, lost };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const bytes of incoming) text += bytes;
  return text;
}

const echo: RequestListener = async (incoming, response) => {
  const body = await bodyOf(incoming);
  response.writeHead(207, 'Told So', [
    ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Credits-Used', '3', 'Date', 'today'],
    ...['Connection', 'close, X-Hop', 'X-Hop', 'of this connection'],
  ]);
  response.end(JSON.stringify({ method: incoming.method, url: incoming.url, body }));
};

/** Sends it as it is. */
function send(
  port: number,
  path: string,
  options: { headers?: readonly string[]; body?: string; method?: string } = {},
) {
  const { body, headers = [], method = 'GET' } = options;
  return new Promise<{ answer: IncomingMessage; text: string }>((resolve, reject) => {
    const all = ['Host', 'sports.example', ...headers];
    request({ host: '127.0.0.1', port, path, method, headers: all }, (answer) =>
      bodyOf(answer).then((text) => resolve({ answer, text }), reject),
    )
      .on('error', reject)
      .end(body);
  });
}

async function refusal(url: string, options: RequestInit = {}) {
  const answer = await fetch(url, options);
  const { error } = (await answer.json()) as { error: Record<string, unknown> };
  return { status: answer.status, error, credits: answer.headers.get('x-credits-used'), headers: answer.headers };
}

describe('the front', () => {
  it('passes requests and answers as they are, but for what belongs to one connection', async () => {
    const api = await backend(echo);
    const { port } = await front([api]);

    const { answer, text } = await send(port, '/v1/x?y=%20z&y', {
      method: 'POST',
      body: 'told',
      headers: [
        'X-Own',
        '1',
        'X-Own',
        '2',
        'Content-Length',
        '4',
        'TE',
        'trailers',
        'Connection',
        'X-Left',
        'X-Left',
        '3',
      ],
    });

    expect(JSON.parse(text)).toEqual({ method: 'POST', url: '/v1/x?y=%20z&y', body: 'told' });
    expect([answer.statusCode, answer.statusMessage]).toEqual([207, 'Told So']);
    expect(answer.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-credits-used': '3', date: 'today' });
    expect(answer.headers['x-hop']).toBeUndefined();
    expect(answer.headers.connection).not.toMatch(/close/);
    const [asked] = api.asked;
    expect(asked!.headers).toMatchObject({ host: 'sports.example', 'x-own': '1, 2', 'x-forwarded-for': '127.0.0.1' });
    expect(asked!.headers['x-left']).toBeUndefined();
    expect(asked!.headers.te).toBeUndefined();
  });

  it('passes a body whose length nobody has told', async () => {
    const { port } = await front([await backend(echo)]);

    const { text } = await send(port, '/v1/x', {
      method: 'DELETE',
      body: 'in chunks',
      headers: ['Transfer-Encoding', 'chunked'],
    });

    expect(JSON.parse(text)).toMatchObject({ method: 'DELETE', body: 'in chunks' });
  });

  it.each([
    ['nobody is trusted', [], '127.0.0.1'],
    ['a proxy is', ['127.0.0.1'], '203.0.113.9'],
  ])('tells whose request it is where %s', async (_, trustProxy, caller) => {
    const api = await backend(echo);
    const { port } = await front([api], { trustProxy });

    await send(port, '/', { headers: ['X-Forwarded-For', '203.0.113.9'] });

    expect(api.asked[0]!.headers['x-forwarded-for']).toBe(caller);
  });

  it('sends what is ingested to the processes that ingest, and all else to the others', async () => {
    const api = await backend((_, response) => response.end('api'));
    const ingest = await backend((_, response) => response.end('ingest'), 'ingest');
    const { port } = await front([api, ingest]);
    const textOf = async (path: string) => (await send(port, path)).text;

    expect(await textOf('/ingest/v1?wait=projected')).toBe('ingest');
    expect(await textOf('http://sports.example/ingest/v1')).toBe('ingest');
    expect(await textOf('/ingest')).toBe('api');
    expect(await textOf('/v1/ingest/')).toBe('api');
  });

  it.each(['/metrics', '/metrics?a=1', '/metrics#a', 'http://sports.example/metrics'])('knows no %s', async (path) => {
    const api = await backend(echo);
    const { port } = await front([api]);

    const { answer, text } = await send(port, path);

    expect(answer.statusCode).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'not_found' } });
    expect(api.asked).toEqual([]);
  });

  it('passes over who cannot be connected to, with the whole body', async () => {
    const dead = [await gone(), await gone()];
    const { url, lost } = await front([...dead, await backend(echo)]);

    const answer = await fetch(`${url}/v1/x`, { method: 'POST', body: 'b'.repeat(100_000) });

    expect(((await answer.json()) as { body: string }).body).toHaveLength(100_000);
    expect(lost).toEqual(dead);
  });

  it('answers 503, and that nothing was charged, where nobody can be asked', async () => {
    const { url } = await front([await gone()]);

    const { status, error, credits, headers } = await refusal(`${url}/v1/health`);

    expect([status, error['code'], credits]).toEqual([503, 'service_unavailable', '0']);
    expect(headers.get('retry-after')).toBe(String(error['retry_after']));
  });

  it('repeats nothing that a process has begun to receive, and says nothing of credits when it dies', async () => {
    const dying = await backend((incoming) => incoming.socket.destroy());
    const other = await backend(echo);
    const { url } = await front([dying, other]);

    const { status, error, credits } = await refusal(`${url}/v1/x`, { method: 'POST', body: 'once' });

    expect([status, error['code'], credits]).toEqual([503, 'service_unavailable', null]);
    expect(dying.asked).toHaveLength(1);
    expect(other.asked).toHaveLength(0);
  });

  it('waits no longer for a process that is silent', async () => {
    const silent = await backend(() => {});
    const { url } = await front([silent, await backend(echo)], { silenceMs: 100, lives: () => false });

    expect(await refusal(`${url}/v1/x`)).toMatchObject({ status: 503, credits: null });
    expect(silent.asked).toHaveLength(1);
  });

  it('waits longer for a process that lives and takes facts, which may be many', async () => {
    let silences = 0;
    let answer = () => {};
    const busy = await backend((_, response) => {
      answer = () => response.end('done');
    }, 'ingest');
    const { url } = await front([busy], {
      silenceMs: 20,
      lives() {
        if (++silences === 3) answer();
        return true;
      },
    });

    expect(await (await fetch(`${url}/ingest/v1/messages`, { method: 'POST', body: '[]' })).text()).toBe('done');
    expect(silences).toBeGreaterThanOrEqual(3);
  });

  it.each(['GET /v1/x', 'POST /ingest/v1/x'])('does not wait for ever for a process that lives: %s', async (what) => {
    const [method, path] = what.split(' ') as [string, string];
    const { url } = await front([await backend(() => {}), await backend(() => {}, 'ingest')], { silenceMs: 20 });

    expect(await refusal(`${url}${path}`, { method })).toMatchObject({ status: 503, credits: null });
  });

  it('breaks off an answer whose process dies in its midst', async () => {
    const { port } = await front([
      await backend((_, response) => {
        response.writeHead(200, ['Content-Length', '100']);
        response.write('half', () => response.destroy());
      }),
    ]);

    await expect(send(port, '/v1/x')).rejects.toThrow('aborted');
  });

  it('passes a stream as it comes, and lets its process know when the client has left', async () => {
    let hasLeft = false;
    const { url } = await front([
      await backend((_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.flushHeaders();
        response.write('data: 1\n\n');
        // As streams do, now and then.
        const beating = setInterval(() => response.write(':\n\n'), 20);
        response.once('close', () => {
          clearInterval(beating);
          hasLeft = true;
        });
      }),
    ]);
    const stream = get(`${url}/v1/stream`);
    const [answer] = (await once(stream, 'response')) as [IncomingMessage];
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(first.toString()).toBe('data: 1\n\n');
    expect(hasLeft).toBe(false);
    stream.on('error', () => {}).destroy();
    await eventually(() => hasLeft);
  });
});

describe('the processes behind the front', () => {
  const live: RequestListener = (_, response) => response.end('{}');

  it('are asked in turn, those that answer', async () => {
    const [one, two] = [await backend(live), await backend(live)];
    const dead = await gone();
    const backends = watchBackends([one, two, dead]);
    onTestFinished(backends.close);

    await eventually(() => backends.inTurn('api').length === 2);

    const first = backends.inTurn('api');
    expect(backends.inTurn('api')).toEqual([...first].reverse());
    expect(backends.inTurn('ingest')).toEqual([]);
    expect(one.asked[0]!.url).toBe('/healthz');
  });

  it('are left alone after a second without an answer, and come back with the next one', async () => {
    let isSilent = false;
    const one = await backend((incoming, response) => void (isSilent || live(incoming, response)));
    const backends = watchBackends([one]);
    onTestFinished(backends.close);
    await backends.answered;

    isSilent = true;
    const { after } = await eventually(() => backends.inTurn('api').length === 0);
    isSilent = false;
    await eventually(() => backends.inTurn('api').length === 1);

    expect(after).toBeGreaterThan(300);
  });

  it('are left alone at once where a connection was refused', async () => {
    const one = await backend(live);
    const backends = watchBackends([one]);
    onTestFinished(backends.close);
    await backends.answered;
    expect(backends.inTurn('api')).toEqual([one]);

    backends.lost(one);

    expect(backends.inTurn('api')).toEqual([]);
    await eventually(() => backends.inTurn('api').length === 1);
  });
});

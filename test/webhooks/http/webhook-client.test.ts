import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createWebhookClient,
  type WebhookClient,
  type WebhookClientOptions,
} from '../../../src/webhooks/http/webhook-client.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { refusedPort, serve, serveRaw } from '../local-endpoint.ts';

const BODY = Buffer.from('{"type":"score"}');
const clients: WebhookClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

function clientOf(options: Partial<WebhookClientOptions> = {}): WebhookClient {
  const client = createWebhookClient({ allow: ['127.0.0.0/8'], ...options });
  clients.push(client);
  return client;
}

describe('a delivery', () => {
  it('sends these bytes and headers, and what HTTP needs', async () => {
    const endpoint = await serve();
    const url = `http://127.0.0.1:${endpoint.port}/a/b?c=d#e`;
    const bytes = Buffer.from([0, 255, 10, 13, 195, 188]);

    expect(await clientOf().post(url, { 'webhook-id': 'msg_1', 'content-type': 'application/json' }, bytes)).toEqual({
      kind: 'answered',
      status: 204,
    });
    expect(endpoint.received).toEqual([
      {
        method: 'POST',
        url: '/a/b?c=d',
        headers: {
          'webhook-id': 'msg_1',
          'content-type': 'application/json',
          'content-length': '6',
          host: `127.0.0.1:${endpoint.port}`,
          connection: 'keep-alive',
        },
        body: bytes,
      },
    ]);
  });

  it('follows no redirect', async () => {
    const endpoint = await serve((response) => response.writeHead(307, { location: '/elsewhere' }).end());
    expect(await clientOf().post(endpoint.url, {}, BODY)).toEqual({ kind: 'answered', status: 307 });
    expect(endpoint.received.map(({ url }) => url)).toEqual(['/hook']);
  });

  it('asks no proxy', async () => {
    const endpoint = await serve();
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    const proxy = `http://127.0.0.1:${await refusedPort()}`;
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy;
    try {
      expect(await clientOf().post(endpoint.url, {}, BODY)).toEqual({ kind: 'answered', status: 204 });
    } finally {
      names.forEach((name, at) => {
        if (before[at] === undefined) delete process.env[name];
        else process.env[name] = before[at];
      });
    }
  });

  it.each([200, 299, 400, 410, 429, 500, 503])('tells the status %i', async (status) => {
    const endpoint = await serve((response) => response.writeHead(status).end('text'));
    expect(await clientOf().post(endpoint.url, {}, BODY)).toEqual({ kind: 'answered', status });
  });

  it.each([
    ['120', 120],
    ['0', 0],
    ['Wed, 01 Jan 2025 00:00:30 GMT', 30],
    ['Tue, 31 Dec 2024 23:00:00 GMT', 0],
    ['99999999999999999999999', 1_000_000_000],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['2025-01-01T00:00:30Z', undefined],
  ])('tells the wait that Retry-After %j asks for', async (value, retryAfter) => {
    const endpoint = await serve((response) => response.writeHead(503, { 'retry-after': value }).end());
    const client = clientOf({ now: () => Date.parse('2025-01-01T00:00:00Z') });
    expect(await client.post(endpoint.url, {}, BODY)).toEqual({
      kind: 'answered',
      status: 503,
      ...(retryAfter !== undefined && { retryAfter }),
    });
  });
});

describe('an answer of many bytes', () => {
  it('of 64 KiB is read, and the connection kept', async () => {
    const endpoint = await serve((response) => response.end(Buffer.alloc(64 * 1024)));
    const client = clientOf();
    for (let post = 0; post < 3; post += 1) {
      expect(await client.post(endpoint.url, {}, BODY)).toEqual({ kind: 'answered', status: 200 });
    }
    expect(endpoint.connections).toHaveLength(1);
  });

  it('without end is cut, and its connection closed', async () => {
    const timers = createTimers();
    const endpoint = await serve((response) => {
      const more = () => {
        while (response.write(Buffer.alloc(16 * 1024)));
        response.once('drain', more);
      };
      more();
    });
    expect(await clientOf(timers).post(endpoint.url, {}, BODY)).toEqual({ kind: 'answered', status: 200 });
    await closed(endpoint.connections[0]!);
    expect(timers.size).toBe(0);
  });

  it('that comes before the body was taken ends the exchange, and the connection with it', async () => {
    const endpoint = await serveRaw((socket) => {
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 413 Payload Too Large\r\nContent-Length: 0\r\n\r\n');
      });
    });
    const body = Buffer.alloc(64 * 1024 * 1024);
    const url = `http://127.0.0.1:${endpoint.port}/`;
    expect(await clientOf().post(url, {}, body)).toEqual({ kind: 'answered', status: 413 });
    endpoint.connections[0]!.resume();
    await closed(endpoint.connections[0]!);
  });
});

describe('ten seconds for all of it', () => {
  it('an endpoint that never answers', async () => {
    const endpoint = await serve(() => {});
    const timers = createTimers();
    const posted = clientOf(timers).post(endpoint.url, {}, BODY);
    await endpoint.arrived(1);
    timers.advance(9_999);
    expect(timers.size).toBe(1);
    timers.advance(1);
    expect(await posted).toEqual({
      kind: 'failed',
      error: 'timeout',
      message: `127.0.0.1:${endpoint.port}: no complete answer within 10 s`,
    });
    await closed(endpoint.connections[0]!);
    expect(timers.size).toBe(0);
  });

  it('an answer that comes in drops', async () => {
    const endpoint = await serve((response) => response.writeHead(200).write('a'));
    const timers = createTimers();
    const events = new EventEmitter();
    // The time is asked for when an answer begins.
    const now = () => Number(events.emit('begun'));
    const posted = clientOf({ setTimer: timers.setTimer, now }).post(endpoint.url, {}, BODY);
    await once(events, 'begun');
    timers.advance(10_000);
    expect(await posted).toMatchObject({ kind: 'failed', error: 'timeout' });
    await closed(endpoint.connections[0]!);
  });

  it('heads that never end', async () => {
    const events = new EventEmitter();
    const endpoint = await serveRaw((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nX-Slow: ', () => events.emit('begun')));
    });
    const timers = createTimers();
    const posted = clientOf(timers).post(`http://127.0.0.1:${endpoint.port}/`, {}, BODY);
    await once(events, 'begun');
    timers.advance(10_000);
    expect(await posted).toMatchObject({ kind: 'failed', error: 'timeout' });
    await closed(endpoint.connections[0]!);
  });

  it('are over with the answer', async () => {
    const endpoint = await serve();
    const timers = createTimers();
    expect(await clientOf(timers).post(endpoint.url, {}, BODY)).toMatchObject({ kind: 'answered' });
    expect(timers.size).toBe(0);
  });
});

describe('a connection that fails', () => {
  it('is refused', async () => {
    const port = await refusedPort();
    expect(await clientOf().post(`http://127.0.0.1:${port}/`, {}, BODY)).toEqual({
      kind: 'failed',
      error: 'connection_refused',
      message: `127.0.0.1:${port}: the connection was refused`,
    });
  });

  it.each([
    ['is reset before an answer', (response: ServerResponse) => void response.socket!.resetAndDestroy()],
    ['is closed before an answer', (response: ServerResponse) => void response.socket!.end()],
    [
      'is closed within an answer',
      (response: ServerResponse) =>
        void response.writeHead(200, { 'content-length': 10 }).write('half', () => response.socket!.end()),
    ],
    [
      'is reset within an answer',
      (response: ServerResponse) =>
        void response.writeHead(200).write('half', () => response.socket!.resetAndDestroy()),
    ],
  ])('%s', async (_how, answer) => {
    const endpoint = await serve(answer);
    expect(await clientOf().post(endpoint.url, {}, BODY)).toEqual({
      kind: 'failed',
      error: 'connection_reset',
      message: `127.0.0.1:${endpoint.port}: the connection was closed before the answer was complete`,
    });
    expect(endpoint.received).toHaveLength(1);
  });

  it.each([
    ['no HTTP', 'SSH-2.0-server\r\n', 'invalid_answer'],
    ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}`, 'invalid_answer'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 'invalid_answer'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'connection_reset',
    ],
  ])('answers %s', async (_what, bytes, error) => {
    const endpoint = await serveRaw((socket) => void socket.once('data', () => socket.write(bytes)));
    const posted = await clientOf().post(`http://127.0.0.1:${endpoint.port}/`, {}, BODY);
    expect(posted).toMatchObject({ kind: 'failed', error });
  });

  it('was never made: a header that HTTP cannot carry', async () => {
    const endpoint = await serve();
    const client = clientOf({ pools: { maxPerEndpoint: 1 } });
    expect(await client.post(endpoint.url, { 'webhook-id': 'a\r\nb: c' }, BODY)).toMatchObject({
      kind: 'failed',
      error: 'not_sent',
    });
    expect(await client.post(endpoint.url, {}, BODY)).toEqual({ kind: 'answered', status: 204 });
  });
});

describe('kept-alive connections', () => {
  it('serve one delivery after another', async () => {
    const endpoint = await serve();
    const client = clientOf();
    for (let post = 0; post < 5; post += 1) await client.post(endpoint.url, {}, BODY);
    expect(endpoint.connections).toHaveLength(1);
  });

  it('are not more than an endpoint may have; what is beyond waits for one', async () => {
    const open: ServerResponse[] = [];
    const endpoint = await serve((response) => void open.push(response));
    const client = clientOf({ pools: { maxPerEndpoint: 2 } });
    const posted = Array.from({ length: 5 }, () => client.post(endpoint.url, {}, BODY));
    for (let count = 1; count <= 5; count += 1) {
      await endpoint.arrived(Math.min(count + 1, 5));
      expect(open).toHaveLength(Math.min(count + 1, 5) - (count - 1));
      open.shift()!.writeHead(204).end();
      await Promise.race(posted);
    }
    expect(await Promise.all(posted)).toEqual(Array(5).fill({ kind: 'answered', status: 204 }));
    expect(endpoint.connections).toHaveLength(2);
  });

  it('do not stand in the way of what waited longer than its time', async () => {
    const open: ServerResponse[] = [];
    const endpoint = await serve((response) => void open.push(response));
    const timers = createTimers();
    const client = clientOf({ ...timers, pools: { maxPerEndpoint: 1 } });
    const posted = [client.post(endpoint.url, {}, BODY), client.post(endpoint.url, {}, BODY)];
    await endpoint.arrived(1);
    timers.advance(10_000);
    expect(await Promise.all(posted)).toMatchObject([{ error: 'timeout' }, { error: 'timeout' }]);
    const last = client.post(endpoint.url, {}, BODY);
    await endpoint.arrived(2);
    open[1]!.writeHead(204).end();
    expect(await last).toEqual({ kind: 'answered', status: 204 });
    expect(endpoint.received).toHaveLength(2);
  });

  it('are closed when they are unused', async () => {
    const endpoint = await serve();
    await clientOf({ pools: { idleMs: 1 } }).post(endpoint.url, {}, BODY);
    await closed(endpoint.connections[0]!);
  });

  it('are closed for the endpoint unused for longest when there are too many', async () => {
    const [first, second, third] = [await serve(), await serve(), await serve()];
    const client = clientOf({ pools: { maxIdleEndpoints: 2 } });
    for (const { url } of [first, second, first, third]) await client.post(url, {}, BODY);
    await closed(second.connections[0]!);
    await client.post(first.url, {}, BODY);
    expect(first.connections).toHaveLength(1);
  });

  /** Answers the first request of each connection, and closes it with the next one. */
  const answeringOnce = (requests: { count: number }, answerFirst: () => boolean) => (socket: Socket) => {
    let answered = false;
    socket.on('data', () => {
      requests.count += 1;
      if (answered || !answerFirst()) return socket.destroy();
      answered = true;
      return socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  };

  it('and closed by the server just when one is used again: sent once more over a new one', async () => {
    const requests = { count: 0 };
    const endpoint = await serveRaw(answeringOnce(requests, () => true));
    const client = clientOf();
    const url = `http://127.0.0.1:${endpoint.port}/`;
    expect(await client.post(url, {}, BODY)).toEqual({ kind: 'answered', status: 204 });
    expect(await client.post(url, {}, BODY)).toEqual({ kind: 'answered', status: 204 });
    expect(requests.count).toBe(3);
    expect(endpoint.connections).toHaveLength(2);
  });

  it('but not more than once', async () => {
    const requests = { count: 0 };
    const endpoint = await serveRaw(answeringOnce(requests, () => requests.count === 1));
    const client = clientOf();
    const url = `http://127.0.0.1:${endpoint.port}/`;
    expect(await client.post(url, {}, BODY)).toEqual({ kind: 'answered', status: 204 });
    expect(await client.post(url, {}, BODY)).toMatchObject({ kind: 'failed', error: 'connection_reset' });
    expect(requests.count).toBe(3);
  });
});

describe('a client that is closed', () => {
  it('closes the connections that are kept', async () => {
    const endpoint = await serve();
    const client = clientOf({ pools: { idleMs: 3_600_000 } });
    await client.post(endpoint.url, {}, BODY);
    client.close();
    await closed(endpoint.connections[0]!);
  });

  it('breaks off what is under way, and sends nothing after it', async () => {
    const endpoint = await serve(() => {});
    const timers = createTimers();
    const client = clientOf({ ...timers, pools: { maxPerEndpoint: 1 } });
    const posted = [client.post(endpoint.url, {}, BODY), client.post(endpoint.url, {}, BODY)];
    await endpoint.arrived(1);
    client.close();
    expect(await Promise.all(posted)).toMatchObject([{ error: 'closed' }, { error: 'closed' }]);
    expect(await client.post(endpoint.url, {}, BODY)).toMatchObject({ kind: 'failed', error: 'closed' });
    await closed(endpoint.connections[0]!);
    expect(endpoint.received).toHaveLength(1);
    expect(endpoint.connections).toHaveLength(1);
    expect(timers.size).toBe(0);
  });
});

/** Until the connection is closed, with an error or without. */
const closed = (socket: Socket): Promise<void> =>
  socket.closed ? Promise.resolve() : new Promise((go) => void socket.once('close', () => go()));

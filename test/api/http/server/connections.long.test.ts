import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ConnectionLimits, createHttpServer } from '../../../../src/api/http/server/http-server.ts';
import { connectionsOf, descriptorLimit } from '../../../../src/server/composition/descriptors.ts';
import { listenBelow32768 } from '../listening.ts';
import { exchange, serve } from '../serving.ts';

/** So short that a test can wait for it. */
const SOON = 300;
const PATIENT = 60_000;

async function open(
  limits: Partial<ConnectionLimits>,
  listener: RequestListener = (_, response) => response.end('ok'),
) {
  let ids = 0;
  const times = { headMs: PATIENT, bodyMs: PATIENT, answerMs: PATIENT, ...limits };
  const server = createHttpServer(
    listener,
    () => 'https://sports.example',
    () => `made-${++ids}`,
    times,
  );
  const port = await listenBelow32768(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port };
}

/** A client that says what it is told to, and keeps what it hears until the connection ends. */
function client(port: number) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let heard = '';
  socket.on('data', (bytes: Buffer) => {
    heard += bytes.toString('latin1');
  });
  socket.on('error', () => {});
  return {
    socket,
    heard: () => heard,
    hears: (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => heard.includes(text) && resolve();
        socket.on('data', look);
        look();
      }),
    ended: new Promise<string>((resolve) => socket.on('close', () => resolve(heard))),
  };
}

/** The answer's envelope, which it must be. */
function envelopeOf(answer: string, status: number, code: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const { error } = JSON.parse(body) as { error: Record<string, unknown> };
  expect(error).toMatchObject({ status, code, doc_url: `https://sports.example/docs/errors/${code}` });
  expect(head).toContain(`\r\nX-Request-Id: ${error['request_id']}\r\n`);
  expect(head).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/);
  expect(head).toMatch(/\r\nX-Credits-Used: 0\r\n/);
  return error;
}

const HEAD = 'GET / HTTP/1.1\r\nHost: x\r\n';
const BODY = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n';

describe('fault 15: a connection', () => {
  it.each([
    ['nothing', ''],
    ['half a head', HEAD],
  ])('that sends %s is answered 408 and closed', async (_, bytes) => {
    const { port } = await open({ headMs: SOON });
    const slow = client(port);
    slow.socket.write(bytes);
    envelopeOf(await slow.ended, 408, 'request_timeout');
  });

  it('whose body trickles is answered 408 and closed, whether the body is read or not', async () => {
    const listeners: RequestListener[] = [
      (request) => void request.resume(),
      (request, response) => void request.on('end', () => response.end('never')).resume(),
    ];
    for (const listener of listeners) {
      const { port } = await open({ bodyMs: SOON }, listener);
      const slow = client(port);
      slow.socket.write(BODY);
      const timer = setInterval(() => slow.socket.writable && slow.socket.write('x'), 20);
      envelopeOf(await slow.ended, 408, 'request_timeout');
      clearInterval(timer);
    }
  });

  it('that is idle between two requests has more time than headers have', async () => {
    const { port } = await open({ headMs: SOON });
    const kept = client(port);
    kept.socket.write(`${HEAD}\r\n`);
    await kept.hears('ok');
    // Two others come after it, one behind the other, and have had all of their time.
    for (let i = 0; i < 2; i++) envelopeOf(await client(port).ended, 408, 'request_timeout');
    kept.socket.write('GET /again HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect((await kept.ended).match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  });

  it('that reads nothing of an answer is cut', async () => {
    const { port, server } = await open({ answerMs: SOON }, (_, response) =>
      response.end(Buffer.alloc(32 * 1024 * 1024)),
    );
    const cut = new Promise((resolve) => server.once('connection', (socket) => socket.once('close', resolve)));
    const greedy = connect(port, '127.0.0.1', () => greedy.write(`${HEAD}\r\n`.repeat(3)));
    onTestFinished(() => void greedy.destroy());
    greedy.on('error', () => {}).pause();
    await cut;
  });

  it('that reads an answer slowly gets all of it', async () => {
    const bytes = 24 * 1024 * 1024;
    const { port } = await open({ answerMs: 600 }, (_, response) => response.end(Buffer.alloc(bytes)));
    const slow = connect(port, '127.0.0.1', () => slow.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'));
    let taken = 0;
    slow.on('data', (piece: Buffer) => {
      taken += piece.length;
      slow.pause();
      setTimeout(() => slow.resume(), 5);
    });
    await new Promise((resolve) => slow.on('close', resolve));
    expect(taken).toBeGreaterThan(bytes);
  });

  it('is closed beyond the maximum, and the number of closed ones is reported', async () => {
    const told: number[] = [];
    const { port, server } = await open({ connections: 2, onRefused: (closed) => told.push(closed) });
    const open1 = client(port);
    const open2 = client(port);
    for (const { socket, hears } of [open1, open2]) {
      socket.write(`${HEAD}\r\n`);
      await hears('ok');
    }
    expect(await client(port).ended).toBe('');
    expect(await client(port).ended).toBe('');
    expect(told).toEqual([1]);

    const free = new Promise((resolve) => open1.socket.once('close', resolve));
    open1.socket.destroy();
    await free;
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(1);
    expect(await exchange(port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain('200 OK');
  });

  it.each([
    [1024, 824],
    [300, 150],
    [150, 75],
    [1_048_576, 1_048_376],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])('may be one of as many as %d descriptors leave room for', (descriptors, connections) => {
    expect(connectionsOf(descriptors)).toBe(connections);
  });

  it('finds out how many descriptors there are', () => {
    const limits = (soft: string) =>
      `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}  4096  files \n`;
    expect(descriptorLimit(() => limits('256'))).toBe(256);
    expect(descriptorLimit(() => limits('unlimited'))).toBe(Number.POSITIVE_INFINITY);
    expect(descriptorLimit(() => 'what is this?')).toBe(1024);
    expect(
      descriptorLimit(() => {
        throw new Error('ENOENT');
      }),
    ).toBe(1024);
  });
});

describe('fault 19: what never becomes a request has the envelope of all others', () => {
  it.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400, 'bad_request'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    ['a head that is too large', `${HEAD}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['an expectation', `${HEAD}Expect: tea\r\n\r\n`, 417, 'expectation_failed'],
    [
      'extensions of a chunk that are too large',
      `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`,
      413,
      'payload_too_large',
    ],
  ])('%s', async (_, bytes, status, code) => {
    const { port } = await open({}, (request, response) => void request.on('end', () => response.end('ok')).resume());
    envelopeOf(await exchange(port, bytes), status, code);
  });

  it('and the request id of the client, where it can be read', async () => {
    const { port } = await open({});
    const answer = await exchange(port, `${HEAD}X-Request-Id: mine\r\nExpect: tea\r\n\r\n`);
    expect(envelopeOf(answer, 417, 'expectation_failed')['request_id']).toBe('mine');
  });

  it('but comes after the answer to the request before it', async () => {
    let answer = () => {};
    const { port } = await open({}, (_, response) => {
      answer = () => response.end('first');
    });
    const both = client(port);
    both.socket.write(`${HEAD}\r\nGARBAGE\r\n\r\n`);
    // One that comes later is answered: what came before was looked at.
    await exchange(port, 'HELLO\r\n\r\n');
    expect(both.heard()).toBe('');
    answer();
    expect(await both.ended).toMatch(/^HTTP\/1\.1 200 .*firstHTTP\/1\.1 400 .*"code":"bad_request"/s);
  });

  it('JSON answers of the API forbid to guess another type', async () => {
    const served = await serve();
    onTestFinished(() => served.close());
    for (const path of ['/healthz', '/v1/none', '/none']) {
      const { headers } = await served.fetch(path);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    const { headers } = await served.fetch('/v1/things');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

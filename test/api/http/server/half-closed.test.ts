import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Composed, composed } from '../../../support/composed.ts';

let server: Composed;
let key: string;
beforeEach(async () => {
  server = await composed();
  await server.core.runner.start();
  key = (await server.newKey({ plan: 'growth' })).key;
});
afterEach(() => server.close());

const headers = () => ({ authorization: `Bearer ${key}` });
const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;

async function remaining(): Promise<number> {
  const answer = await fetch(`${server.url}/api/agent/credits`, { headers: headers() });
  return ((await answer.json()) as { total_remaining: number }).total_remaining;
}

/** What comes on a connection until the server closes it. */
const heard = (socket: ReturnType<typeof connect>): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.on('error', reject).on('close', () => resolve(text));
  });

describe('a client that has ended its side of the connection', () => {
  it.each(['/v1/sports', '/healthz'])('gets its answer to GET %s, and pays what it costs', async (path) => {
    const before = await remaining();
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    const hearing = heard(socket);
    socket.end(head(path));
    const text = await hearing;
    const answer = text.slice(text.lastIndexOf('HTTP/1.1'));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toContain('\r\n\r\n{');
    expect(await remaining()).toBe(before - (path === '/healthz' ? 0 : 1));
  });

  it('holds no stream open', async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    const hearing = heard(socket);
    socket.write(head('/v1/stream'));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.end();
    expect(await hearing).toContain('event: ready');
  });
});

it('a client that is gone gets nothing, and pays nothing', async () => {
  const before = await remaining();
  for (let n = 0; n < 5; n++) {
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    socket.write(head('/v1/sports'), () => socket.destroy());
    await new Promise((resolve) => socket.once('close', resolve));
  }
  await delay(600);
  expect(await remaining()).toBe(before);
});

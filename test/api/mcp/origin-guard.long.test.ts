import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { BASE_URL, type Composed, type ComposedOptions, composed } from '../../support/composed.ts';
import { exchange } from '../http/serving.ts';

let server: Composed;
afterEach(() => server.close());

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** The status of a ping with these headers: those that no key and no body makes better come before all else. */
async function ask(headers: Record<string, string>): Promise<number> {
  const { key } = await server.newKey();
  const given = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
  return new Promise((resolve, reject) => {
    const asking = request({ port: server.port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers: given });
    asking.on('response', (response) => resolve(response.resume().statusCode!));
    asking.on('error', reject);
    asking.end(PING);
  });
}

const OWN = 'http://127.0.0.1:5000';
const LOCAL: ComposedOptions = { baseUrl: () => OWN };
const NAMED: ComposedOptions = { settings: { publicUrl: BASE_URL } };
const OPEN: ComposedOptions = { settings: { host: '0.0.0.0' }, baseUrl: () => 'http://localhost:5000' };
const OPEN_NAMED: ComposedOptions = { settings: { host: '0.0.0.0', publicUrl: BASE_URL } };

type Row = readonly [where: string, options: ComposedOptions, given: string, status: number];

describe('Host', () => {
  it.each<Row>([
    ...['localhost', 'localhost:9', '127.0.0.1', '127.0.0.1:5000', '[::1]', '[::1]:80', 'LOCALHOST'].map(
      (name): Row => ['on a loopback address', LOCAL, name, 200],
    ),
    ...['evil.example', 'localhost.evil.example', '192.168.1.1', '127.0.0.1@evil.example', 'sports.example'].map(
      (name): Row => ['on a loopback address', LOCAL, name, 403],
    ),
    ['behind a proxy on this machine', NAMED, 'sports.example', 200],
    ['behind a proxy on this machine', NAMED, 'sports.example:8443', 200],
    ['behind a proxy on this machine', NAMED, 'localhost:3000', 200],
    ['behind a proxy on this machine', NAMED, 'evil.example', 403],
    ['on every address', OPEN, 'sports.lan', 200],
    ['on every address', OPEN, '10.1.2.3:3000', 200],
    ['on every address, with a public one', OPEN_NAMED, 'sports.example', 200],
    ['on every address, with a public one', OPEN_NAMED, 'localhost', 403],
    ['on every address, with a public one', OPEN_NAMED, 'evil.example', 403],
  ])('%s', async (_, options, host, status) => {
    server = await composed(options);
    expect([host, await ask({ host })]).toEqual([host, status]);
  });

  it('is wrong if it is missing', async () => {
    server = await composed(LOCAL);
    const { port } = server;
    for (const head of ['HTTP/1.0', 'HTTP/1.1\r\nHost:']) {
      expect(await exchange(port, `POST /mcp ${head}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 403 /);
    }
  });
});

describe('Origin', () => {
  it.each<Row>([
    ...[OWN, 'http://localhost:6274', 'https://127.0.0.1', 'http://[::1]:80'].map(
      (origin): Row => ['on a loopback address', LOCAL, origin, 200],
    ),
    ...['null', 'https://evil.example', 'http://localhost.evil.example', 'file://', 'x', '', 'app://localhost'].map(
      (origin): Row => ['on a loopback address', LOCAL, origin, 403],
    ),
    ['behind a proxy on this machine', NAMED, BASE_URL, 200],
    ['behind a proxy on this machine', NAMED, 'http://sports.example', 403],
    ['behind a proxy on this machine', NAMED, `${BASE_URL}:8443`, 403],
    ['on every address, with a public one', OPEN_NAMED, BASE_URL, 200],
    ['on every address, with a public one', OPEN_NAMED, 'http://localhost:6274', 403],
    ['on every address, with a public one', OPEN_NAMED, 'null', 403],
  ])('%s', async (_, options, origin, status) => {
    server = await composed(options);
    const host = options === OPEN_NAMED ? 'sports.example' : 'localhost';
    expect([origin, await ask({ host, origin })]).toEqual([origin, status]);
  });
});

describe('either', () => {
  it('is checked before method and key', async () => {
    server = await composed(LOCAL);
    for (const head of ['Host: evil.example', 'Host: localhost\r\nOrigin: https://evil.example']) {
      const text = await exchange(server.port, `DELETE /mcp HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1.1 403 /);
      expect(text).toContain('"code":"forbidden"');
    }
  });
});

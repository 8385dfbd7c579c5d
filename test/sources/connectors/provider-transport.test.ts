import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProviderClient } from '../../../src/sources/connectors/provider-client.ts';
import { openTransport } from '../../../src/sources/connectors/provider-transport.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { fakeHost, json } from './fake-provider.ts';

let host: Awaited<ReturnType<typeof fakeHost>>;
beforeEach(async () => {
  host = await fakeHost(json({}));
});
afterEach(() => host.close());

const timers = createTimers();
const client = createProviderClient({
  transport: openTransport(),
  timeoutMs: 10_000,
  now: () => 0,
  steadyNow: timers.now,
  setTimer: timers.setTimer,
  userAgent: 'Ledgerline/1 (+https://a.example)',
});
const ask = (headers: Record<string, string> = {}) =>
  client(`${host.address}/a`, headers, new AbortController().signal);

it('sends no header of a browser: exactly those that it reports', async () => {
  const exchanged = await ask({ 'if-none-match': '"1"' });
  expect(host.asked[0]!.headers).toEqual(exchanged!.sentHeaders);
  expect(exchanged!.sentHeaders).toEqual({
    host: new URL(host.address).host,
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    connection: 'keep-alive',
    'user-agent': 'Ledgerline/1 (+https://a.example)',
    'if-none-match': '"1"',
  });
});

it.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', (text: string) => Buffer.from(text)],
] as const)('reads an answer in %s', async (encoding, compress) => {
  host.answerWith((_, response) => {
    response.writeHead(200, { 'content-encoding': encoding });
    response.end(compress('{"a":1}'));
  });
  expect(await ask()).toMatchObject({ status: 200, body: '{"a":1}' });
});

it('given a compressed answer that ends early, tells of a failed connection', async () => {
  host.answerWith((_, response) => {
    const bytes = gzipSync(JSON.stringify(Array.from({ length: 1000 }, (_, index) => index * 7919)));
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  });
  expect((await ask())?.failure?.code).toBe('connection');
});

it('follows no redirect', async () => {
  host.answerWith((_, response) => response.writeHead(307, { location: '/elsewhere' }).end());
  expect((await ask())?.status).toBe(307);
  expect(host.asked.length).toBe(1);
});

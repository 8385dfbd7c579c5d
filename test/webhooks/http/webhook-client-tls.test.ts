import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { createWebhookClient, type WebhookClient } from '../../../src/webhooks/http/webhook-client.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { listen, serve, serveRaw } from '../local-endpoint.ts';
import { type Certificate, selfSigned } from './self-signed-certificate.ts';

const BODY = Buffer.from('{}');
const OWN = selfSigned('hooks.example');
const clients: WebhookClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

function clientThatTrusts(ca?: string, timers = {}): WebhookClient {
  const client = createWebhookClient({ allow: ['127.0.0.0/8'], resolve: async () => ['127.0.0.1'], ca, ...timers });
  clients.push(client);
  return client;
}

/** A TLS server, and the names that clients said they want. */
async function serveTls({ cert, key }: Certificate) {
  const names: (string | false | null | undefined)[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    names.push((request.socket as TLSSocket & { servername?: string | false | null }).servername);
    request.resume().on('end', () => response.writeHead(204).end());
  });
  return { ...(await listen(server)), names };
}

describe('TLS', () => {
  it('asks for the name and checks it, though the connection goes to an address', async () => {
    const endpoint = await serveTls(OWN);
    const client = clientThatTrusts(OWN.cert);
    const url = `https://hooks.example:${endpoint.port}/`;
    expect(await client.post(url, {}, BODY)).toEqual({ kind: 'answered', status: 204 });
    expect(await client.post(url, {}, BODY)).toEqual({ kind: 'answered', status: 204 });
    expect(endpoint.names).toEqual(['hooks.example', 'hooks.example']);
    expect(endpoint.connections).toHaveLength(1);
  });

  it('a dot after the name changes neither', async () => {
    const endpoint = await serveTls(OWN);
    const url = `https://hooks.example.:${endpoint.port}/`;
    expect(await clientThatTrusts(OWN.cert).post(url, {}, BODY)).toEqual({ kind: 'answered', status: 204 });
    expect(endpoint.names).toEqual(['hooks.example']);
  });

  it('checks a certificate for an address', async () => {
    const certificate = selfSigned('127.0.0.1');
    const endpoint = await serveTls(certificate);
    const url = `https://127.0.0.1:${endpoint.port}/`;
    expect(await clientThatTrusts(certificate.cert).post(url, {}, BODY)).toEqual({ kind: 'answered', status: 204 });
  });

  it.each([
    [
      'a certificate that nobody vouches for',
      OWN,
      undefined,
      'hooks.example',
      'TLS failed: depth zero self signed cert',
    ],
    ['another host, by name', OWN, OWN.cert, 'other.example', 'the certificate is for another host'],
    ['another host, by address', OWN, OWN.cert, '127.0.0.1', 'the certificate is for another host'],
    ...[selfSigned('hooks.example', { until: '200102000000Z' })].map(
      (old) => ['a certificate of yesterday', old, old.cert, 'hooks.example', 'TLS failed: cert has expired'] as const,
    ),
  ] as const)('refuses %s', async (_what, certificate, trusted, host, message) => {
    const endpoint = await serveTls(certificate);
    const port = endpoint.port;
    expect(await clientThatTrusts(trusted).post(`https://${host}:${port}/`, {}, BODY)).toEqual({
      kind: 'failed',
      error: 'tls',
      message: `${host}:${port}: ${message}`,
    });
    expect(endpoint.names).toEqual([]);
  });

  it('is not switched off by the environment', async () => {
    const endpoint = await serveTls(OWN);
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const posted = await clientThatTrusts().post(`https://hooks.example:${endpoint.port}/`, {}, BODY);
      expect(posted).toMatchObject({ kind: 'failed', error: 'tls' });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  it('is not spoken by the other side', async () => {
    const endpoint = await serve();
    const posted = await clientThatTrusts(OWN.cert).post(`https://hooks.example:${endpoint.port}/`, {}, BODY);
    expect(posted).toEqual({
      kind: 'failed',
      error: 'tls',
      message: expect.stringMatching(/^hooks\.example:\d+: TLS failed: [a-z ]+$/),
    });
    expect(endpoint.received).toEqual([]);
  });

  it('is broken off by the other side', async () => {
    const endpoint = await serveRaw((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    const posted = await clientThatTrusts(OWN.cert).post(`https://hooks.example:${endpoint.port}/`, {}, BODY);
    expect(posted).toMatchObject({ kind: 'failed', error: 'connection_reset' });
  });

  it('that never comes about counts as a timeout', async () => {
    const timers = createTimers();
    const greetings = new EventEmitter();
    const endpoint = await serveRaw((socket) => void socket.once('data', () => greetings.emit('greeted')));
    const posted = clientThatTrusts(OWN.cert, timers).post(`https://hooks.example:${endpoint.port}/`, {}, BODY);
    await once(greetings, 'greeted');
    timers.advance(10_000);
    expect(await posted).toMatchObject({ kind: 'failed', error: 'timeout' });
  });
});

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dayOfSport } from '../../api/openapi/day-of-sport.ts';
import { score } from '../../api/spec/messages.ts';
import { launch, startServer, teams, temporaryFolder } from '../cli/launching.ts';
import { allAnswers, differing } from './all-answers.ts';
import { launchCluster, OPERATOR_KEY, told, whyNoEngines } from './launched-cluster.ts';
import { clusterFolder, eventually } from './toy-cluster.ts';

const missing = await whyNoEngines();

const SHARED = {
  BASE_URL: 'http://front.example',
  INGEST_KEY: 'ingest',
  FEEDS: 'none',
  WEBHOOK_ALLOW: '127.0.0.0/8',
  WEBHOOK_RETRY_SECONDS: '20,20,20,20,20,20',
};

const bytesOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]);

async function post(url: string, key: string, body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, any> };
}

const fed = (url: string, lines: string) =>
  post(`${url}/ingest/v1/messages?wait=projected`, 'ingest', lines, { 'content-type': 'application/x-ndjson' });

/** Every answer, once the models have learned what the log holds and no document is on its way. */
async function settledAnswers(url: string, key: string, moments: readonly string[]) {
  const { value } = await eventually(async () => {
    const all = await allAnswers(url, key, moments);
    const isUnsettled = [...all.values()].some(
      ({ status, body }) => status === 503 || body.includes('"learning":true'),
    );
    return isUnsettled ? undefined : all;
  }, 60_000);
  return value;
}

/** An endpoint that refuses until it is told otherwise. */
async function openEndpoint() {
  const got: string[] = [];
  const state = { status: 500 };
  const server = createServer((request: IncomingMessage, response) => {
    got.push(`${state.status} ${request.headers['webhook-id']}`);
    request.resume();
    response.writeHead(state.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { got, state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describe.skipIf(missing !== '')(`moving a data folder into a cluster${missing}`, () => {
  it('brings everything, wherever it is interrupted, and leaves the folder as it is', async () => {
    const folder = temporaryFolder();
    const endpoint = await openEndpoint();
    const server = await startServer(folder, SHARED);
    const create = async (name: string, ...more: string[]) => {
      const made = await told([
        'keys',
        'create',
        '--name',
        name,
        '--email',
        'a@example.com',
        ...more,
        '--data-dir',
        folder,
      ]);
      return made.json()[0] as { key: string; account_id: number };
    };
    const before = await create('before', '--plan', 'enterprise');
    const after = await create('after');
    const spent = await told(['keys', 'create', '--name', 'spent', '--credits', '40', '--data-dir', folder]);
    const { key: spender, account_id: account } = spent.json()[0] as { key: string; account_id: number };
    const messages = dayOfSport(Date.now());
    expect((await fed(server.url, messages.map((one) => JSON.stringify(one)).join('\n'))).status).toBe(200);
    // So many that a move can be interrupted.
    expect((await fed(server.url, teams(1500))).status).toBe(200);
    const sub = await post(
      `${server.url}/v1/webhooks`,
      spender,
      JSON.stringify({ url: endpoint.url, event_types: ['score'] }),
      { 'idempotency-key': 'made-once' },
    );
    expect(sub.status).toBeLessThan(300);
    const corrected = { ...score('g1', 'final', ['24', '28']), at: new Date().toISOString().replace(/\.\d+/, '') };
    const sent = [...messages, corrected].map((one) => JSON.stringify(one)).join('\n');
    expect((await fed(server.url, JSON.stringify(corrected))).body).toMatchObject({ accepted: 1 });
    await eventually(() => endpoint.got.length === 1, 20_000);
    const [event] = (
      (await (
        await fetch(`${server.url}/v1/events?league=nfl`, { headers: { authorization: `Bearer ${spender}` } })
      ).json()) as {
        events: { id: number }[];
      }
    ).events;
    const slip = JSON.stringify({ legs: [{ event_id: event!.id, market_key: 'ml', side: 'home' }] });
    expect((await post(`${server.url}/v1/grade/slip`, spender, slip)).status).toBe(200);
    const moments = [new Date(Date.now() - 1000).toISOString().replace(/\.\d+/, '')];
    const asked = await settledAnswers(server.url, before.key, moments);
    expect([...asked.values()].filter(({ status }) => status === 200).length).toBeGreaterThan(100);
    server.child.kill('SIGTERM');
    await server.ended;
    const ledger = await told(['audit', 'account', String(account), '--json', '--data-dir', folder]);
    const keys = await told(['keys', 'list', '--data-dir', folder]);
    const files = bytesOf(folder);
    const pepper = readFileSync(join(folder, 'key-pepper.secret'), 'utf8').trim();

    const D = clusterFolder();
    const cluster = await launchCluster(D, { ...SHARED, KEY_PEPPER: pepper });
    const move = ['replay', '--data-dir', folder, '--into-cluster', D];
    const position = async () => {
      const answer = await fetch(`${cluster.url}/v1/health`, { headers: { authorization: `Bearer ${OPERATOR_KEY}` } });
      return ((await answer.json()) as { log: { position: string | null } }).log.position;
    };
    const first = launch(move, { HOME: process.env['HOME']! });
    await eventually(async () => (await position()) !== null, 60_000);
    first.child.kill('SIGKILL');
    await first.ended;

    const moved = await told(move);
    expect([moved.stderr, moved.code]).toEqual(['', 0]);
    const held = keys.json() as { account_id: number }[];
    const accounts = new Set(held.map(({ account_id }) => account_id)).size;
    expect(moved.json()).toEqual([
      { records: expect.any(Number), accounts, keys: held.length, webhooks: 1, seconds: expect.any(Number) },
    ]);
    expect(bytesOf(folder)).toEqual(files);
    endpoint.state.status = 200;

    const again = await fed(cluster.url, sent);
    expect(again.body).toMatchObject({ accepted: 0, rejected: 0, unchanged: messages.length + 1 });
    expect(differing(asked, await settledAnswers(cluster.url, after.key, moments))).toEqual([]);
    const there = ['--json', '--data-dir', D];
    expect((await told(['audit', 'account', String(account), ...there])).stdout).toBe(ledger.stdout);
    const lasting = (lines: string) => lines.replaceAll(/"last_used_at":("[^"]*"|null)/g, '');
    expect(lasting((await told(['keys', 'list', '--data-dir', D])).stdout)).toBe(lasting(keys.stdout));
    const repeated = await post(
      `${cluster.url}/v1/webhooks`,
      spender,
      JSON.stringify({ url: endpoint.url, event_types: ['score'] }),
      { 'idempotency-key': 'made-once' },
    );
    expect(repeated.body['id']).toBe(sub.body['id']);

    await eventually(() => endpoint.got.some((one) => one.startsWith('200')), 60_000);
    expect(new Set(endpoint.got.map((one) => one.split(' ')[1])).size).toBe(1);
    expect((await told(['verify', '--data-dir', D])).code).toBe(0);
    expect(await told(move)).toMatchObject({ code: 0 });
  }, 600_000);
});

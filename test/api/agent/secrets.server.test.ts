import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { exchange } from '../http/serving.ts';
import { NFL, schedule } from '../spec/messages.ts';
import { formsOf, leaksIn } from './leaks.ts';

const INGEST_KEY = 'ingest_Zk3vQ8sT1xWm5Yb7Rd9Gf2Hj4Lc6Np0';
const BOOTSTRAP_KEY = `llk_${'Bo0tStrapKey'}.${'Qz7_mJ4-vN1xR8tK3wE6yU9iO2pA5sD0fG7hJ4kL1c3'}`;

/** What a client has been given, each with what it asked. */
const answers: { readonly asked: string; readonly status: number; readonly text: string }[] = [];

it('a key’s secret is nowhere but in the answer to its creation', async () => {
  const folder = temporaryFolder();
  const create = async (name: string): Promise<string> => {
    const { code, stdout, stderr } = await run([
      'keys',
      'create',
      '--name',
      name,
      '--data-dir',
      folder,
      '--plan',
      'growth',
    ]);
    expect([code, stderr]).toEqual([0, '']);
    return (JSON.parse(stdout) as { key: string }).key;
  };
  const before = await create('before');
  const server = await startServer(folder, { LOG_LEVEL: 'trace', INGEST_KEY, BOOTSTRAP_KEY });
  const beside = await create('beside');
  const made = await makeByHttp(server.url, before);
  const keys = [before, beside, made, BOOTSTRAP_KEY];
  expect(keys.map((key) => key.slice(17).length)).toEqual([43, 43, 43, 43]);

  await feed(server.url);
  for (const key of keys) {
    await useRightly(server.url, key);
    await useWrongly(server.url, Number(server.port), key);
    await useWrongly(server.url, Number(server.port), nearly(key));
  }
  const listed = await run(['keys', 'list', '--data-dir', folder]);
  const [first] = listed.stdout.split('\n').map((line) => (line === '' ? undefined : JSON.parse(line)));
  await run(['keys', 'revoke', String(first.id), '--data-dir', folder]);
  await until(async () => (await ask(`${server.url}/v1/sports`, bearer(before))) === 401);
  await useWrongly(server.url, Number(server.port), before);

  const secrets = [...keys, ...keys.map(nearly)].map((key) => key.slice(17)).concat(INGEST_KEY);
  const found = (what: string, text: string) => leaksIn(text, secrets).map((leak) => `${leak} in ${what}`);
  const inFolder = () => filesOf(folder).flatMap((file) => found(file, readFileSync(file, 'latin1')));
  // While the server runs, what it has written last stands in the WAL.
  expect(filesOf(folder).some((file) => file.endsWith('-wal'))).toBe(true);
  expect(inFolder()).toEqual([]);
  server.child.kill('SIGTERM');
  const { code, stdout, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(inFolder()).toEqual([]);
  expect(found('standard output', stdout)).toEqual([]);
  expect(stderr).toContain('"msg":"stopping"');
  expect(found('the log', stderr)).toEqual([]);
  expect(found('the list of keys', listed.stdout + listed.stderr)).toEqual([]);
  expect(answers.length).toBeGreaterThan(200);
  expect(answers.filter(({ status }) => status === 500)).toEqual([]);
  expect(answers.flatMap(({ asked, status, text }) => found(`the ${status} to ${asked}`, text))).toEqual([]);
});

it('the search for secrets finds them in every form', () => {
  const [key] = [`llk_${'a'.repeat(12)}.${'Qz7_mJ4-vN1xR8tK3wE6yU9iO2pA5sD0fG7hJ4kL1c3'}`];
  const secret = key!.slice(17);
  expect(leaksIn(`x${key}x`, [secret])).not.toEqual([]);
  for (const pad of ['', 'a', 'ab']) {
    expect(leaksIn(Buffer.from(`${pad}${key}:`).toString('base64'), [secret])).not.toEqual([]);
    expect(leaksIn(Buffer.from(`${pad}${key}`).toString('base64url'), [secret])).not.toEqual([]);
  }
  expect(leaksIn(Buffer.from(secret, 'base64url').toString('latin1'), [secret])).not.toEqual([]);
  expect(leaksIn(percentEncoded(key!), [secret])).not.toEqual([]);
  expect(leaksIn(percentEncoded(key!).toLowerCase(), [secret])).not.toEqual([]);
  expect(leaksIn(secret.toLowerCase().slice(10, 30), [secret])).not.toEqual([]);
  expect(leaksIn('Qz7_mJ4', [secret])).toEqual([]);
  expect(formsOf(secret).length).toBeGreaterThan(6);
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const JSON_TYPE = { 'content-type': 'application/json' };
const percentEncoded = (text: string): string =>
  [...text].map((one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** The key with another last character: what is wrong with it is nobody's to know either. */
const nearly = (key: string): string => `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;

async function ask(url: string, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url, { ...init, headers });
  const text = await response.text();
  const told = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  answers.push({ asked: `${init.method ?? 'GET'} ${url}`, status: response.status, text: `${told}\n\n${text}` });
  return response.status;
}

async function makeByHttp(url: string, by: string): Promise<string> {
  const post = () =>
    fetch(`${url}/api/agent/keys`, {
      method: 'POST',
      headers: { ...bearer(by), ...JSON_TYPE, 'idempotency-key': 'once' },
      body: '{"name":"by http"}',
    });
  const { key } = (await (await post()).json()) as { key: string };
  expect(((await (await post()).json()) as { key: null }).key).toBeNull();
  return key;
}

async function feed(url: string): Promise<void> {
  const body = JSON.stringify(schedule(NFL, 'one', ['Kansas City Chiefs', 'Denver Broncos'], '2030-03-01T18:00:00Z'));
  const to = `${url}/ingest/v1/messages?wait=projected`;
  const init = { method: 'POST', body };
  expect(await ask(to, { ...bearer(INGEST_KEY), ...JSON_TYPE }, init)).toBe(200);
  expect(await ask(to, { ...bearer(nearly(INGEST_KEY)), ...JSON_TYPE }, init)).toBe(401);
  expect(await ask(`${url}/v1/sports`, bearer(INGEST_KEY))).toBe(401);
}

/** The first bytes of a stream, which is then left. */
async function openStream(url: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, { headers });
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  expect(response.status).toBe(200);
  answers.push({ asked: url, status: 200, text: Buffer.from(value!).toString() });
}

async function useRightly(url: string, key: string): Promise<void> {
  expect(await ask(`${url}/v1/sports`, bearer(key))).toBe(200);
  expect(await ask(`${url}/api/agent/keys`, bearer(key))).toBe(200);
  expect(await ask(`${url}/api/agent/credits`, bearer(key))).toBe(200);
  expect(await ask(`${url}/compat/the-odds-api/v4/sports?apiKey=${key}`)).toBe(200);
  expect(await ask(`${url}/compat/the-odds-api/v4/sports?api_key=${percentEncoded(key)}`)).toBe(200);
  await openStream(`${url}/v1/events/1/stream`, bearer(key));
  await openStream(`${url}/v1/events/1/stream?api_key=${key}`);
  await openStream(`${url}/v1/events/1/stream?api_key=${percentEncoded(key)}`);
}

async function useWrongly(url: string, port: number, key: string): Promise<void> {
  const secret = key.slice(17);
  const encoded = percentEncoded(key);
  const basic = Buffer.from(`${key}:`).toString('base64');
  for (const authorization of [
    `Basic ${basic}`,
    `Bearer ${basic}`,
    `Token ${key}`,
    key,
    `Bearer "${key}"`,
    `Bearer ${encoded}`,
    `Bearer ${key}, Bearer ${key}`,
    `Bearer ${secret}`,
    `Bearer llk_.${secret}`,
  ]) {
    expect(await ask(`${url}/v1/events/1`, { authorization })).toBe(401);
  }
  for (const path of [
    ...[key, encoded, basic].flatMap((text) => [
      `/${text}`,
      `/v1/${text}`,
      `/v1/events/${text}`,
      `/v1/events/${text}/stream`,
      `/live/${text}`,
      `/v1/sports?api_key=${text}`,
      `/v1/events?status=${text}`,
      `/v1/events?sport=${text}&limit=${text}&sort=${text}&date=${text}`,
      `/v1/events/1?as_of=${text}`,
      `/v1/events/1/odds?bookmaker=${text}`,
      `/api/agent/keys/${text}`,
      `/compat/the-odds-api/v4/${text}?apiKey=${text}`,
      `/compat/the-odds-api/v4/sports/${text}/odds?regions=${text}`,
      `/compat/the-odds-api/v4/sports/soccer_epl/odds?regions=us&markets=${text}&bookmakers=${text}`,
    ]),
    `/v1/events/%ZZ${key}`,
  ]) {
    for (const headers of [{}, bearer(key)]) await ask(url + path, headers);
  }
  await ask(`${url}/v1/events/1/stream?api_key=${key}&api_key=${key}`);
  await ask(`${url}/v1/events/1/stream?apikey=${key}`);
  for (const headers of [JSON_TYPE, { ...JSON_TYPE, ...bearer(key) }]) {
    for (const [path, body] of [
      ['/v1/events/batch', { event_ids: [key], api_key: key }],
      ['/v1/events/batch', { event_ids: [1], include_odds: key, as_of: key }],
      ['/v1/events/batch', { [key]: key }],
      ['/v1/events/batch', { event_ids: [1], authorization: `Bearer ${key}` }],
      ['/api/agent/keys', { name: ['x'], key, scopes: [key] }],
      ['/api/agent/credits/topup', { pack_id: key }],
      ['/v1/webhooks', { url: key, event_types: [key] }],
      ['/ingest/v1/messages', { kind: key, api_key: key }],
      ['/billing/stripe', { key }],
    ] as const) {
      await ask(url + path, headers, { method: 'POST', body: JSON.stringify(body) });
      await ask(url + path, headers, { method: 'POST', body: `{"api_key": "${key}", ` });
      await ask(url + path, { ...headers, 'content-type': 'text/plain' }, { method: 'POST', body: key });
      await ask(url + path, headers, { method: 'DELETE', body: key });
    }
  }
  // What is no HTTP at all, or lacks what HTTP asks for.
  for (const bytes of [
    `GET /v1/sports?api_key=${key} HTTP/9.9\r\n\r\n`,
    `${key}\r\n\r\n`,
    `GET /v1/sports HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    `GET /v1/sports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nAuthorization : Bearer ${key}\r\n\r\n`,
  ]) {
    answers.push({ asked: bytes.slice(0, 20), status: 400, text: await exchange(port, bytes) });
  }
}

/** All files, whatever they are for; a socket is none. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path).isFile());
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleManifest } from '../../../src/api/client-packages/mcp-bundle.ts';
import { registryEntry } from '../../../src/api/client-packages/registry-entry.ts';
import { buildMcpBundle } from '../../../src/server/bin/build-mcp-bundle.mjs';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { BASE_URL, composed } from '../../support/composed.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PACKER = join(ROOT, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');

type Composed = Awaited<ReturnType<typeof composed>>;
const folder = temporaryFolder();
const built = folder.path('built');
let server: Composed;
let without: Composed;
beforeAll(async () => {
  mkdirSync(built);
  await buildMcpBundle(built, (content: string, baseUrl: string) =>
    writeFileSync(join(content, 'manifest.json'), JSON.stringify(bundleManifest('1.2.3', baseUrl))),
  );
  server = await composed({ replacements: { clientFiles: built }, environment: { version: '1.2.3' } });
  without = await composed({ replacements: { clientFiles: folder.path('none') } });
});
afterAll(async () => {
  await server.close();
  await without.close();
});

const variable = (name: string) => `$\{${name}}`;
const ask = (path: string, init?: RequestInit) => fetch(server.url + path, init);
const manifestIn = (bytes: Uint8Array) => JSON.parse(Buffer.from(unzipSync(bytes)['manifest.json']!).toString('utf8'));

describe('the bundle for agents', () => {
  it('is handed out without a key, as a file to install, with the address of the server filled in', async () => {
    const answer = await ask('/client/ledgerline.mcpb');
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="ledgerline.mcpb"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(bytes.length).toBeLessThan(100_000);
    expect(Object.keys(unzipSync(bytes)).sort()).toEqual(['manifest.json', 'server/index.mjs']);
    const manifest = manifestIn(bytes);
    expect([manifest.version, manifest.user_config.url.default]).toEqual(['1.2.3', BASE_URL]);
    expect(manifest.user_config.api_key).toMatchObject({ sensitive: true });
    const again = await ask('/client/ledgerline.mcpb', {
      headers: { 'if-none-match': answer.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
    expect((await ask('/client/ledgerline.mcpb', { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(bytes.length),
    );
  });

  it('is one by the tool of those who made the format', async () => {
    const file = folder.path('served.mcpb');
    writeFileSync(file, Buffer.from(await (await ask('/client/ledgerline.mcpb')).arrayBuffer()));
    const unpacked = folder.path('unpacked');
    const packer = (...args: string[]) => execFileSync(process.execPath, [PACKER, ...args], { encoding: 'utf8' });
    packer('unpack', file, unpacked);
    expect(packer('validate', join(unpacked, 'manifest.json'))).toContain('Manifest schema validation passes!');
    writeFileSync(join(unpacked, 'manifest.json'), JSON.stringify({ ...bundleManifest('1', BASE_URL), author: 5 }));
    expect(() => packer('validate', join(unpacked, 'manifest.json'))).toThrow();
  });

  it('starts as its manifest says, and passes messages on with the key that was filled in', async () => {
    const bytes = new Uint8Array(await (await ask('/client/ledgerline.mcpb')).arrayBuffer());
    const installed = folder.path('installed');
    for (const [name, content] of Object.entries(unzipSync(bytes))) {
      mkdirSync(join(installed, name, '..'), { recursive: true });
      writeFileSync(join(installed, name), content);
    }
    const { command, args, env } = manifestIn(bytes).server.mcp_config;
    const { key } = await server.newKey();
    const filled = (text: string) =>
      text
        .replace(variable('__dirname'), installed)
        .replace(variable('user_config.url'), server.url)
        .replace(variable('user_config.api_key'), key);
    const settings = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value as string)]));
    const child = spawn(command, args.map(filled), { env: { PATH: process.env['PATH'], ...settings } });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`);
    const [code] = await once(child, 'close');
    expect([code, JSON.parse(output).result.tools.length]).toEqual([0, 12]);
  });

  it('is missing where the server was built without it, and the page says so', async () => {
    expect((await fetch(`${without.url}/client/ledgerline.mcpb`)).status).toBe(404);
    expect(await (await fetch(`${without.url}/client`)).text()).not.toContain('ledgerline.mcpb');
    expect(await (await ask('/client')).text()).toContain('href="/client/ledgerline.mcpb"');
  });
});

describe('the entry of the registry', () => {
  it('names the address of the server, under remotes, with the small toolset', async () => {
    const answer = await ask('/client/server.json');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const entry = (await answer.json()) as ReturnType<typeof registryEntry>;
    expect(entry).toEqual(registryEntry('1.2.3', BASE_URL));
    expect(entry.name).toBe('example.sports/ledgerline');
    expect(entry.remotes.map(({ type, url }) => [type, url])).toEqual([
      ['streamable-http', `${BASE_URL}/mcp?tools=core`],
    ]);
    expect(entry.description.length).toBeLessThanOrEqual(100);
  });

  it.each([
    ['http://localhost:3000', 'localhost/ledgerline'],
    ['http://127.0.0.1:3000', 'localhost/ledgerline'],
    ['http://[::1]:3000', 'localhost/ledgerline'],
    ['https://a.b.example.com', 'com.example.b.a/ledgerline'],
  ])('a server at %s is named %s', (url, name) => {
    expect(registryEntry('1', url).name).toBe(name);
  });
});

it('the page of clients tells agents the address with the small toolset', async () => {
  const page = await (await ask('/client')).text();
  expect(page).toContain(`claude mcp add --transport http ledgerline &quot;${BASE_URL}/mcp?tools=core&quot; --header`);
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { BASE_URL, composed } from '../../support/composed.ts';

const WHEEL = 'ledgerline-1.2.3-py3-none-any.whl';
const TARBALL = 'ledgerline-client.tgz';
/** Bytes that are no text. */
const BYTES = Buffer.from([0x50, 0x4b, 0xff, 0xfe, 0x00, 0x80]);

type Composed = Awaited<ReturnType<typeof composed>>;
const folder = temporaryFolder();
let server: Composed;
let without: Composed;
beforeAll(async () => {
  const files = folder.path('client');
  mkdirSync(files);
  for (const name of [WHEEL, TARBALL, 'notes.txt']) writeFileSync(join(files, name), BYTES);
  server = await composed({ replacements: { clientFiles: files }, environment: { version: '1.2.3' } });
  without = await composed({ replacements: { clientFiles: folder.path('none') } });
});
afterAll(async () => {
  await server.close();
  await without.close();
});

const ask = (path: string, init?: RequestInit) => fetch(server.url + path, init);

describe('the page of clients', () => {
  it('says, without a key, how to install both from this server, with its address and version', async () => {
    const answer = await ask('/client');
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page).toContain(`pip install ${BASE_URL}/client/${WHEEL}`);
    expect(page).toContain(`npm install ${BASE_URL}/client/${TARBALL}`);
    expect(page).toContain(`Ledgerline(&quot;${BASE_URL}&quot;, api_key=&quot;KEY&quot;)`);
    expect(page).toContain('of its version: 1.2.3');
  });

  it('says so where the server was built without them', async () => {
    const page = await (await fetch(`${without.url}/client`)).text();
    expect(page).toContain('This server was built without it');
    expect(page).not.toContain('pip install');
  });
});

describe.each([
  [WHEEL, 'application/zip', 'public, max-age=31536000, immutable'],
  [TARBALL, 'application/gzip', 'no-cache'],
])('the package %s', (name, type, caching) => {
  it('comes as its bytes, without a key, and may be kept', async () => {
    const answer = await ask(`/client/${name}`);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(BYTES);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('content-length')).toBe(String(BYTES.length));
    expect(answer.headers.get('cache-control')).toBe(caching);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const tag = answer.headers.get('etag')!;
    expect(tag).toMatch(/^"[\w-]+"$/);
    const again = await ask(`/client/${name}`, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('may be asked about, and not written', async () => {
    const head = await ask(`/client/${name}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(BYTES.length)]);
    const post = await ask(`/client/${name}`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

it.each(['ledgerline-1.2.2-py3-none-any.whl', 'notes.txt', '..%2Fpackage.json', 'x'.repeat(500)])(
  'the name %s is that of no package, and the refusal says where they are',
  async (name) => {
    const answer = await ask(`/client/${name}`);
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    expect([answer.status, error.code]).toEqual([404, 'not_found']);
    expect(error.message).toContain(`${BASE_URL}/client has those there are.`);
    expect(error.message.length).toBeLessThan(250);
  },
);

it('the reference and the overview for language models lead to the clients', async () => {
  for (const path of ['/docs', '/llms.txt']) expect(await (await ask(path)).text()).toMatch(/["/]client[")]/);
});

it('the package of npm holds the built packages, and the image what the Python package is made of', () => {
  const root = join(import.meta.dirname, '../../..');
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).files).toContain('dist/server');
  expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toContain('COPY clients clients\n');
  expect(readFileSync(join(root, '.dockerignore'), 'utf8')).toContain('!clients\n');
});

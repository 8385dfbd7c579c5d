import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/api/calls/api-errors.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { readDocumentation } from '../../../src/web/docs/documentation-pages.ts';
import { BASE_URL, type Served, serve } from '../../api/http/serving.ts';
import { ask as askMcp } from '../../api/mcp/modern/modern-client.ts';

const DOCS = resolve(import.meta.dirname, '../../../docs');
const files = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const MARKDOWN = 'text/markdown; charset=utf-8';

let served: Served;
beforeAll(async () => {
  served = await serve({ operations });
});
afterAll(() => served.close());

async function read(path: string, accept?: string, headers: Record<string, string> = {}) {
  const response = await fetch(served.url + path, { headers: { ...(accept ? { accept } : {}), ...headers } });
  const { status, headers: answered } = response;
  return {
    status,
    type: answered.get('content-type'),
    vary: answered.get('vary'),
    tag: answered.get('etag')!,
    text: await response.text(),
  };
}

describe.each(files)('the page %s', (file) => {
  it('comes without a key as it is, as Markdown, and is revalidated by its tag', async () => {
    const text = readFileSync(join(DOCS, file), 'utf8');
    const first = await read(`/docs/${file}`);
    expect([first.status, first.type, first.text === text]).toEqual([200, MARKDOWN, true]);
    expect(first.tag).toMatch(/^"[\w-]+"$/);
    const again = await read(`/docs/${file}`, undefined, { 'if-none-match': first.tag });
    expect([again.status, again.text]).toEqual([304, '']);
    const named = await read(`/docs/${file.slice(0, -3)}`, 'text/markdown');
    expect([named.status, named.type, named.vary, named.text === text]).toEqual([200, MARKDOWN, 'Accept', true]);
  });
});

it.each([
  ['text/markdown', MARKDOWN],
  ['*/*', MARKDOWN],
  [BROWSER, 'text/plain; charset=utf-8'],
  ['text/html;q=0.5, text/markdown', MARKDOWN],
  ['application/json', MARKDOWN],
])('without .md a page of the documentation is for %s of the type %s', async (accept, type) => {
  const answer = await read('/docs/feed', accept);
  expect([answer.status, answer.type, answer.vary]).toEqual([200, type, 'Accept']);
});

it('the two types of one page have tags of their own', async () => {
  const [markdown, plain] = [await read('/docs/feed', 'text/markdown'), await read('/docs/feed', BROWSER)];
  expect(markdown.tag).not.toBe(plain.tag);
  expect((await read('/docs/feed', BROWSER, { 'if-none-match': markdown.tag })).status).toBe(200);
});

describe.each(['/docs', '/docs/errors', '/docs/errors/not_found'])('the page %s', (path) => {
  it('comes as HTML, and as Markdown to whoever accepts that rather, or asks for .md', async () => {
    for (const accept of [undefined, BROWSER, '*/*']) {
      const page = await read(path, accept);
      expect([page.status, page.type, page.vary]).toEqual([200, 'text/html; charset=utf-8', 'Accept']);
    }
    const wanted = await read(path, 'text/markdown');
    const named = await read(`${path}.md`);
    expect([wanted.status, wanted.type, wanted.vary]).toEqual([200, MARKDOWN, 'Accept']);
    expect([named.status, named.type, named.text]).toEqual([200, MARKDOWN, wanted.text]);
    expect(wanted.text).toMatch(/^# /);
    expect((await read(`${path}.md`, undefined, { 'if-none-match': named.tag })).status).toBe(304);
  });
});

it('the reference as Markdown has every operation with its path, parameters and errors', async () => {
  const { text } = await read('/docs.md');
  for (const { name, method, path } of operations) {
    expect(text).toContain(`### ${name}\n\n\`${method} ${path}\`. `);
  }
  expect(text).toContain(`at ${BASE_URL}.`);
  expect(text).toMatch(/### get_odds\n[\s\S]*?- `id` \(integer, in the path\)[\s\S]*?Errors: .*`not_found`/);
});

it.each(ERROR_CODES)('the error %s has a page in Markdown, with an example', async (code) => {
  const { status, text } = await read(`/docs/errors/${code}.md`);
  expect([status, text.startsWith(`# ${code}\n`)]).toEqual([200, true]);
  const [, json] = /```json\n([\s\S]+?)\n```/.exec(text)!;
  expect(JSON.parse(json!).error.code).toBe(code);
});

it.each([
  '/docs/nothing',
  '/docs/nothing.md',
  '/docs/rooms/nothing.md',
  '/docs/errors/nothing.md',
  '/docs/..%2fREADME.md',
])('%s is not there, and says so', async (path) => {
  const { status, text } = await read(path);
  expect([status, JSON.parse(text).error.code]).toEqual([404, 'not_found']);
});

it('the links between the pages lead to pages that are served', async () => {
  const links = files.flatMap((file) =>
    [...readFileSync(join(DOCS, file), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+\.md)/g)].map(
      ([, link]) => new URL(link!, `http://x/docs/${file}`).pathname,
    ),
  );
  for (const link of new Set(links)) expect([link, (await read(link)).status]).toEqual([link, 200]);
});

it('what pages load from below /docs is no page of the documentation', async () => {
  const page = (await read('/docs', BROWSER)).text;
  const assets = [...page.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(assets.length).toBeGreaterThan(0);
  for (const path of assets) expect([path, (await read(path)).status]).toEqual([path, 200]);
});

it('agents read the same pages as resources', async () => {
  const { body } = await askMcp(served, 'resources/read', { uri: 'ledgerline://docs/feed' });
  expect(body.result.contents[0]).toMatchObject({ mimeType: 'text/markdown' });
  expect(body.result.contents[0].text).toBe(readFileSync(join(DOCS, 'feed.md'), 'utf8'));
});

it('a server that came without its documentation has none', () => {
  expect(readDocumentation(join(DOCS, 'nothing'))).toEqual([]);
});

it('/.well-known/mcp.json says, without a key, where the server of agents is, and how it speaks', async () => {
  const { status, type, text } = await read('/.well-known/mcp.json');
  expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
  expect(JSON.parse(text)).toEqual({
    name: 'ledgerline',
    version: '0.0.0',
    url: `${BASE_URL}/mcp`,
    transport: 'streamable_http',
    protocol_versions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exchange } from '../../api/http/serving.ts';
import { NBA, schedule } from '../../api/spec/messages.ts';
import { type LiveServer, NOW, serveLive } from './serve-live-page.ts';

let server: LiveServer;
let path: string;
async function start(...options: Parameters<typeof serveLive>) {
  server = await serveLive(...options);
  await server.feed(schedule(NBA, 'a', ['Home', 'Away'], '2026-03-01T18:00:00Z'));
  path = `/live/events/${await server.eventId('a')}`;
}
beforeEach(() => start());
afterEach(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});
async function startAnew(...options: Parameters<typeof serveLive>) {
  await server.close();
  await start(...options);
}

const DATA = () => ['/live/board', path, `${path}/story`];
const ROUTES = () => [...DATA(), '/live/stream'];
const statuses = (paths: readonly string[], headers: Record<string, string> = {}, method = 'GET') =>
  Promise.all(paths.map(async (one) => (await server.ask(one, { method, headers })).status));

describe('what other sites may not do', () => {
  it.each([
    ['another name', 'evil.example'],
    ['another name with our port', 'evil.example:80'],
    ['a name that begins like ours', 'localhost.evil.example'],
    ['another address', '192.168.1.1'],
    ['nonsense', '127.0.0.1@evil.example'],
  ])('a Host header with %s is refused', async (_, host) => {
    expect(await statuses(ROUTES(), { host })).toEqual([403, 403, 403, 403]);
  });

  it('no name at all is refused', async () => {
    for (const head of ['HTTP/1.1\r\nHost:', 'HTTP/1.0']) {
      const text = await exchange(Number(new URL(server.url).port), `GET ${path} ${head}\r\nConnection: close\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1.1 403 /);
    }
  });

  it.each(['localhost', 'localhost:9', '127.0.0.1:80', '[::1]:80', 'LOCALHOST'])('Host %s is ours', async (host) => {
    expect(await statuses(DATA(), { host })).toEqual([200, 200, 200]);
  });

  it('the name of the public address is ours too', async () => {
    await startAnew({ baseUrl: () => 'https://sports.example' });
    expect(await statuses(DATA(), { host: 'sports.example' })).toEqual([200, 200, 200]);
    expect(await statuses(DATA(), { host: 'evil.example' })).toEqual([403, 403, 403]);
  });

  it('where the page is meant for others, any name is right', async () => {
    await startAnew({ host: '0.0.0.0' });
    expect(await statuses(DATA(), { host: 'sports.lan' })).toEqual([200, 200, 200]);
  });

  it('requests of other sites’ pages are refused, those of our own and of people not', async () => {
    for (const from of ['cross-site', 'same-site']) {
      expect(await statuses(ROUTES(), { 'sec-fetch-site': from })).toEqual([403, 403, 403, 403]);
    }
    for (const from of ['same-origin', 'none']) {
      expect(await statuses(DATA(), { 'sec-fetch-site': from })).toEqual([200, 200, 200]);
    }
  });

  it('no answer lets other origins read it, nor do browsers keep it', async () => {
    for (const one of DATA()) {
      const { headers } = await server.ask(one, { headers: { origin: 'https://evil.example' } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'x-credits-used': '0',
      });
    }
  });
});

describe('requests that are wrong', () => {
  it.each([
    ['/live/board?date=2026-02-30', 400, 'bad_request'],
    ['/live/board?date=today', 400, 'bad_request'],
    ['/live/board?date=2026-03-01&date=2026-03-02', 422, 'validation_error'],
    ['/live/stream?date=1', 400, 'bad_request'],
    ['/live/events/abc', 422, 'validation_error'],
    ['/live/events/999', 404, 'not_found'],
    ['/live/events/99999999999999999999', 422, 'validation_error'],
    ['/live/events/999/story', 404, 'not_found'],
    ['/live/events/1?as_of=2026-03-01', 400, 'bad_request'],
    ['/live/events/1?as_of=2026-03-01T20:00:01Z', 400, 'bad_request'],
    ['/live/nothing', 404, 'not_found'],
    ['/live/', 404, 'not_found'],
    ['/live/assets/main.js', 404, 'not_found'],
  ])('%s: %i', async (wrong, status, code) => {
    const answer = await server.ask(wrong);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it('reads only', async () => {
    for (const method of ['POST', 'DELETE', 'OPTIONS']) {
      const answers = await Promise.all([...ROUTES(), '/'].map((one) => server.ask(one, { method })));
      expect(answers.map(({ status, headers }) => [status, headers.allow])).toEqual(
        answers.map(() => [405, 'GET, HEAD']),
      );
    }
    expect(await statuses([...ROUTES(), '/'], {}, 'HEAD')).toEqual([200, 200, 200, 200, 200]);
    expect(server.page.size).toBe(0);
  });

  it('as of this very moment is no future', async () => {
    expect(await statuses([`${path}?as_of=${NOW}`])).toEqual([200]);
  });
});

describe('the page at /', () => {
  it('is a plain one with links where the build has made none', async () => {
    const { status, headers, text } = await server.ask('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<a href="/docs">');
    expect(text).toContain('<a href="/openapi.json">');
    expect(text).toContain('<a href="/grade">');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('is the plain one when it is switched off, and there is nothing below /live/', async () => {
    const folder = builtPage();
    await startAnew({ isOn: false, files: folder });
    const { status, text } = await server.ask('/');
    expect([status, text.includes('/live/')]).toEqual([200, false]);
    expect(await statuses([...ROUTES(), '/live/assets/main-ABC.js'])).toEqual([404, 404, 404, 404, 404]);
  });

  it('links to the grading page, unless that is switched off', async () => {
    const sheetLinked = async () => (await server.ask('/')).text.includes('href="/grade"');
    const files = builtPage('<!doctype html><html lang="en"><body><!-- site: header --></body></html>');
    await startAnew({ files });
    expect(await sheetLinked()).toBe(true);
    const pages = { hasLivePage: true, hasGradingPage: false };
    await startAnew({ files, pages });
    expect(await sheetLinked()).toBe(false);
    await startAnew({ isOn: false, pages, files });
    expect(await sheetLinked()).toBe(false);
  });

  it('is the one that the build has made, with files that never change', async () => {
    await startAnew({ files: builtPage() });
    const index = await server.ask('/');
    expect(index.text).toBe('<!doctype html><script src="/live/assets/main-ABC.js"></script>');
    expect(index.headers).toMatchObject({
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    });
    const held = await server.ask('/', { headers: { 'if-none-match': index.headers.etag! } });
    expect([held.status, held.text]).toEqual([304, '']);
    const script = await server.ask('/live/assets/main-ABC.js');
    expect([script.status, script.text]).toEqual([200, 'alert("Zoë")']);
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await server.ask('/live/assets/main-ABC.css')).headers['content-type']).toBe('text/css; charset=utf-8');
    expect(await statuses(['/live/assets/..%2Findex.html', '/live/assets/notes.txt', '/live/assets/'])).toEqual([
      404, 404, 404,
    ]);
  });
});

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function builtPage(index = '<!doctype html><script src="/live/assets/main-ABC.js"></script>'): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-page-'));
  folders.push(folder);
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), index);
  writeFileSync(join(folder, 'assets/main-ABC.js'), 'alert("Zoë")');
  writeFileSync(join(folder, 'assets/main-ABC.css'), 'a{}');
  writeFileSync(join(folder, 'assets/notes.txt'), 'not of the page');
  return folder;
}

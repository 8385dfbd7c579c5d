import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, exchange, type Served, serve } from '../../http/serving.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

describe('an answer', () => {
  it('is JSON with the credits that it cost', async () => {
    const response = await served.fetch('/v1/things/5');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('x-credits-used')).toBe('1');
    expect(await response.json()).toEqual({ id: 5, available: true, big: false, books: [] });
  });

  it('costs nothing when nothing is available', async () => {
    const response = await served.fetch('/v1/things/7');
    expect([response.status, response.headers.get('x-credits-used')]).toEqual([200, '0']);
  });

  it('carries no limits where none holds, and nothing of the framework', async () => {
    const { headers } = await served.fetch('/v1/things/5');
    const names = [...headers.keys()];
    expect(names.filter((name) => /ratelimit|remaining|powered/.test(name))).toEqual([]);
  });

  it('says how long it may be cached', async () => {
    const kept = await served.fetch('/v1/things/5?big=true');
    const unkept = await served.fetch('/v1/things/5');
    const made = await served.post('/v1/things', { name: 'x' });
    expect(kept.headers.get('cache-control')).toBe('private, max-age=60');
    expect(unkept.headers.get('cache-control')).toBe('private, no-cache, must-revalidate');
    expect(made.headers.get('cache-control')).toBe('no-store');
  });

  it('has the status of its operation', async () => {
    const made = await served.post('/v1/things', { name: 'x' });
    expect([made.status, made.headers.get('x-credits-used')]).toEqual([201, '3']);
    expect(await made.json()).toEqual({ name: 'x', parts: [], fast: false });
    const removed = await served.fetch('/v1/things/5', { method: 'DELETE' });
    expect([removed.status, await removed.text(), removed.headers.get('content-type')]).toEqual([204, '', null]);
  });

  it('to HEAD has the head of the one to GET', async () => {
    const got = await served.fetch('/v1/things/5');
    const head = await served.fetch('/v1/things/5', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['etag', 'content-length', 'content-type', 'x-credits-used']) {
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
  });
});

describe('a request id', () => {
  it('is echoed when it is well-formed', async () => {
    const response = await served.fetch('/v1/things/5', { headers: { 'x-request-id': 'abc-1.2:3' } });
    expect(response.headers.get('x-request-id')).toBe('abc-1.2:3');
  });

  it.each(['has blanks in it', 'x'.repeat(129), '"quoted"'])('is made instead of %j', async (given) => {
    const response = await served.fetch('/v1/nothing', { headers: { 'x-request-id': given } });
    const made = response.headers.get('x-request-id');
    expect(made).toMatch(/^made-\d+$/);
    expect(((await response.json()) as any).error.request_id).toBe(made);
  });
});

describe('an entity tag', () => {
  it('is strong, and the same exactly for the same answer', async () => {
    const [first, second, other] = await Promise.all(
      ['/v1/things/5', '/v1/things/5?unknown=1', '/v1/things/6'].map((path) => served.fetch(path)),
    );
    expect(first!.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(second!.headers.get('etag')).toBe(first!.headers.get('etag'));
    expect(other!.headers.get('etag')).not.toBe(first!.headers.get('etag'));
  });

  it.each([
    ['itself', (tag: string) => tag],
    ['its weak form', (tag: string) => `W/${tag}`],
    ['a list', (tag: string) => `"a,b", W/"c",${tag}`],
    ['a list with a star', (tag: string) => `*, ${tag}`],
  ])('that the client holds as %s is a free 304', async (_, held) => {
    const tag = (await served.fetch('/v1/things/5?big=true')).headers.get('etag')!;
    const response = await served.fetch('/v1/things/5?big=true', { headers: { 'if-none-match': held(tag) } });
    expect([response.status, await response.text(), response.headers.get('x-credits-used')]).toEqual([304, '', '0']);
    expect(response.headers.get('etag')).toBe(tag);
    expect(response.headers.get('cache-control')).toBe('private, max-age=60');
  });

  it.each(['"other", W/"x"', '*', '"other", *', ' * ', 'W/*', '"*"'])(
    'of something else changes nothing, and a star is none: %s',
    async (held) => {
      const response = await served.fetch('/v1/things/5', { headers: { 'if-none-match': held } });
      expect([response.status, response.headers.get('x-credits-used')]).toEqual([200, '1']);
    },
  );

  it('does not hide an error', async () => {
    const response = await served.fetch('/v1/things/500', { headers: { 'if-none-match': '*' } });
    expect(response.status).toBe(404);
  });
});

describe('a refusal', () => {
  it('is the envelope, and costs nothing', async () => {
    const response = await served.fetch('/v1/things/500', { headers: { 'x-request-id': 'r1' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('x-credits-used')).toBe('0');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      error: {
        code: 'not_found',
        message: 'There is no thing 500.',
        status: 404,
        doc_url: 'https://sports.example/docs/errors/not_found',
        request_id: 'r1',
      },
      detail: 'There is no thing 500.',
    });
  });

  it('hides the details of an internal error, and is logged with the request id', async () => {
    const response = await served.fetch('/v1/things/13', { headers: { 'x-request-id': 'r13' } });
    const text = await response.text();
    expect([response.status, response.headers.get('x-credits-used')]).toEqual([500, '0']);
    expect(text).not.toContain('secret');
    expect(JSON.parse(text).error.code).toBe('internal_error');
    expect(served.logged.at(-1)).toMatchObject({
      request_id: 'r13',
      operation: 'get_thing',
      err: { message: 'secret detail' },
    });
  });

  it('of an unknown path is 404, of a wrong method 405 with what is allowed', async () => {
    const unknown = await served.fetch('/v1/nothing');
    expect([unknown.status, await codeOf(unknown)]).toEqual([404, 'not_found']);
    const wrong = await served.fetch('/v1/things/5', { method: 'PUT' });
    expect([wrong.status, await codeOf(wrong)]).toEqual([405, 'method_not_allowed']);
    expect(wrong.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD']);
    expect((await served.fetch('/v1/things/batch')).headers.get('allow')).toBe('POST');
    expect((await served.fetch('/v1/things/5', { method: 'OPTIONS' })).status).toBe(405);
  });

  it('of a path that is no valid encoding is 400', async () => {
    const response = await served.fetch('/v1/things/%ZZ');
    expect([response.status, await codeOf(response)]).toEqual([400, 'bad_request']);
  });

  it('of what is no HTTP is an envelope too', async () => {
    const answer = await exchange(served.port, 'this is no HTTP\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error: { code: 'bad_request' } });
  });
});

describe('simulated data', () => {
  it('is marked on every answer', async () => {
    const simulated = await serve({ simulated: () => true });
    try {
      for (const path of ['/v1/things/5', '/v1/nothing', '/healthz']) {
        expect((await simulated.fetch(path)).headers.get('x-simulated')).toBe('true');
      }
    } finally {
      await simulated.close();
    }
    expect((await served.fetch('/v1/things/5')).headers.get('x-simulated')).toBeNull();
  });
});

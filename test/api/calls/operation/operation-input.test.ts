import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createInputReader } from '../../../../src/api/calls/operation/operation-input.ts';
import { operations } from '../../../../src/api/operations/index.ts';
import { codeOf, exchange, type Served, serve } from '../../http/serving.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const fieldErrors = async (response: Response) => ((await response.json()) as any).error.errors;

describe('a path id', () => {
  it.each(['abc', '1.5', '1e3', '0x10', '%20', '1%2F2', '%00', '--1'])('that is no integer (%s) is 422', async (id) => {
    const response = await served.fetch(`/v1/things/${id}`);
    expect(response.status).toBe(422);
    expect(await fieldErrors(response)).toEqual([
      { loc: ['path', 'id'], msg: 'must be an integer', type: 'invalid_type' },
    ]);
  });

  it.each(['999', '-5', '9007199254740991'])('within the range is just unknown: %s', async (id) => {
    expect((await served.fetch(`/v1/things/${id}`)).status).toBe(404);
  });

  it.each(['9007199254740993', '9'.repeat(30), '9'.repeat(400), `-${'9'.repeat(40)}`])(
    'beyond the range is 422: %s',
    async (id) => {
      expect((await served.fetch(`/v1/things/${id}`)).status).toBe(422);
    },
  );
});

describe('a query', () => {
  it('is read by the types of its parameters', async () => {
    const response = await served.fetch('/v1/things/5?big=true&books=a,%20b,,a');
    expect(await response.json()).toMatchObject({ big: true, books: ['a', 'b'] });
  });

  it.each([
    ['big=TRUE', 'big', 'must be true or false'],
    ['big=1', 'big', 'must be true or false'],
    ['big=', 'big', 'must be true or false'],
    ['big=true&big=true', 'big', 'must not be given more than once'],
    ['b%69g=true&big=false', 'big', 'must not be given more than once'],
    ['books=%00', 'books', 'must not contain NUL characters'],
  ])('%s is 422', async (query, name, msg) => {
    const response = await served.fetch(`/v1/things/5?${query}`);
    expect(response.status).toBe(422);
    expect(await fieldErrors(response)).toEqual([expect.objectContaining({ loc: ['query', name], msg })]);
  });

  it.each(['0', '101', '2.5', 'ten', '', '99999999999999999999'])('with limit=%s is 422', async (value) => {
    expect((await served.fetch(`/v1/things?limit=${value}`)).status).toBe(422);
  });

  it('may hold unknown parameters, repeated and broken ones too', async () => {
    expect((await served.fetch('/v1/things/5?x=1&x=2&y[]=%ZZ&__proto__=1&big[]=3')).status).toBe(200);
  });

  it('reports all wrong fields at once', async () => {
    const response = await served.fetch('/v1/things/abc?big=x');
    expect((await fieldErrors(response)).map((one: any) => one.loc.join('.'))).toEqual(['path.id', 'query.big']);
  });
});

describe('as_of', () => {
  it.each([
    ['2026-03-01T12:00:00Z', 200],
    ['2026-03-01T12:00:00.001Z', 400],
    ['2026-02-30T12:00:00Z', 400],
    ['yesterday', 400],
    ['2026-03-01T12:00:00', 400],
  ])('%s is %i', async (value, status) => {
    expect((await served.fetch(`/v1/things?as_of=${value}`)).status).toBe(status);
  });

  it('comes after problems of form', async () => {
    expect((await served.fetch('/v1/things?as_of=yesterday&limit=0')).status).toBe(422);
    expect((await served.fetch('/v1/things?as_of=2026-01-01T00:00:00Z&as_of_basis=guessed')).status).toBe(422);
  });
});

describe('a body', () => {
  it('that is no JSON is 400', async () => {
    for (const body of ['{', '{"name":"x"} x', 'undefined', '\0', new Uint8Array([0xff, 0xfe])]) {
      const response = await served.post('/v1/things', body);
      expect([response.status, await codeOf(response)]).toEqual([400, 'bad_request']);
    }
  });

  it('of another type is 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '', 'application/jsonx', 'nonsense']) {
      const response = await served.post('/v1/things', '{"name":"x"}', { 'content-type': type });
      expect([response.status, await codeOf(response)]).toEqual([415, 'unsupported_media_type']);
    }
    const encoded = await served.post('/v1/things', '{"name":"x"}', { 'content-encoding': 'compress' });
    expect(encoded.status).toBe(415);
    const charset = await served.post('/v1/things', '{"name":"x"}', {
      'content-type': 'application/json; charset=koi8-r',
    });
    expect(charset.status).toBe(415);
  });

  it('may name its charset, and be compressed', async () => {
    const plain = await served.post(
      '/v1/things',
      { name: 'é' },
      { 'content-type': 'Application/JSON ; charset=utf-8' },
    );
    expect(plain.status).toBe(201);
    const small = await served.post('/v1/things', gzipSync('{"name":"x"}'), { 'content-encoding': 'gzip' });
    expect(small.status).toBe(201);
  });

  it('over 1 MiB is 413, compressed or not, with or without its length', async () => {
    const large = JSON.stringify({ name: 'x', more: 'y'.repeat(1024 * 1024) });
    for (const response of [
      await served.post('/v1/things', large),
      await served.post('/v1/things', gzipSync(large), { 'content-encoding': 'gzip' }),
    ]) {
      expect([response.status, await codeOf(response)]).toEqual([413, 'payload_too_large']);
      expect(response.headers.get('x-credits-used')).toBe('0');
    }
    const head = `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${served.key}\r\nConnection: close\r\n`;
    const chunked = `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n`;
    expect(await exchange(served.port, `${head}${chunked}${large}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ['nothing', undefined, ['body', 'name'], 'missing'],
    ['an array', [], ['body'], 'invalid_type'],
    ['null', null, ['body'], 'invalid_type'],
    ['a number', 5, ['body'], 'invalid_type'],
    ['a member of another type', { name: 5 }, ['body', 'name'], 'invalid_type'],
    ['a text in the place of a boolean', { name: 'x', fast: 'true' }, ['body', 'fast'], 'invalid_type'],
    ['a text in the place of a number', { name: 'x', parts: [1, '2'] }, ['body', 'parts', 1], 'invalid_type'],
    ['too many items', { name: 'x', parts: [1, 2, 3, 4] }, ['body', 'parts'], 'too_big'],
  ])('of the wrong shape is 422: %s', async (_, body, loc, type) => {
    const response = await served.fetch('/v1/things', {
      method: 'POST',
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(422);
    expect(await fieldErrors(response)).toEqual([expect.objectContaining({ loc, type })]);
  });

  it('of an operation without one is not read, but its size is limited', async () => {
    const send = (body: string) => served.fetch('/v1/things/5', { method: 'DELETE', body });
    expect((await send('not JSON')).status).toBe(204);
    expect((await send('x'.repeat(1024 * 1024 + 1))).status).toBe(413);
  });
});

describe('the parts of an input', () => {
  const id = z.object({ id: z.int() });

  it('of no operation share a name: one of the two would go unheard', () => {
    for (const operation of operations) expect(() => createInputReader(operation), operation.name).not.toThrow();
    expect(operations.length).toBeGreaterThan(20);
  });

  it.each<[string, Parameters<typeof createInputReader>[0]['input'], string]>([
    ['path and query', { path: id, query: z.object({ id: z.string() }) }, 'id'],
    [
      'query and body',
      { query: z.object({ sort: z.string() }), body: z.object({ sort: z.string().optional() }) },
      'sort',
    ],
    ['path and one form of a body', { path: id, body: z.union([z.object({ a: z.int() }), id]) }, 'id'],
    ['path and a body that takes anything', { path: id, body: z.looseObject({}) }, 'id'],
    ['an open query and a body', { query: z.looseObject({}), body: z.object({ name: z.string() }) }, 'name'],
  ])('that share one make no reader: %s', (_, input, name) => {
    expect(() => createInputReader({ input })).toThrow(new RegExp(`^${name} `));
  });

  it('may be open where there is no other', () => {
    expect(createInputReader({ input: { body: z.looseObject({}) } }).fromArguments({ id: 5 })).toEqual({
      input: { id: 5 },
    });
  });
});

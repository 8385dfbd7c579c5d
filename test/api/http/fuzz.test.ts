import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projections } from '../../../projections/index.ts';
import { parametersOf } from '../../../src/api/calls/operation/operation-input.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { exchange, type Served, serve } from './serving.ts';
import { toys } from './toys.ts';

let served: Served;
beforeAll(async () => {
  const store = createMemoryStore();
  for (const projection of projections) await store.prepare(projection, 'v1');
  // The toy of id 13 fails on purpose.
  const sound = toys.map((toy) => (toy.name === 'get_thing' ? { ...toy, path: '/v1/toys/{id}' } : toy));
  served = await serve({ operations: [...sound, ...operations], context: { store } });
  // Streams read what is projected.
  await served.runner.start();
});
afterAll(() => served.close());

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const STATUS = /^HTTP\/1\.1 (\d{3}) /;
const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PROPFIND',
  'BREW',
  'get',
];
const HOSTILE = [
  '%00',
  '%',
  '%zz',
  '%ff',
  '//',
  '/..',
  '\\',
  '{id}',
  ':id',
  '__proto__',
  "'",
  '%2e%2e',
  '?',
  '&',
  '=',
  '#',
  'é',
];

// Bytes that would end the request line or a header, and so make it another request altogether, are left out.
const line = (max: number) =>
  fc
    .array(
      fc.oneof(
        fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
        fc.constantFrom(...HOSTILE),
      ),
      { maxLength: max },
    )
    .map((parts) => parts.join('').replaceAll(/[\r\n\0 ]/g, ''));
const id = fc.oneof(fc.constantFrom('1', '-1', '9'.repeat(30), '007', ''), line(6));
const path = fc.oneof(
  fc.tuple(fc.constantFrom(...operations, ...toys), id).map(([operation, one]) => operation.path.replace('{id}', one)),
  fc
    .tuple(fc.constantFrom('/v1/events/', '/v1/', '/', '/docs/errors/', '*', ''), line(12))
    .map((parts) => parts.join('')),
  line(20),
);
const names = [...operations, ...toys].flatMap(({ input }) => Object.keys(parametersOf(input.query)));
const value = fc.oneof(
  line(8),
  fc.constantFrom(
    'true',
    '1',
    '100',
    '-1',
    '2026-01-31',
    '2026-01-31T00:00:00Z',
    'nba',
    'all',
    'final',
    'status',
    '9'.repeat(20),
  ),
);
const query = fc
  .array(
    fc.tuple(fc.constantFrom(...names, 'api_key', '__proto__', 'x[]'), value).map((pair) => pair.join('=')),
    { maxLength: 5 },
  )
  .map((all) => all.join('&'));
const header = fc.tuple(
  fc.constantFrom(
    'If-None-Match',
    'X-Request-Id',
    'Accept',
    'Cookie',
    'Range',
    'Content-Encoding',
    'Expect',
    'Upgrade',
    'Content-Type',
    'Forwarded',
  ),
  fc.oneof(line(20), fc.constantFrom('application/json', 'gzip', 'bytes=0-1', '"', 'W/"', '100-continue', 'websocket')),
);
const body = fc.oneof(
  fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc
    .record({ event_ids: fc.anything(), as_of: fc.anything(), name: fc.anything() }, { requiredKeys: [] })
    .map((value) => Buffer.from(safeJson(value))),
  // Few bytes make a deep nesting: 20 kB of it must not exhaust a stack.
  fc.constant(Buffer.from('['.repeat(20_000))),
);
const safeJson = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '{}';
  }
};

it('answers no request with a 5xx, and goes on', async () => {
  const request = fc.record({
    method: fc.constantFrom(...METHODS),
    path,
    query,
    headers: fc.array(header, { maxLength: 4 }),
    body,
    hasKey: fc.boolean(),
    hasType: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(request, async (one) => {
      const head = [
        `${one.method} ${one.path}${one.query === '' ? '' : `?${one.query}`} HTTP/1.1`,
        'Host: x',
        'Connection: close',
        ...(one.hasKey ? [`Authorization: Bearer ${served.key}`] : []),
        ...(one.hasType ? ['Content-Type: application/json'] : []),
        ...one.headers.map(([key, value]) => `${key}: ${value}`),
        `Content-Length: ${one.body.length}`,
      ];
      const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), one.body]);
      const answer = (await exchange(served.port, bytes)).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
      const status = Number(STATUS.exec(answer)?.[1]);
      expect(status >= 200 && status < 500 ? 'typed' : `${status}`).toBe('typed');
      if (status >= 400 && one.method !== 'HEAD' && status !== 431 && status !== 417) {
        const text = answer.slice(answer.indexOf('\r\n\r\n') + 4);
        expect(JSON.parse(text)).toMatchObject({ error: { status, code: expect.any(String) } });
      }
    }),
    {
      numRuns: 400,
      // A stream that is answered never ends by itself.
      examples: [
        [
          {
            method: 'GET',
            path: '/v1/stream',
            query: '',
            headers: [],
            body: Buffer.alloc(0),
            hasKey: true,
            hasType: false,
          },
        ],
      ],
    },
  );
  expect((await served.fetch('/v1/things')).status).toBe(200);
});

it('answers bytes that are no request', async () => {
  // Empty lines may stand before a request, for which the server then waits until its time for headers ends.
  const begun = fc.uint8Array({ minLength: 1, maxLength: 100 }).filter((bytes) => !/^[\r\n]*$/.test(toText(bytes)));
  await fc.assert(
    fc.asyncProperty(begun, async (bytes) => {
      // Two empty lines end whatever these bytes began.
      const answer = await exchange(served.port, Buffer.concat([bytes, Buffer.from('\r\n\r\n\r\n\r\n')]));
      expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    }),
    {
      numRuns: 100,
      examples: [
        [Buffer.from('GET / HTTP/1.1')],
        [Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: ${'y'.repeat(40_000)}`)],
      ],
    },
  );
  expect((await served.fetch('/v1/things')).status).toBe(200);
});

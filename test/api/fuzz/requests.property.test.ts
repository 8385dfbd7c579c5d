import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../../src/api/operations/index.ts';
import { introductions, messageOf } from '../../system/properties/world.ts';
import { HOSTILE_TEXTS, hostileJson, hostileValue } from './hostile.ts';
import { FUZZ_RUNS, FUZZ_SEED, type Random, randomOf } from './random.ts';
import { INGEST_KEY, type ServedAll, serveAll } from './serving.ts';

let served: ServedAll;
beforeAll(async () => {
  served = await serveAll();
  const random = randomOf(1);
  const draws = Array.from({ length: 300 }, () => ({
    kind: random.below(20),
    event: random.below(6),
    source: random.below(5),
    at: random.below(14),
    variant: random.below(64),
    other: random.below(64),
    turned: random.chance(0.5),
  }));
  await served.server.accept([...introductions(), ...draws.map(messageOf)]);
  await served.server.projected();
});
afterAll(() => served.close());

const LONG = 60_000 + FUZZ_RUNS * 20;
const PATHS = [...new Set(operations.map(({ path }) => path))];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'BREW', 'get'];
const PARAMETERS = [
  ...['sport', 'league', 'status', 'date', 'from', 'to', 'season_id', 'team_id', 'after_id', 'limit', 'sort', 'q'],
  ...['include_scores', 'include_odds', 'include_alts', 'include_intelligence', 'bookmaker', 'as_of', 'as_of_basis'],
  ...['exclude_status', 'current_only', 'active_only', 'has_recommend', 'country', '__proto__', 'constructor', 'x[]'],
];
const VALUES = [
  ...['nfl', 'tennis', 'all', 'true', 'false', 'TRUE', '1', '0', '-1', '1.5', '1e3', '0x10', '99999999999999999999'],
  ...['2026-09-10', '2026-02-30', '2026-09-10T00:00:00Z', '9999-12-31T23:59:59Z', 'observed', 'recorded', 'time'],
  ...['pinnacle,fanduel', ',,,', 'a'.repeat(3000), '%00', '%', '%zz', '%ff%fe', '%F0%9F%98%80', '+', '%2e%2e%2f', 'é'],
];
const SEGMENTS = [
  ...[
    '1',
    '0',
    '-1',
    '1000000001',
    '99999999999999999999999',
    '1.0',
    '01',
    '1e3',
    ' ',
    '%31',
    '%00',
    '%',
    '%zz',
    '%ff',
  ],
  ...[
    '..',
    '.',
    '%2e%2e',
    '__proto__',
    'constructor',
    '{id}',
    ':id',
    '*',
    'batch',
    'a'.repeat(5000),
    'é',
    '%C3%A9',
    ';',
    '1;x=1',
  ],
];

function targetOf(random: Random): string {
  const { pick, chance } = random;
  const ids = [1, 2, 3, 4, 5, 6, 7].map((n) => String(1_000_000_000 + n));
  const template = chance(0.9)
    ? pick([...PATHS, '/ingest/v1/messages', '/healthz', '/openapi.json', '/docs/errors/{code}'])
    : pick(['/', '//', '/v1', '/v1/', '*', '/v1/%', 'http://x/v1/events', '/x']);
  let path = template.replaceAll(/\{\w+\}/g, () => (chance(0.6) ? pick(ids) : pick(SEGMENTS)));
  if (chance(0.05)) path += pick(['/', '//', '/x', '.json', '%2f', '#x']);
  const query = Array.from({ length: random.below(4) }, () => {
    const name = chance(0.9) ? pick(PARAMETERS) : encodeURIComponent(short(pick(HOSTILE_TEXTS)));
    return `${name}${chance(0.95) ? '=' : ''}${chance(0.8) ? pick(VALUES) : encodeURIComponent(short(pick(HOSTILE_TEXTS)))}`;
  });
  if (query.length > 0 && chance(0.1)) query.push(query[0]!);
  return query.length === 0 ? path : `${path}?${query.join(pick(['&', '&', '&', ';', '&&']))}`;
}
const short = (text: string): string => text.slice(0, 400).replaceAll(/\p{Surrogate}/gu, '');

const HEADERS = [
  ...[
    'Accept: text/html',
    'Accept-Encoding: gzip;q=0',
    'If-None-Match: *',
    'If-None-Match: "x", W/"y"',
    'If-None-Match: ',
  ],
  ...['X-Request-Id: ' + 'r'.repeat(500), 'X-Request-Id: é', 'X-Request-Id: a b', 'Cookie: a=b', 'Range: bytes=0-1'],
  ...[
    'Expect: 100-continue',
    'Expect: x',
    'Upgrade: websocket',
    'Connection: upgrade',
    'X-HTTP-Method-Override: DELETE',
  ],
  ...['Host: other', 'Forwarded: for=x', 'X-Forwarded-Proto: https', 'Content-Length: 5', 'Content-Length: -1'],
  ...[
    'Content-Length: 99999999999',
    'Content-Length: 1, 2',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
  ],
  ...[
    'Transfer-Encoding: identity',
    'Content-Encoding: br',
    'Content-Encoding: gzip, gzip',
    'Content-Type: text/plain',
  ],
  ...[
    'Content-Type: application/json; charset=utf-16',
    'Content-Type: ;',
    'Authorization: Bearer x',
    'Authorization: Basic x',
  ],
  ...[
    ' folded: x',
    'no-colon',
    ': no name',
    'a b: c',
    'X-Big: ' + 'y'.repeat(20_000),
    '__proto__: x',
    'constructor: x',
  ],
];

interface Body {
  readonly bytes: Buffer;
  readonly headers: readonly string[];
}

function bodyOf(random: Random): Body {
  const { pick, chance, below } = random;
  const batch = {
    event_ids: chance(0.7) ? [1_000_000_001, pick([1, 2, 1_000_000_002])] : hostileValue(random),
    include_odds: chance(0.5),
    ...(chance(0.4) ? { [pick(PARAMETERS)]: hostileValue(random) } : {}),
  };
  const bytes = pick([
    () => Buffer.from(hostileJson(batch)),
    () => Buffer.from(hostileJson(hostileValue(random))),
    () => Buffer.from(hostileJson(pick(introductions()))),
    () => random.bytes(below(80)),
    () => Buffer.from('['.repeat(20_000)),
    () => Buffer.from('{"event_ids":[1],"event_ids":[2],"__proto__":{"event_ids":[3]}}'),
    () => Buffer.alloc(0),
  ])();
  const type = pick([
    'application/json',
    'application/json',
    'application/x-ndjson',
    'application/json; charset=utf-8',
    'text/plain',
  ]);
  const headers = [`Content-Type: ${type}`];
  let sent = bytes;
  if (chance(0.15)) {
    headers.push('Content-Encoding: gzip');
    sent = gzipSync(bytes);
    if (chance(0.5)) sent = sent.subarray(0, below(sent.length));
  }
  if (chance(0.25)) return { bytes: chunked(sent, random), headers: [...headers, 'Transfer-Encoding: chunked'] };
  // Now and then the body is shorter or longer than its head says.
  const length = chance(0.9) ? sent.length : below(sent.length * 2 + 2);
  return { bytes: sent, headers: [...headers, `Content-Length: ${length}`] };
}

function chunked(bytes: Buffer, random: Random): Buffer {
  const cut = random.below(bytes.length + 1);
  const parts = [bytes.subarray(0, cut), bytes.subarray(cut)].filter((part) => part.length > 0);
  const whole = Buffer.concat([
    ...parts.map((part) => Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])),
    Buffer.from('0\r\n\r\n'),
  ]);
  if (random.chance(0.6)) return whole;
  const broken = Buffer.from(whole);
  if (random.chance(0.5)) return broken.subarray(0, random.below(broken.length));
  broken[random.below(Math.min(broken.length, 4))] = random.pick([0x7a, 0x2d, 0x0d, 0x66]);
  return broken;
}

function requestOf(random: Random): { method: string; bytes: Buffer } {
  const { pick, chance } = random;
  const method = pick(METHODS);
  const key = chance(0.15) ? pick(['', 'x', '\u00ff', INGEST_KEY]) : chance(0.3) ? INGEST_KEY : served.key;
  const body = method === 'POST' || chance(0.1) ? bodyOf(random) : { bytes: Buffer.alloc(0), headers: [] };
  const headers = [
    ...(chance(0.97) ? ['Host: x'] : []),
    'Connection: close',
    `Authorization: Bearer ${key}`,
    `X-Forwarded-For: 10.0.${random.below(256)}.${random.below(256)}`,
    ...body.headers,
    ...Array.from({ length: chance(0.3) ? 1 + random.below(2) : 0 }, () => pick(HEADERS)),
  ];
  const line = `${method} ${targetOf(random)} HTTP/${chance(0.97) ? '1.1' : pick(['1.0', '2.0', '9.9', 'x'])}`;
  const head = Buffer.from(`${[line, ...headers].join('\r\n')}\r\n\r\n`, 'utf8');
  const bytes = Buffer.concat([head, body.bytes]);
  if (chance(0.03)) return { method, bytes: bytes.subarray(0, random.below(bytes.length)) };
  return { method, bytes };
}

/** Sends bytes and the end of them, and gives back all that comes. */
function exchange(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port: served.port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.on('end', () => socket.destroy());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });
}

/** Of statuses that Node gives before a request can be read; they have no body. */
const BARE = new Set([408, 413, 417, 431]);
const STATUS = /^HTTP\/1\.1 (\d{3}) /;

/** The first answer; whatever the rest of the bytes was taken for comes behind it. */
function firstAnswer(
  bytes: Buffer,
): { readonly status: number; readonly head: string; readonly body: string } | undefined {
  const text = bytes.toString('latin1').replace(/^(?:HTTP\/1\.1 (?:100 Continue|102 Processing)\r\n\r\n)+/, '');
  if (text === '') return undefined;
  const end = text.indexOf('\r\n\r\n') + 4;
  const head = text.slice(0, end);
  const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0);
  const body = Buffer.from(text.slice(end, end + length), 'latin1').toString('utf8');
  return { status: Number(STATUS.exec(head)?.[1]), head, body };
}

function checkAnswer(method: string, bytes: Buffer): void {
  const answer = firstAnswer(bytes);
  // Nothing at all: the request ended before it was one, and nobody was there any more.
  if (answer === undefined) return;
  const { status, head, body } = answer;
  expect(status >= 200 && status < 500 ? 'typed' : head + body.slice(0, 300)).toBe('typed');
  if (status < 400 || method === 'HEAD' || (body === '' && BARE.has(status))) return;
  // Whoever asks for HTML at a path that nobody has is told in a page.
  if (/\r\ncontent-type: text\/html/i.test(head)) {
    const [, requestId] = /\r\nx-request-id: ([^\r]+)\r\n/i.exec(head)!;
    expect(body).toContain(`Status ${status}. Request ${requestId}.`);
    return;
  }
  const refusal = JSON.parse(body) as { error?: object; received?: number };
  if (refusal.error) {
    const text = expect.any(String);
    expect(refusal.error).toMatchObject({ status, code: text, message: text, request_id: text });
  } else {
    // The outcome report of a batch that was refused whole.
    expect(refusal).toMatchObject({
      received: expect.any(Number),
      rejected: refusal.received,
      errors: expect.any(Array),
    });
  }
}

it(
  'answers every request, however broken, with something typed, and goes on',
  async () => {
    let answered = 0;
    for (let run = 0; run < FUZZ_RUNS; run++) {
      const seed = FUZZ_SEED + run;
      const { method, bytes } = requestOf(randomOf(seed));
      const answer = await exchange(bytes);
      if (answer.length > 0) answered++;
      try {
        checkAnswer(method, answer);
        if (run % 250 === 0) expect(await served.known()).toBe(true);
      } catch (error) {
        throw new Error(`FUZZ_SEED=${seed} FUZZ_RUNS=1: ${bytes.subarray(0, 2000).toString('latin1')}`, {
          cause: error,
        });
      }
    }
    expect(await served.known()).toBe(true);
    expect(answered).toBeGreaterThan(FUZZ_RUNS * 0.9);
    expect(served.logged).toEqual([]);
  },
  LONG,
);

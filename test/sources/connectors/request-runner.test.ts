import { createGzip, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Intake } from '../../../src/ingest/intake/intake.ts';
import type { ArchivedAnswer } from '../../../src/sources/connectors/answer-archive.ts';
import { createConnectorFigures } from '../../../src/sources/connectors/connector-figures.ts';
import { createAnswerCache } from '../../../src/sources/connectors/provider-answer-cache.ts';
import { createProviderClient } from '../../../src/sources/connectors/provider-client.ts';
import { openTransport } from '../../../src/sources/connectors/provider-transport.ts';
import { createRecentMessages } from '../../../src/sources/connectors/recent-messages.ts';
import { createRequestRunner } from '../../../src/sources/connectors/request-runner.ts';
import { UnknownAnswerShape } from '../../../src/sources/provider-base/provider.ts';
import { createScoreGuard } from '../../../src/sources/provider-base/score-guard.ts';
import { createTimers, type Timers } from '../../api/streams/timers.ts';
import { fakeHost, json, toyProvider } from './fake-provider.ts';
import { question } from './toys.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const KEY = 'secret-key-of-the-operator';
const messages = [{ kind: 'score', ref: '1', status: 'inprogress' }];

let host: Awaited<ReturnType<typeof fakeHost>>;
let timers: Timers;
let clock: number;
beforeEach(async () => {
  host = await fakeHost(json({ messages }));
  timers = createTimers();
  clock = NOW;
});
afterEach(() => host.close());

function asking() {
  const figures = createConnectorFigures();
  const taken: any[] = [];
  const archived: ArchivedAnswer[] = [];
  const errors: unknown[] = [];
  const provider = toyProvider(() => []);
  const intake: Intake = {
    async accept(items) {
      taken.push(...items.map((item) => (item as { value: unknown }).value));
      return { outcomes: items.map(({ line }) => ({ line, status: 'accepted' as const })), positions: new Map() };
    },
  };
  const parts = { address: host.address, key: { name: 'apiKey', value: KEY }, figures, intake, provider };
  const ask = createRequestRunner({
    ...parts,
    client: createProviderClient({
      transport: openTransport(),
      timeoutMs: 10_000,
      now: () => clock,
      steadyNow: timers.now,
      setTimer: timers.setTimer,
      userAgent: 'Ledgerline/0',
    }),
    name: 'espn',
    guard: createScoreGuard(1),
    answerCache: createAnswerCache(),
    recentMessages: createRecentMessages(),
    archive: { add: (answer) => archived.push(answer), pack: async () => {}, close: async () => {} },
    now: () => clock,
    onError: (error) => errors.push(error),
  });
  const health = () => figures.health('ok', clock);
  return {
    ask: (signal = new AbortController().signal) => ask(question('a', { query: { dates: '20261123' } }), signal),
    figures,
    taken,
    archived,
    errors,
    provider,
    health,
  };
}

describe('a whole answer', () => {
  it('given 200 and JSON, is handed over with the time of its head less its age, and archived without the key', async () => {
    host.answerWith(json({ messages }, { Age: '7', 'x-requests-last': '3', 'x-requests-remaining': '97' }));
    const one = asking();
    expect(await one.ask()).toEqual({
      result: 'success',
      hostFailed: false,
      drift: [],
      quota: { last: 3, remaining: 97 },
    });
    expect(one.taken).toEqual([{ source: 'espn', at: '2026-11-23T11:59:53.000Z', ...messages[0] }]);
    expect(host.asked[0]!.url).toBe(`/a?apiKey=${KEY}&dates=20261123`);
    expect(host.asked[0]!.headers['user-agent']).toBe('Ledgerline/0');
    expect(one.archived).toEqual([
      {
        received_at: '2026-11-23T12:00:00.000Z',
        url: `${host.address}/a?apiKey=***&dates=20261123`,
        status: 200,
        headers: expect.objectContaining({ age: '7', 'content-type': 'application/json' }),
        body: JSON.stringify({ messages }),
      },
    ]);
    expect(JSON.stringify([one.archived, one.health()])).not.toContain(KEY);
  });

  it('given gzip, is read', async () => {
    host.answerWith((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify({ messages })));
    });
    const one = asking();
    await one.ask();
    expect([one.taken.length, host.asked[0]!.headers['accept-encoding']]).toEqual([1, expect.stringContaining('gzip')]);
  });

  it('given an event that cannot be read and a member that drifts, takes the others, and says so', async () => {
    host.answerWith(
      json({
        messages,
        rejected: [{ code: 'x', message: 'y' }],
        drift: [{ path: 'events.date', problem: 'is absent' }],
      }),
    );
    const one = asking();
    expect((await one.ask())?.drift).toEqual(['events.date: is absent']);
    expect(one.taken.length).toBe(1);
    expect(one.health()).toMatchObject({ rejected: 1, messages: 1, failures: 0, last_error: { code: 'drift' } });
  });
});

describe('what is the same again', () => {
  it('given the same content within a minute, sends nothing; after it, once', async () => {
    const one = asking();
    for (const seconds of [0, 15, 30, 45, 59, 60, 75]) {
      clock = NOW + seconds * 1000;
      await one.ask();
    }
    expect(one.taken.map(({ at }) => at.slice(14, 19))).toEqual(['00:00', '01:00']);
  });

  it('given an ETag, asks with it, and a 304 reconfirms by the same rule', async () => {
    host.answerWith((request, response) => {
      const known = request.headers['if-none-match'] === '"v1"';
      response.writeHead(known ? 304 : 200, { etag: '"v1"', 'last-modified': 'Mon, 23 Nov 2026 11:00:00 GMT' });
      response.end(known ? undefined : JSON.stringify({ messages }));
    });
    const one = asking();
    for (const seconds of [0, 30, 60, 90]) {
      clock = NOW + seconds * 1000;
      expect(await one.ask()).toMatchObject({ result: 'success', hostFailed: false });
    }
    expect(host.asked[1]!.headers['if-modified-since']).toBe('Mon, 23 Nov 2026 11:00:00 GMT');
    expect(one.taken.map(({ at }) => at.slice(14, 19))).toEqual(['00:00', '01:00']);
    expect([...one.figures.requestsByOutcome]).toEqual([
      ['ok', 1],
      ['not_modified', 3],
    ]);
    expect(one.health().last_success_at).toBe('2026-11-23T12:01:30.000Z');
    expect(one.archived.length).toBe(1);
  });

  it('given an answer older than one that was taken, drops it and counts it', async () => {
    const one = asking();
    host.answerWith(json({ messages }, { 'last-modified': 'Mon, 23 Nov 2026 11:59:00 GMT' }));
    await one.ask();
    clock = NOW + 120_000;
    host.answerWith(json({ messages }, { 'last-modified': 'Mon, 23 Nov 2026 11:58:00 GMT' }));
    expect(await one.ask()).toMatchObject({ result: 'success', hostFailed: false });
    expect(one.taken.length).toBe(1);
    expect(one.figures.requestsByOutcome.get('stale')).toBe(1);
    expect(one.health()).toMatchObject({ failures: 0, last_success_at: '2026-11-23T12:00:00.000Z' });
  });
});

describe('what is refused', () => {
  const status = (code: number, headers = {}, body: unknown = { error: 'no' }) => json(body, headers, code);
  it.each([
    ['500', status(500), { code: 'http_500', outcome: 'http_5xx', result: 'retry', hostFailed: true }],
    [
      '503 with Retry-After',
      status(503, { 'retry-after': '7' }),
      { code: 'http_503', outcome: 'http_5xx', result: 'retry', hostFailed: true, waitMs: 7000 },
    ],
    [
      '429 with a date',
      status(429, { 'retry-after': 'Mon, 23 Nov 2026 12:00:09 GMT' }),
      { code: 'http_429', outcome: 'http_429', result: 'retry', hostFailed: true, waitMs: 9000 },
    ],
    ['429 without', status(429), { code: 'http_429', outcome: 'http_429', result: 'failed', hostFailed: true }],
    ['404', status(404), { code: 'http_404', outcome: 'http_4xx', result: 'failed', hostFailed: false }],
    [
      'a redirect',
      status(302, { location: '/b' }),
      { code: 'http_302', outcome: 'http_3xx', result: 'failed', hostFailed: true },
    ],
    [
      'a key that is not known',
      status(401),
      { code: 'http_401', outcome: 'http_4xx', result: 'failed', hostFailed: false, refused: 'key' },
    ],
    [
      'a quota that is used up',
      status(401, {}, { error_code: 'OUT_OF_USAGE_CREDITS' }),
      { code: 'quota', outcome: 'http_4xx', result: 'failed', hostFailed: false, refused: 'quota' },
    ],
    [
      'no JSON',
      ((_: unknown, response: any) => response.end('<html>')) as never,
      { code: 'not_json', outcome: 'not_json', result: 'retry', hostFailed: true },
    ],
    [
      'JSON that is cut off',
      ((_: unknown, response: any) => response.end('{"messages": [')) as never,
      { code: 'not_json', outcome: 'not_json', result: 'retry', hostFailed: true },
    ],
    [
      'less than was announced',
      ((_: unknown, response: any) => {
        response.writeHead(200, { 'content-length': '5000' });
        response.write('{"messages": [');
        setImmediate(() => response.destroy());
      }) as never,
      { code: 'connection', outcome: 'connection', result: 'retry', hostFailed: true },
    ],
    [
      'gzip that is cut off',
      ((_: unknown, response: any) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(gzipSync(JSON.stringify({ messages })).subarray(0, 30));
      }) as never,
      {
        code: expect.stringMatching(/^(not_json|connection)$/),
        outcome: expect.anything(),
        result: 'retry',
        hostFailed: true,
      },
    ],
    ['another shape', json({ other: [] }), { code: 'drift', outcome: 'drift', result: 'failed', hostFailed: false }],
  ])('given %s, is dropped whole, and told', async (_, answering, { code, outcome, ...once }) => {
    host.answerWith(answering);
    const one = asking();
    const { quota, drift, ...rest } = (await one.ask())!;
    expect(rest).toEqual(once);
    expect(one.health().last_error?.code).toEqual(code);
    expect([...one.figures.requestsByOutcome.keys()]).toEqual([outcome]);
    expect([one.taken, host.asked.length, one.errors]).toEqual([[], 1, []]);
  });

  it('given more than 8 MiB, though it is packed, is dropped', async () => {
    host.answerWith((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.on('error', () => {});
      gzip.end(Buffer.alloc(9 * 1024 * 1024, ' '));
    });
    const one = asking();
    expect(await one.ask()).toMatchObject({ result: 'failed', hostFailed: true });
    expect(one.health().last_error).toEqual({ code: 'too_large', message: 'the answer is larger than 8 MiB' });
  });

  it('given no whole answer in time, though some of it came, is given up', async () => {
    let begun = (): void => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    host.answerWith((_, response) => {
      response.writeHead(200);
      response.write('{"messages": [', () => begun());
    });
    const one = asking();
    const asked = one.ask();
    await hasBegun;
    timers.advance(9999);
    timers.advance(1);
    expect(await asked).toMatchObject({ result: 'retry', hostFailed: true });
    expect(one.health().last_error).toEqual({ code: 'timeout', message: 'no whole answer within 10 s' });
    expect(timers.size).toBe(0);
  });

  it('given a host that cannot be reached, tells so without the key, and that nothing left', async () => {
    await host.close();
    const one = asking();
    expect(await one.ask()).toMatchObject({ result: 'retry', hostFailed: true, quota: 'notSent' });
    expect(one.health().last_error).toEqual({
      code: 'connection',
      message: 'the connection has failed (ECONNREFUSED)',
    });
    expect(one.archived).toMatchObject([{ status: null, headers: {}, body: null }]);
    host = await fakeHost(json({ messages }));
  });

  it('given that the server stops, is nothing', async () => {
    host.answerWith(() => {});
    const stopping = new AbortController();
    const one = asking();
    const asked = one.ask(stopping.signal);
    stopping.abort();
    expect(await asked).toBeUndefined();
    expect([one.health().requests, timers.size]).toEqual([0, 0]);
  });
});

it('given an answer that cannot be taken, the provider forgets what it told, and it is asked for whole', async () => {
  host.answerWith(json({ messages }, { etag: '"v1"' }));
  const one = asking();
  const broken = new UnknownAnswerShape('', 'no');
  one.provider.read = async function* () {
    yield { message: { kind: 'score' } };
    throw broken;
  };
  await one.ask();
  await one.ask();
  expect([one.taken, one.provider.forgotten, host.asked[1]!.headers['if-none-match']]).toEqual([[], 2, undefined]);
});

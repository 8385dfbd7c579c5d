import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUnauthenticatedLimits } from '../../../../src/api/http/requests/unauthenticated-limits.ts';
import { createDevelopmentPayments } from '../../../../src/platform/payments/development-payments.ts';
import { composed } from '../../../support/composed.ts';

let opened: Awaited<ReturnType<typeof composed>>;
beforeEach(async () => {
  opened = await composed({ settings: { livePage: true, ingestKey: 'door', trustProxy: ['127.0.0.0/8'] } });
  await opened.core.runner.start();
});
afterEach(() => opened.close());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly code: string | undefined;
}

/** @param from the client that a proxy tells of */
const ask = (path: string, from: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = { method, headers: { host: '127.0.0.1', 'x-forwarded-for': from, ...headers } };
    const asked = request(opened.url + path, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => {
        const isJson = response.headers['content-type']?.includes('json');
        const code = isJson ? JSON.parse(text).error?.code : undefined;
        resolve({ status: response.statusCode!, headers: response.headers, code });
      });
    });
    asked.on('error', reject);
    asked.end();
  });

async function askOften(times: number, path: string, from: string, headers: Record<string, string> = {}) {
  const answers = await Promise.all(Array.from({ length: times }, () => ask(path, from, headers)));
  return new Set(answers.map(({ status }) => status));
}

const ONE = '203.0.113.1';
const OTHER = '203.0.113.2';
const THIRD = '203.0.113.3';
const wrong = { authorization: 'Bearer llk_000000000000.0000000000000000000000000000000000000000000' };

describe('requests without a key', () => {
  /** The limits alone, with requests as the server gets them. */
  function limited(pathsWithOwnSecret: readonly string[] = []) {
    let time = 0;
    const limits = createUnauthenticatedLimits({ trustProxy: [], pathsWithOwnSecret, steadyNow: () => time });
    const requestOf = (url: string, remoteAddress: string) =>
      ({ url, socket: { remoteAddress }, headers: {} }) as unknown as IncomingMessage;
    return {
      admit: (url: string, from: string) => limits.admit(requestOf(url, from), {} as ServerResponse),
      admitFold: (from: string) => limits.admitFold(requestOf('/live/events/7/story', from)),
      wrongKey: (from: string) => limits.countWrongKey(requestOf('/v1/sports', from)),
      advance: (milliseconds: number) => {
        time += milliseconds;
      },
    };
  }
  const refusal = (seconds: number) => ({ code: 'rate_limit_exceeded', extras: { retry_after: seconds } });

  it('are 1,200 of an address in a sliding 60 seconds, over all routes and wrong keys together', () => {
    const { admit, wrongKey, advance } = limited();
    for (let i = 0; i < 600; i++) expect(admit('/docs', ONE)).toBeUndefined();
    advance(30_000);
    for (let i = 0; i < 300; i++) expect(admit(i % 2 === 0 ? '/' : '/nothing/here?x', ONE)).toBeUndefined();
    for (let i = 0; i < 300; i++) expect(wrongKey(ONE)).toBeUndefined();
    expect([admit('/docs', ONE), wrongKey(ONE)]).toMatchObject([refusal(30), refusal(30)]);
    expect([admit('/docs', OTHER), wrongKey(OTHER)]).toEqual([undefined, undefined]);
    advance(29_999);
    expect(admit('/docs', ONE)).toMatchObject(refusal(1));
    advance(1);
    expect(admit('/docs', ONE)).toBeUndefined();
  });

  it('count for one network of version 6', () => {
    const { admit } = limited();
    for (let i = 0; i < 1200; i++) admit('/docs', `2001:db8:0:1::${i.toString(16)}`);
    expect(admit('/docs', '2001:db8:0:1:ffff::2')).toMatchObject(refusal(60));
    expect(admit('/docs', '2001:db8:0:2::1')).toBeUndefined();
  });

  it('are never too many for the probes, and use up nothing of a key or another secret', () => {
    const { admit } = limited(['/ingest/v1/messages']);
    for (let i = 0; i < 1200; i++) admit('/docs', ONE);
    const paths = ['/healthz', '/readyz?x=1', '/v1/sports', '/api/agent/keys', '/ingest/v1/messages'];
    expect(paths.map((path) => admit(path, ONE))).toEqual(paths.map(() => undefined));
    expect(admit('/healthz/', ONE)).toMatchObject(refusal(60));
  });

  it('may fold 120 histories, and what is refused leaves no trace', () => {
    const { admit, admitFold, advance } = limited();
    for (let i = 0; i < 120; i++) expect(admitFold(ONE)).toBeUndefined();
    for (let i = 0; i < 2000; i++) expect(admitFold(ONE)).toMatchObject(refusal(60));
    expect(admitFold(OTHER)).toBeUndefined();
    for (let i = 0; i < 1200; i++) expect(admit('/live/events/7/story', ONE)).toBeUndefined();
    expect(admit('/live/events/7/story', ONE)).toMatchObject(refusal(60));
    advance(60_000);
    expect([admitFold(ONE), admit('/live/events/7/story', ONE)]).toEqual([undefined, undefined]);
  });
});

describe('the server', () => {
  it('refuses stories and wrong keys of an address that has made too many requests', async () => {
    expect(await askOften(120, '/live/events/7/story', ONE)).toEqual(new Set([404]));
    const refused = await ask('/live/events/7/story', ONE);
    expect([refused.status, refused.code, refused.headers['retry-after'], refused.headers['x-credits-used']]).toEqual([
      429,
      'rate_limit_exceeded',
      '60',
      '0',
    ]);
    for (const path of ['probabilities', 'intelligence', 'lines', 'stats']) {
      expect((await ask(`/live/events/8/${path}`, ONE)).status).toBe(429);
    }
    expect((await ask('/live/events/8?as_of=2026-03-01T12:00:00Z', ONE)).status).toBe(429);
    expect((await ask('/live/events/8', ONE)).status).toBe(404);
    expect((await ask('/live/events/7/story', OTHER)).status).toBe(404);
    const { key } = await opened.newKey();
    for (let i = 0; i < 10; i++) expect(await askOften(120, '/v1/sports', THIRD, wrong)).toEqual(new Set([401]));
    for (const path of ['/v1/sports', '/v1/nothing', '/ingest/v1/messages', '/v1/events/1/stream?api_key=x', '/docs']) {
      const { status, code, headers } = await ask(path, THIRD, wrong);
      expect([path, status, code, headers['retry-after']]).toEqual([path, 429, 'rate_limit_exceeded', '60']);
    }
    expect((await ask('/v1/sports', THIRD, { authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await ask('/healthz', THIRD)).status).toBe(200);
  });
});

describe('streams without a key', () => {
  it('are 10 of an address that are open', async () => {
    const open = (from: string) =>
      new Promise<{ status: number; retry: string | undefined; leave: () => Promise<void> }>((resolve, reject) => {
        const asked = request(
          `${opened.url}/live/stream`,
          { headers: { host: '127.0.0.1', 'x-forwarded-for': from }, agent: false },
          (response) => {
            response.on('error', () => {});
            response.resume();
            const gone = new Promise<void>((done) => response.once('close', done));
            const leave = async () => {
              asked.destroy();
              await gone;
            };
            resolve({ status: response.statusCode!, retry: response.headers['retry-after'], leave });
          },
        );
        asked.on('error', reject);
        asked.end();
      });
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(ONE)));
    expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const refused = await ask('/live/stream', ONE);
    expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([
      429,
      'stream_limit_exceeded',
      '30',
    ]);
    const other = await open(OTHER);
    expect(other.status).toBe(200);
    await streams[0]!.leave();
    // The server hears of it a moment later.
    await expect.poll(async () => (await open(ONE)).status).toBe(200);
    for (const { leave } of [...streams.slice(1), other]) await leave();
  });
});

it('unsigned notices count as wrong keys, those of the provider do not', async () => {
  await opened.close();
  const { InvalidNotice } = await import('../../../../src/platform/payments/payments.ts');
  const notices = {
    read: (_body: Buffer, signature: string | undefined) => {
      if (signature !== 'right') throw new InvalidNotice('no');
      return null;
    },
  };
  opened = await composed({
    settings: { trustProxy: ['127.0.0.0/8'] },
    payments: { ...createDevelopmentPayments(), notices },
  });
  for (let i = 0; i < 8; i++) await askOften(150, '/docs', ONE);
  const notice = (signature: string) => ask('/billing/stripe', ONE, { 'stripe-signature': signature }, 'POST');
  expect([(await notice('wrong')).status, (await notice('right')).status]).toEqual([429, 200]);
  opened.timers.advance(60_000);
  expect((await notice('wrong')).status).toBe(400);
});

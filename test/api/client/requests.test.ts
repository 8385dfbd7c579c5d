import { describe, expect, it, onTestFinished } from 'vitest';
import { realAmbient } from '../../../src/api/client/ambient.ts';
import { createClient, LedgerlineError } from '../../../src/api/client/index.ts';
import { envelope, json, scriptedClient } from './scripted-fetch.ts';

const failure = async (promise: Promise<unknown>): Promise<LedgerlineError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LedgerlineError);
  return error as LedgerlineError;
};

describe('a call', () => {
  it('puts arguments into path and query, and the key into its header', async () => {
    const { client, requests } = scriptedClient([json({ odds: 1 })]);

    const answer = await client.getOdds({ id: 7, bookmaker: 'fanduel,draft kings', as_of: '2026-01-31T18:00:00Z' });

    expect(answer).toEqual({ odds: 1 });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'GET', body: undefined });
    expect(requests[0]!.url).toBe(
      'https://sports.example/v1/events/7/odds?bookmaker=fanduel%2Cdraft+kings&as_of=2026-01-31T18%3A00%3A00Z',
    );
    expect([...requests[0]!.headers]).toEqual([['authorization', 'Bearer llk_1']]);
  });

  it('puts arguments into the body, those of the path aside', async () => {
    const { client, requests } = scriptedClient([json({ replayed: 1 })]);

    await client.replayWebhook({ id: 3, after_delivery_id: 9 });

    expect(requests[0]).toMatchObject({ method: 'POST', url: 'https://sports.example/v1/webhooks/3/replay' });
    expect(requests[0]!.body).toBe('{"after_delivery_id":9}');
    expect(requests[0]!.headers.get('content-type')).toBe('application/json');
  });

  it('leaves out what is undefined, in the query what is null, and what the operation does not know', async () => {
    const { client, requests } = scriptedClient([json({}), json({}), json({})]);

    await client.listEvents({ sport: undefined, league: null, limit: 0, nothing: 1 } as never);
    await client.createWebhook({ url: 'https://x.example', sport: null, event_types: undefined, nothing: 1 } as never);
    await client.listEvents();

    expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?limit=0', '', '']);
    expect(requests[1]!.body).toBe('{"url":"https://x.example","sport":null}');
  });

  it.each([undefined, null, '', '.', '..'])(
    'with %j in its path is not made: the path would be another',
    async (id) => {
      const { client, requests } = scriptedClient([json({})]);
      const missing = new TypeError('id must be given');
      await expect(client.getEvent({ id: id as never })).rejects.toThrow(missing);
      await expect(client.streamScores({ id: id as never }).next()).rejects.toThrow(missing);
      expect(requests).toEqual([]);
    },
  );

  it('with any other text in its path stays on that path', async () => {
    const { client, requests } = scriptedClient([json({})]);
    await client.getEvent({ id: '../1?a#b' as never });
    expect(requests[0]!.url).toBe('https://sports.example/v1/events/..%2F1%3Fa%23b');
  });

  it('resolves to undefined where there is nothing to answer', async () => {
    const { client } = scriptedClient([new Response(null, { status: 204 })]);
    expect(await client.deleteWebhook({ id: 1 })).toBeUndefined();
  });

  it.each([
    ['https://sports.example', 'https://sports.example/v1/health'],
    ['https://sports.example/', 'https://sports.example/v1/health'],
    ['http://127.0.0.1:3000/behind/a/proxy//?a#b', 'http://127.0.0.1:3000/behind/a/proxy/v1/health'],
  ])('of a server at %s goes to %s', async (baseUrl, url) => {
    const { client, requests } = scriptedClient([json({})], { baseUrl });
    await client.getHealth();
    expect(requests[0]!.url).toBe(url);
  });

  it('tells its options every HTTP answer', async () => {
    const seen: unknown[] = [];
    const onResponse = ({ status, headers }: Response) => void seen.push([status, headers.get('x-credits-used')]);
    const answers = [envelope(503, 'service_unavailable'), json({}, 200, { 'x-credits-used': '2' })];
    const { client } = scriptedClient(answers, { onResponse });

    await client.getHealth();

    expect(seen).toEqual([
      [503, null],
      [200, '2'],
    ]);
  });

  it('ends with what `onResponse` throws, and is not made again', async () => {
    const onResponse = () => {
      throw new Error('mine');
    };
    const { client, requests } = scriptedClient([json({}), json({})], { onResponse });
    await expect(client.getHealth()).rejects.toThrow('mine');
    expect(requests).toHaveLength(1);
  });

  it('uses the platform’s own fetch as it is at that moment', async () => {
    const before = globalThis.fetch;
    onTestFinished(() => {
      globalThis.fetch = before;
    });
    const client = createClient({ baseUrl: 'https://sports.example', apiKey: 'k' });
    globalThis.fetch = async () => json({ status: 'ok' });
    expect(await client.getHealth()).toEqual({ status: 'ok' });
  });
});

describe('a client', () => {
  it.each(['', 'sports.example', 'ftp://sports.example', undefined])('has no base address %j', (baseUrl) => {
    expect(() => createClient({ baseUrl: baseUrl as never, apiKey: 'k' })).toThrow(
      new TypeError('baseUrl must be an http or https URL'),
    );
  });

  it.each(['', 'a b', 'key\n', 'schlüssel', undefined])('has no key %j, and does not quote it', (apiKey) => {
    expect(() => createClient({ baseUrl: 'https://sports.example', apiKey: apiKey as never })).toThrow(
      new TypeError('apiKey must be the key, in visible ASCII characters'),
    );
  });
});

describe('a failure', () => {
  it('has what the envelope and the headers tell', async () => {
    const more = {
      retry_after: 7,
      errors: [{ loc: ['query', 'limit'], msg: 'must be at least 1', type: 'too_small' }],
    };
    const { client } = scriptedClient([envelope(422, 'validation_error', more)]);

    const error = await failure(client.listEvents({ limit: 0 }));

    expect(error).toMatchObject({
      name: 'LedgerlineError',
      message: 'says validation_error',
      status: 422,
      code: 'validation_error',
      requestId: 'made-1',
      retryAfter: 7,
    });
    expect(error.error).toMatchObject({ code: 'validation_error', errors: more.errors });
  });

  it.each([
    ['12', 12],
    ['0', 0],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', null],
  ])('with Retry-After %j tells %j seconds', async (value, seconds) => {
    const { client } = scriptedClient([envelope(429, 'rate_limit_exceeded', {}, { 'retry-after': value })], {
      maxRetries: 0,
    });
    expect((await failure(client.getHealth())).retryAfter).toBe(seconds);
  });

  it.each([
    ['<html>', 'unexpected_answer'],
    ['', 'unexpected_answer'],
    ['null', 'unexpected_answer'],
    ['{"error":"no"}', 'unexpected_answer'],
  ])('whose body is %j, of no Ledgerline, has a code too', async (text, code) => {
    const { client } = scriptedClient([new Response(text, { status: 404, headers: { 'x-request-id': 'r-1' } })]);
    expect(await failure(client.getHealth())).toMatchObject({
      status: 404,
      code,
      requestId: 'r-1',
      retryAfter: null,
      error: null,
      message: 'the answer is HTTP 404 without an error envelope',
    });
  });

  it('is a success without JSON', async () => {
    const { client, requests } = scriptedClient([new Response('<html>'), json({})]);
    expect(await failure(client.getHealth())).toMatchObject({ status: 200, code: 'unexpected_answer' });
    expect(requests).toHaveLength(1);
  });

  it('to connect has status 0, and its cause', async () => {
    const cause = new TypeError('fetch failed');
    const { client } = scriptedClient([cause], { maxRetries: 0 });
    const error = await failure(client.getEvent({ id: 1 }));
    expect(error).toMatchObject({ status: 0, code: 'network_error', message: 'GET /v1/events/1: fetch failed', cause });
  });
});

describe('a call that is given up', () => {
  it('rejects with the reason of its signal', async () => {
    const { client, requests } = scriptedClient([json({})]);
    const reason = new Error('no longer wanted');
    await expect(client.getHealth({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toEqual([]);
  });

  it('ends a wait at once', async () => {
    const { client, requests } = scriptedClient([envelope(503, 'service_unavailable'), json({})], {}, realAmbient);
    const given = new AbortController();
    const call = client.getHealth({}, { signal: given.signal });
    await expect.poll(() => requests.length).toBe(1);
    given.abort();
    await expect(call).rejects.toBe(given.signal.reason);
    expect(requests).toHaveLength(1);
  });
});

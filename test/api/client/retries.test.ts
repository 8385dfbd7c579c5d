import { describe, expect, it } from 'vitest';
import { realAmbient } from '../../../src/api/client/ambient.ts';
import type { Client } from '../../../src/api/client/index.ts';
import { envelope, json, type Scripted, scriptedClient } from './scripted-fetch.ts';

const broken = () => new TypeError('fetch failed');
const busy = (retryAfter?: string) =>
  envelope(429, 'rate_limit_exceeded', {}, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
const down =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    new Response('', { status, headers });

const read = (client: Client) => client.getHealth();
/** With an `Idempotency-Key`. */
const create = (client: Client) => client.createWebhook({ url: 'https://x.example' });
/** Without one. */
const batch = (client: Client) => client.batchGetEvents({ event_ids: [1] });
const remove = (client: Client) => client.deleteWebhook({ id: 1 });

/** What becomes of a call whose first answers are these: its waits, and whether it came through. */
async function outcome(call: (client: Client) => Promise<unknown>, answers: Scripted[], maxRetries?: number) {
  const { client, requests, waits } = scriptedClient(
    [...answers, json({})],
    maxRetries === undefined ? {} : { maxRetries },
  );
  const ended = await call(client).then(
    () => 'answered',
    (error: { status: number }) => error.status,
  );
  return { ended, waits: waits(), tries: requests.length };
}

describe('what is made again', () => {
  it.each([
    ['a broken connection', [broken(), broken()]],
    ['502', [down(502), down(502)]],
    ['503', [down(503), down(503)]],
    ['504', [down(504), down(504)]],
    ['one after the other', [broken(), down(504)]],
    ['a wait that 502 asks for', [down(502, { 'retry-after': '9' }), down(504, { 'retry-after': '9' })]],
    ['429 without a wait', [busy(), busy()]],
  ])('%s: after half a second, then after twice that', async (_, answers) => {
    expect(await outcome(read, answers)).toEqual({ ended: 'answered', waits: [500, 1000], tries: 3 });
  });

  it.each([
    ['429', [busy('3'), busy('0')]],
    ['503', [down(503, { 'retry-after': '3' }), down(503, { 'retry-after': '0' })]],
  ])('%s: after the time that it asks for', async (_, answers) => {
    expect(await outcome(read, answers)).toEqual({ ended: 'answered', waits: [3000, 0], tries: 3 });
  });

  it('an answer that breaks off', async () => {
    const cut = () => {
      const body = new ReadableStream({
        start: (controller) => controller.error(new TypeError('terminated')),
      });
      return new Response(body);
    };
    expect(await outcome(read, [cut])).toEqual({ ended: 'answered', waits: [500], tries: 2 });
  });

  it.each([
    ['a broken connection', broken(), 0],
    ['502', down(502), 502],
    ['503 that asks for a wait', down(503, { 'retry-after': '1' }), 503],
    ['504', down(504), 504],
  ])('%s: not where it could run twice', async (_, answer, status) => {
    expect(await outcome(create, [answer])).toMatchObject({ ended: 'answered', tries: 2 });
    expect(await outcome(batch, [answer])).toEqual({ ended: status, waits: [], tries: 1 });
    expect(await outcome(remove, [answer])).toEqual({ ended: status, waits: [], tries: 1 });
  });

  it('429: whatever was called, since nothing ran', async () => {
    for (const call of [read, create, batch, remove]) {
      expect(await outcome(call, [busy('1')])).toEqual({ ended: 'answered', waits: [1000], tries: 2 });
    }
  });

  it.each([400, 401, 402, 403, 404, 408, 422, 500])('%i never', async (status) => {
    expect(await outcome(read, [envelope(status, 'code', {}, { 'retry-after': '1' })])).toEqual({
      ended: status,
      waits: [],
      tries: 1,
    });
  });
});

describe('how often', () => {
  it.each([
    [undefined, 3],
    [0, 1],
    [4, 5],
  ])('maxRetries %j: tried %i times', async (maxRetries, tries) => {
    const answers = Array.from({ length: 9 }, broken);
    expect(await outcome(read, answers, maxRetries)).toMatchObject({ ended: 0, tries });
  });

  it('not after a wait of more than a minute: the error is thrown at once', async () => {
    expect(await outcome(read, [busy('60')])).toEqual({ ended: 'answered', waits: [60_000], tries: 2 });
    expect(await outcome(read, [busy('61')])).toEqual({ ended: 429, waits: [], tries: 1 });
    // Half a second, doubled seven times, is 64 seconds.
    const { ended, waits } = await outcome(read, Array.from({ length: 20 }, broken), 20);
    expect([ended, waits]).toEqual([0, [500, 1000, 2000, 4000, 8000, 16_000, 32_000]]);
  });
});

describe('the Idempotency-Key', () => {
  const keysOf = async (call: (client: Client) => Promise<unknown>, count = 1) => {
    const { client, requests } = scriptedClient([
      broken(),
      busy('0'),
      ...Array.from({ length: count }, () => json({})),
    ]);
    for (let made = 0; made < count; made++) await call(client);
    return requests.map(({ headers }) => headers.get('idempotency-key'));
  };

  it('is one for each call, the same over all its tries', async () => {
    expect(await keysOf(create, 2)).toEqual(['key-1', 'key-1', 'key-1', 'key-2']);
  });

  it('is the caller’s where one is given', async () => {
    const own = (client: Client) => client.topUpCredits({ pack_id: 1 }, { idempotencyKey: 'order 7' });
    expect(await keysOf(own)).toEqual(['order 7', 'order 7', 'order 7']);
  });

  it('goes to no operation that does not honour it', async () => {
    const given = (client: Client) => client.getHealth({}, { idempotencyKey: 'mine' });
    expect(await keysOf(given)).toEqual([null, null, null]);
  });

  it('is a UUID', async () => {
    const { client, requests } = scriptedClient([json({})], {}, { newKey: realAmbient.newKey });
    await create(client);
    expect(requests[0]!.headers.get('idempotency-key')).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
  });
});

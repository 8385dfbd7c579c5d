import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { freeCallsIn } from '../../accounts/recorded-calls.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { START } from '../http/serving.ts';
import { feedGames } from './games.ts';
import { metersOf, outcomeOf } from './metering.ts';
import { type AgentServer, serveAgent } from './serving.ts';

/* The sliding window of 60 seconds, as a client meets it: to the request, and to the millisecond. */

const WINDOW = 60_000;
const folder = temporaryFolder();
let server: AgentServer;
afterEach(() => server.close());

const ask = (key: string, path = '/api/agent/credits') => server.ask(path, { key });
const seconds = (time: number): number => Math.ceil(time / 1000);

describe('the window', () => {
  it('shows at each step what is left, and when the oldest call leaves', async () => {
    server = await serveAgent({ plans: DEFAULT_PLANS });
    const { key } = await server.newKey();
    // 20 calls at odd times, none in the same millisecond.
    const times = Array.from({ length: 20 }, (_, index) => START + index * 2371);
    for (const [index, time] of times.entries()) {
      server.clock.time = time;
      expect(metersOf(await ask(key))).toMatchObject({ limit: 20, left: 19 - index, reset: seconds(START + WINDOW) });
    }
    // Then each call passes exactly when the one 20 before it leaves.
    for (const time of times) {
      const leaves = time + WINDOW;
      for (const early of [leaves - 1001, leaves - 1000, leaves - 999, leaves - 1]) {
        server.clock.time = early;
        const refused = await ask(key);
        expect(outcomeOf(refused)).toBe('429 rate_limit_exceeded');
        const wait = seconds(leaves - early);
        expect(refused.body.error.retry_after).toBe(wait);
        expect(metersOf(refused)).toMatchObject({ left: 0, retryAfter: wait, reset: seconds(leaves) });
        // It is enough to wait for that long.
        expect(early + wait * 1000).toBeGreaterThanOrEqual(leaves);
      }
      server.clock.time = leaves;
      const passed = await ask(key);
      const next = time === times.at(-1) ? times[0]! + 2 * WINDOW : times[times.indexOf(time) + 1]! + WINDOW;
      expect([passed.status, metersOf(passed)]).toMatchObject([200, { left: 0, reset: seconds(next) }]);
      expect(outcomeOf(await ask(key))).toBe('429 rate_limit_exceeded');
    }
  });

  it('has room for as many as have left, when several leave at once', async () => {
    server = await serveAgent({ plans: DEFAULT_PLANS });
    const { key } = await server.newKey();
    for (let asked = 0; asked < 12; asked++) await ask(key);
    server.clock.time = START + 30_000;
    for (let asked = 0; asked < 8; asked++) await ask(key);
    server.clock.time = START + WINDOW - 1;
    expect(metersOf(await ask(key))).toMatchObject({ left: 0, retryAfter: 1 });
    server.clock.time = START + WINDOW;
    for (let left = 11; left >= 0; left--) {
      expect(metersOf(await ask(key))).toMatchObject({
        left,
        reset: seconds(START + 30_000 + WINDOW),
        retryAfter: null,
      });
    }
    expect(metersOf(await ask(key))).toMatchObject({ left: 0, retryAfter: 30 });
    // Nobody has called for a whole window: all of it is there.
    server.clock.time = START + 3 * WINDOW;
    expect(metersOf(await ask(key))).toMatchObject({ left: 19, reset: seconds(START + 4 * WINDOW) });
  });

  it('counts what is refused or free, and not what is refused with 429 or has no valid key', async () => {
    server = await serveAgent({ plans: DEFAULT_PLANS });
    const { full } = await feedGames(server);
    const { key } = await server.newKey();
    const tag = (await ask(key, '/v1/sports')).headers.get('etag')!;
    const counted: readonly (readonly [number, () => ReturnType<typeof ask>])[] = [
      [200, () => ask(key, '/v1/health')],
      [200, () => server.ask('/v1/sports', { key, method: 'HEAD' })],
      [304, () => server.ask('/v1/sports', { key, headers: { 'if-none-match': tag } })],
      [400, () => ask(key, '/v1/events?status=over')],
      [404, () => ask(key, '/v1/nothing')],
      [404, () => ask(key, `/v1/events/${full + 99}`)],
      [405, () => server.ask('/v1/sports', { key, method: 'OPTIONS' })],
      [415, () => server.post('/v1/events/batch', 'x', { key, headers: { 'content-type': 'text/plain' } })],
      [422, () => ask(key, '/v1/events/abc')],
      [422, () => ask(key, '/v1/events/abc/stream')],
    ];
    let left = 19;
    for (const [status, call] of counted) {
      const answer = await call();
      expect([answer.status, metersOf(answer).left]).toEqual([status, --left]);
    }
    await server.ask('/v1/sports', { key: `${key.slice(0, -2)}__` });
    await fetch(`${server.url}/healthz`, { headers: { authorization: `Bearer ${key}` } });
    await server.ask('/v1/sports', { key: server.key });
    for (; left > 0; left--) await ask(key);
    for (let refused = 0; refused < 30; refused++) expect((await ask(key)).status).toBe(429);
    server.clock.time = START + WINDOW;
    for (let passed = 0; passed < 20; passed++) expect((await ask(key)).status).toBe(200);
    expect((await ask(key)).status).toBe(429);
  });
});

describe('32 callers of one key at the same moment', () => {
  it.each(['/v1/sports', '/v1/health', '/v1/events?include_scores=true'])('of %s: exactly 20 pass', async (path) => {
    server = await serveAgent({ plans: DEFAULT_PLANS });
    const { key } = await server.newKey();
    /** Whoever meets too many at the same moment comes again, as Retry-After says; the clock stands. */
    const call = async (): Promise<string> => {
      for (;;) {
        const outcome = outcomeOf(await ask(key, path));
        if (outcome !== '429 concurrency_limit_exceeded') return outcome;
      }
    };
    const outcomes = await Promise.all(Array.from({ length: 32 }, call));
    expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === '429 rate_limit_exceeded')).toHaveLength(12);
    const price = path === '/v1/health' ? 0 : 1;
    server.clock.time = START + WINDOW - 1;
    expect((await ask(key)).status).toBe(429);
    server.clock.time = START + WINDOW;
    expect((await ask(key)).body.total_remaining).toBe(1000 - 20 * price);
  });
});

describe('after a restart', () => {
  it('the window goes on to the request and to the millisecond, and so does that of score polls', async () => {
    const file = folder.path('restart.db');
    server = await serveAgent({ plans: DEFAULT_PLANS, file });
    const { full } = await feedGames(server);
    const free = await server.newKey();
    const growth = await server.newKey({ plan: 'growth' });
    const at = (milliseconds: number) => {
      server.clock.time = START + milliseconds;
    };
    // Of all kinds: charged, free, not found, refused.
    const paths = ['/v1/sports', '/v1/health', '/v1/nothing', '/v1/events/abc', '/v1/events/987654'];
    for (let asked = 0; asked < 20; asked++) {
      at(asked * 7);
      await ask(free.key, paths[asked % paths.length]!);
    }
    for (let refused = 0; refused < 5; refused++) expect((await ask(free.key)).status).toBe(429);
    const score = `/v1/events/${full}/score`;
    for (let asked = 0; asked < 20; asked++) {
      at(1000 + asked);
      expect((await ask(growth.key, score)).status).toBe(200);
    }
    for (let refused = 0; refused < 5; refused++) expect((await ask(growth.key, score)).status).toBe(429);
    await server.close();

    server = await serveAgent({ plans: DEFAULT_PLANS, file, time: START + 30_000 });
    expect(metersOf(await ask(free.key))).toMatchObject({ left: 0, retryAfter: 30, reset: seconds(START + WINDOW) });
    expect(metersOf(await ask(growth.key, score))).toMatchObject({ limit: 120, left: 100, retryAfter: 31 });
    expect(metersOf(await ask(growth.key))).toMatchObject({ left: 99, reset: seconds(START + 1000 + WINDOW) });
    for (let asked = 0; asked < 20; asked++) {
      at(asked * 7 + WINDOW - 1);
      expect([asked, (await ask(free.key)).status]).toEqual([asked, 429]);
      at(asked * 7 + WINDOW);
      expect([asked, (await ask(free.key)).status]).toEqual([asked, 200]);
    }
    for (let asked = 0; asked < 20; asked++) {
      at(1000 + asked + WINDOW - 1);
      expect([asked, (await ask(growth.key, score)).status]).toEqual([asked, 429]);
      at(1000 + asked + WINDOW);
      expect([asked, (await ask(growth.key, score)).status]).toEqual([asked, 200]);
    }
  });

  it('openings of streams count too, and what is still open then', async () => {
    const file = folder.path('streams.db');
    server = await serveAgent({ plans: DEFAULT_PLANS, file });
    const { full, unknown } = await feedGames(server);
    const { key } = await server.newKey();
    await server.ask(`/v1/events/${full}/stream`, { key, method: 'HEAD' });
    await (await fetch(`${server.url}/v1/events/${unknown}/stream?api_key=${key}`)).text();
    const open = await fetch(`${server.url}/v1/events/${full}/stream?api_key=${key}`);
    expect(metersOf(open)).toMatchObject({ left: 17 });
    await server.close();
    await open.body!.cancel().catch(() => {});
    server = await serveAgent({ plans: DEFAULT_PLANS, file, time: START + WINDOW - 1 });
    expect(metersOf(await ask(key)).left).toBe(16);
    server.clock.time += 1;
    expect(metersOf(await ask(key)).left).toBe(18);
  });
});

it('of the calls that are refused one a second is noted, so that a client cannot fill the log', async () => {
  server = await serveAgent({ plans: DEFAULT_PLANS });
  const { key, record } = await server.newKey();
  for (let asked = 0; asked < 20; asked++) await ask(key);
  for (const time of [START, START + 400, START + 999, START + 1000, START + 1001]) {
    server.clock.time = time;
    for (let asked = 0; asked < 5; asked++) expect((await ask(key)).status).toBe(429);
  }
  await server.credits.flush();
  const records = await server.log.readStream(`calls-${record.accountId}`);
  const calls = freeCallsIn(records);
  expect(calls.filter(({ status }) => status === 200)).toHaveLength(20);
  const refused = calls.filter(({ status }) => status === 429).map(({ at }) => Date.parse(at) - START);
  expect(refused).toEqual([0, 1000]);
});

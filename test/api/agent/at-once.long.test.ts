import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/api/calls/operation/operation.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { openStream, type SseClient } from '../streams/sse-client.ts';
import { feedGames, type Games } from './games.ts';
import { type HeldRequest, holdRequest, look, metersOf, outcomeOf } from './metering.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from './serving.ts';

let server: AgentServer;
let games: Games;
let key: string;
beforeEach(async () => {
  server = await serveAgent({ plans: { enterprise: DEFAULT_PLANS['enterprise']! } });
  games = await feedGames(server);
  ({ key } = await server.newKey({ plan: 'growth' }));
  await look(server, key);
});
afterEach(() => server.close());

const IN_FLIGHT = 16;
const STREAMS = 5;

/** So many requests of a key whose heads the server has read, and no body. */
async function hold(count: number, by = key): Promise<HeldRequest[]> {
  const held: HeldRequest[] = [];
  for (let index = 0; index < count; index++) held.push(await holdRequest(server, by));
  return held;
}

const sports = (by = key) => server.ask('/v1/sports', { key: by });

describe('in flight', () => {
  it('16 requests of a key, from their heads being read; one more is refused and counts in no window', async () => {
    const held = await hold(IN_FLIGHT);
    for (const [path, method] of [
      ['/v1/sports', 'GET'],
      ['/api/agent/credits', 'GET'],
      ['/v1/events/batch', 'POST'],
      ['/v1/nothing', 'GET'],
      ['/v1/sports', 'OPTIONS'],
    ] as const) {
      const refused = await server.ask(path, { key, method });
      expect([path, outcomeOf(refused)]).toEqual([path, '429 concurrency_limit_exceeded']);
      expect([refused.body.error.retry_after, metersOf(refused).retryAfter]).toEqual([1, 1]);
      // One look, 16 that are held: the refused one is not counted.
      expect(metersOf(refused)).toMatchObject({ left: 10_000 - 17, used: 0, credits: 50_000 });
    }
    expect(await held[7]!.finish()).toBe(200);
    expect((await sports()).status).toBe(200);
    const last = await holdRequest(server, key);
    expect((await sports()).status).toBe(429);
    for (const one of [...held.slice(0, 7), ...held.slice(8), last]) expect(await one.finish()).toBe(200);
    expect((await look(server, key)).left).toBe(10_000 - 1 - 16 - 1 - 1 - 1);
  });

  it('16 concurrent calls, even with a key that was never used before', async () => {
    let release!: () => void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const listSports = operations.find(({ name }) => name === 'list_sports')!;
    const run: Operation['run'] = (input, context) => gate.then(() => listSports.run(input, context));
    const gated = operations.map((operation) => (operation === listSports ? { ...listSports, run } : operation));
    const own = await serveAgent({ operations: gated });
    const { key: cold } = await own.newKey({ plan: 'growth' });
    const outcomes: string[] = [];
    const calls = Array.from({ length: 3 * IN_FLIGHT }, async () => {
      outcomes.push(outcomeOf(await own.ask('/v1/sports', { key: cold })));
      // Those that are refused are told at once, while the others run.
      if (outcomes.length === 2 * IN_FLIGHT) release();
    });
    await Promise.all(calls);
    const refused = Array.from({ length: 2 * IN_FLIGHT }, () => '429 concurrency_limit_exceeded');
    expect(outcomes).toEqual([...refused, ...Array.from({ length: IN_FLIGHT }, () => '200')]);
    expect(await look(own, cold)).toEqual({ left: 10_000 - IN_FLIGHT - 1, credits: 50_000 - IN_FLIGHT });
    await own.close();
  });

  it('are each key’s own, also of one account, and on plans without any limit', async () => {
    const { key: enterprise, record } = await server.newKey({ plan: 'enterprise' });
    const { key: second } = await server.newKey({ account: { id: record.accountId } });
    await look(server, enterprise);
    const held = await hold(IN_FLIGHT, enterprise);
    expect(outcomeOf(await sports(enterprise))).toBe('429 concurrency_limit_exceeded');
    expect((await sports(second)).status).toBe(200);
    expect((await sports()).status).toBe(200);
    for (const one of held) expect(await one.finish()).toBe(200);
  });

  it('without an end for the operator’s own key', async () => {
    await look(server, BOOTSTRAP_KEY);
    const held = await hold(3 * IN_FLIGHT, BOOTSTRAP_KEY);
    expect((await sports(BOOTSTRAP_KEY)).status).toBe(200);
    for (const one of held) expect(await one.finish()).toBe(200);
  });

  it('a client that disconnects frees its slot', async () => {
    const held = await hold(IN_FLIGHT);
    for (const one of held) one.leave();
    // The server hears of it soon, of one after the other.
    const statuses = async () => Promise.all((await hold(IN_FLIGHT)).map((one) => one.finish()));
    await expect.poll(statuses, { timeout: 10_000 }).toEqual(held.map(() => 200));
  });

  it('a request that is refused for any other reason frees its slot', async () => {
    const { key: poor } = await server.newKey({ plan: 'payg' });
    const answers: string[] = [];
    for (let asked = 0; asked < 2 * IN_FLIGHT; asked++) {
      const paths = ['/v1/sports', '/v1/nothing', '/v1/events/abc', '/v1/events/%ZZ', '/v1/health'];
      answers.push(outcomeOf(await server.ask(paths[asked % 5]!, { key: poor })).slice(0, 3));
    }
    expect(new Set(answers)).toEqual(new Set(['402', '404', '422', '400', '200']));
  });
});

describe('open streams', () => {
  const open = (by = key, id = games.full, headers = { authorization: `Bearer ${by}` }): Promise<SseClient> =>
    openStream(`${server.url}/v1/events/${id}/stream`, headers);

  /** An opening that is refused: its answer, which is JSON. */
  async function refusedStream(by = key) {
    const client = await open(by);
    expect(client.status).toBe(429);
    await client.rest();
    const headers = new Headers(client.headers as Record<string, string>);
    return { status: client.status, headers, body: JSON.parse(client.text()) };
  }

  it('5 of a key; one more is refused with JSON, costs nothing and counts in no window', async () => {
    const opened = [];
    for (let index = 0; index < STREAMS; index++) opened.push(await open());
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (let asked = 0; asked < 3; asked++) {
      const refused = await refusedStream();
      expect(outcomeOf(refused)).toBe('429 stream_limit_exceeded');
      expect(refused.headers.get('content-type')).toMatch(/^application\/json/);
      expect(refused.body.error.retry_after).toBe(metersOf(refused).retryAfter);
      expect(metersOf(refused).retryAfter).toBeGreaterThanOrEqual(1);
      expect(metersOf(refused)).toMatchObject({ left: 10_000 - 6, used: 0, credits: 50_000 - STREAMS });
    }
    expect((await look(server, key)).left).toBe(10_000 - 7);
    const { key: other } = await server.newKey({ plan: 'growth' });
    expect((await open(other)).status).toBe(200);
  });

  it('score streams and change streams share the slots', async () => {
    const headers = { authorization: `Bearer ${key}` };
    const openChanges = () => openStream(`${server.url}/v1/stream`, headers);
    const opened = [await openChanges(), await openChanges(), await open(), await open(), await openChanges()];
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(opened[0]!.headers['x-credits-used']).toBe('1');
    expect(outcomeOf(await refusedStream())).toBe('429 stream_limit_exceeded');
    const refused = await openChanges();
    expect([refused.status, refused.headers['content-type']]).toEqual([429, 'application/json; charset=utf-8']);
    server.timers.advance(300_000);
    for (const one of opened) expect((await one.rest()).at(-1)!.event).toBe('end');
    expect((await openChanges()).status).toBe(200);
  });

  it('a slot is free when its stream has ended, or its client has disconnected', async () => {
    const opened = [];
    for (let index = 0; index < STREAMS; index++) opened.push(await open());
    await refusedStream();
    opened[0]!.leave();
    let another = await open();
    while (another.status === 429) another = await open();
    expect(another.status).toBe(200);
    server.timers.advance(300_000);
    for (const one of [another, ...opened.slice(1)]) await one.rest();
    for (let index = 0; index < STREAMS; index++) expect((await open()).status).toBe(200);
  });

  it('a stream that was not opened takes no slot: unknown, wrong, out of scope, unpaid, and HEAD', async () => {
    const { key: scoped } = await server.newKey({ plan: 'growth', scopes: ['nba'] });
    const { key: poor } = await server.newKey({ plan: 'payg' });
    const paths = (id: number | string) => `/v1/events/${id}/stream`;
    for (let asked = 0; asked < STREAMS + 1; asked++) {
      expect((await (await open(scoped, games.unknown)).rest())[0]!.event).toBe('error');
      expect((await server.ask(paths('abc'), { key: scoped })).status).toBe(422);
      expect((await server.ask(paths(games.full), { key: scoped })).status).toBe(403);
      expect((await server.ask(paths(games.bare), { key: poor })).status).toBe(402);
      const head = await server.ask(paths(games.bare), { key: scoped, method: 'HEAD' });
      expect([head.status, head.body, head.credits]).toEqual([200, undefined, 1]);
    }
    for (let index = 0; index < STREAMS; index++) expect((await open(scoped, games.bare)).status).toBe(200);
  });

  it('are none of those in flight, which are none of them', async () => {
    for (let index = 0; index < STREAMS; index++) expect((await open()).status).toBe(200);
    const held = await hold(IN_FLIGHT);
    expect(outcomeOf(await sports())).toBe('429 concurrency_limit_exceeded');
    expect(outcomeOf(await refusedStream())).toBe('429 stream_limit_exceeded');
    for (const one of held) expect(await one.finish()).toBe(200);
    server.timers.advance(300_000);
  });

  it('an opening needs no slot of the calls in flight', async () => {
    const held = await hold(IN_FLIGHT);
    expect((await open()).status).toBe(200);
    for (const one of held) expect(await one.finish()).toBe(200);
  });

  it('their openings count in the window of requests', async () => {
    const plans = { free: { ...DEFAULT_PLANS['free'], requests_per_minute: 2 } };
    const own = await serveAgent({ plans });
    const { full } = await feedGames(own);
    const url = `${own.url}/v1/events/${full}/stream`;
    const headers = { authorization: `Bearer ${own.key}` };
    expect((await openStream(url, headers)).headers['x-ratelimit-remaining']).toBe('1');
    expect((await openStream(`${url}?api_key=${own.key}`)).headers['x-ratelimit-remaining']).toBe('0');
    expect(outcomeOf(await own.ask(`/v1/events/${full}/stream`))).toBe('429 rate_limit_exceeded');
    await own.close();
  });

  it('have no end for the operator’s own key', async () => {
    for (let index = 0; index < 4 * STREAMS; index++) expect((await open(BOOTSTRAP_KEY)).status).toBe(200);
  });
});

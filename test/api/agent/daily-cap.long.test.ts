import { afterEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/api/calls/operation/operation.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { formatTime, HOUR } from '../../../src/domain/primitives/time.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { chargesIn } from '../../accounts/recorded-calls.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { START } from '../http/serving.ts';
import type { Answer } from '../spec/server.ts';
import { feedGames, type Games } from './games.ts';
import { buyPack, metersOf, outcomeOf } from './metering.ts';
import { type AgentServer, type AgentServerOptions, serveAgent } from './serving.ts';

/* The rolling cap of 24 hours of the free tier: `resets_at` is when the refused call passes, and not a moment before. */

const DAY = 24 * HOUR;
const folder = temporaryFolder();
let server: AgentServer;
let games: Games;
let key: string;
let accountId: number;
afterEach(() => server.close());

const listSports = operations.find(({ name }) => name === 'list_sports')!;
/** Comes in, and is charged 90 seconds later. */
const slow: Operation = {
  ...listSports,
  name: 'slow',
  path: '/v1/slow',
  run(input, context) {
    server.clock.time += 90_000;
    return listSports.run(input, context);
  },
};

/** @param cap credits of 24 hours */
async function open(cap: number, options: AgentServerOptions = {}): Promise<void> {
  const plans = { free: { ...DEFAULT_PLANS['free'], daily_credit_cap: cap } };
  server = await serveAgent({ plans, operations: [...operations, slow], ...options });
  games = await feedGames(server);
  const made = await server.newKey();
  ({ key } = made);
  ({ accountId } = made.record);
}

/** A call of 1 or 2 credits. */
const call = (credits: 1 | 2, by = key) =>
  server.ask(credits === 1 ? '/v1/sports' : `/v1/events/${games.full}?include_odds=true`, { key: by });

async function pay(credits: 1 | 2, at: number): Promise<void> {
  server.clock.time = at;
  expect([(await call(credits)).status, at]).toEqual([200, at]);
}

/** Refused until `time`, and answered then. */
async function expectUntil(credits: 1 | 2, time: number): Promise<void> {
  const first = await call(credits);
  expectRefused(first, time);
  for (const [at, status] of [
    [time - 1, 402],
    [time, 200],
  ] as const) {
    server.clock.time = at;
    expect([(await call(credits)).status, at - time]).toEqual([status, at - time]);
  }
}

function expectRefused(answer: Answer, time: number): void {
  expect(outcomeOf(answer)).toBe('402 daily_credit_cap_exceeded');
  expect(answer.body.error).toMatchObject({ resets_at: formatTime(time), window_hours: 24 });
  expect(metersOf(answer).used).toBe(0);
}

describe('the cap of the free tier', () => {
  it('is 250 credits, each of which is free again 24 hours after it was charged', async () => {
    await open(DEFAULT_PLANS['free']!.daily_credit_cap!);
    // 20 calls a minute, as many as the plan allows.
    for (let paid = 0; paid < 250; paid++) await pay(1, START + paid * 3000);
    server.clock.time += 3000;
    await expectUntil(1, START + DAY);
    await expectUntil(1, START + 3000 + DAY);
    server.clock.time = START + DAY + 249 * 3000;
    const { body } = await server.ask('/api/agent/credits', { key });
    expect(body).toMatchObject({ credits_used: 252, total_remaining: 748 });
  });
});

describe('when the refused call would pass', () => {
  it('is when enough has left the window for what that call can cost', async () => {
    await open(4);
    await pay(1, START);
    await pay(1, START + HOUR);
    await pay(1, START + 2 * HOUR + 1);
    server.clock.time = START + 3 * HOUR;
    // There is room for one more, not for two.
    expectRefused(await call(2), START + DAY);
    await pay(1, START + 3 * HOUR);
    expectRefused(await call(1), START + DAY);
    await expectUntil(2, START + HOUR + DAY);
    // Two have left, and two more were charged.
    await expectUntil(1, START + 2 * HOUR + 1 + DAY);
  });

  it('goes by when a call was charged, not by when it came in', async () => {
    await open(1);
    server.clock.time = START;
    expect((await server.ask('/v1/slow', { key })).credits).toBe(1);
    await expectUntil(1, START + 90_000 + DAY);
  });

  it('of calls of one second is within that second, and true', async () => {
    await open(2);
    await pay(1, START + 100);
    await pay(1, START + 900);
    const refused = await call(1);
    const resetsAt = Date.parse(refused.body.error.resets_at);
    expect(resetsAt - DAY - START).toBeGreaterThanOrEqual(100);
    expect(resetsAt - DAY - START).toBeLessThanOrEqual(900);
    await expectUntil(1, resetsAt);
  });

  it('is never, for a call that can cost more than the whole cap', async () => {
    await open(1);
    const refused = await call(2);
    expect(outcomeOf(refused)).toBe('402 daily_credit_cap_exceeded');
    expect(refused.body.error.message).toMatch('This call can cost 2 credits');
    expect(refused.body.error).not.toHaveProperty('resets_at');
    await pay(1, START + 1000);
  });

  it('is not put off by calls that cost nothing', async () => {
    await open(2);
    await pay(1, START);
    for (const path of [`/v1/events/${games.bare}/odds`, '/v1/events/987654', '/v1/events?status=x', '/v1/health']) {
      expect((await server.ask(path, { key })).credits).toBe(0);
    }
    await pay(1, START + 1000);
    expectRefused(await call(1), START + DAY);
  });

  it('is the same after a restart', async () => {
    const file = folder.path('cap.db');
    await open(3, { file });
    await pay(1, START + 1);
    await pay(2, START + HOUR);
    await server.close();
    const plans = { free: { ...DEFAULT_PLANS['free'], daily_credit_cap: 3 } };
    server = await serveAgent({ plans, file, time: START + 2 * HOUR });
    expectRefused(await call(2), START + HOUR + DAY);
    await expectUntil(1, START + 1 + DAY);
    await expectUntil(2, START + HOUR + DAY);
  });
});

describe('beyond the cap', () => {
  it('what was bought is spent, and counts for no cap', async () => {
    await open(3);
    await buyPack(server, key, accountId);
    await pay(2, START);
    // One credit of the plan is left below the cap: the other one is a bought one.
    await pay(2, START + 1000);
    expect(await server.get('/api/agent/credits', key)).toMatchObject({
      credits_used: 4,
      credit_limit: 1000,
      bonus_credits: 5000,
      total_remaining: 5996,
    });
    for (let paid = 0; paid < 5; paid++) await pay(2, START + 2000 + paid);
    const { body } = await server.ask('/api/agent/credits', { key });
    expect(body.total_remaining).toBe(1000 - 3 + 5000 - 11);
    // When the cap has room again, the plan's own come first.
    server.clock.time = START + DAY;
    await call(2);
    expect(await bought()).toEqual([0, 1, 2, 2, 2, 2, 2, 0]);
  });

  it('what is free answers, and counts in the window of requests', async () => {
    await open(1);
    await pay(1, START);
    expect((await call(1)).status).toBe(402);
    for (const path of ['/v1/health', '/api/agent/credits', '/api/agent/keys', '/api/agent/credit-packs']) {
      expect((await server.ask(path, { key })).status).toBe(200);
    }
    expect((await server.post('/api/agent/keys', { name: 'x' }, { key })).status).toBe(201);
    expect(metersOf(await server.ask('/v1/health', { key })).left).toBe(20 - 8);
  });

  it('one bought credit stands in for one of the cap, where a call costs more than that', async () => {
    await open(3, { packs: [{ id: 1, name: 'One', credits: 1, price_cents: 1, currency: 'usd' }] });
    await buyPack(server, key, accountId);
    await pay(1, START);
    await pay(2, START + HOUR);
    // Nothing is left below the cap; the bought one is half of what this call can cost.
    await expectUntil(2, START + DAY);
    expect(await bought()).toEqual([0, 0, 1]);
    expectRefused(await call(1), START + HOUR + DAY);
  });

  it('the other keys of the account are refused too, and those of other accounts are not', async () => {
    await open(1);
    const { key: second } = await server.newKey({ account: { id: accountId } });
    const { key: other } = await server.newKey();
    await pay(1, START);
    expectRefused(await call(1, second), START + DAY);
    expect((await call(1, other)).status).toBe(200);
  });

  it('neither trial, pay as you go, growth nor what the operator grants has a cap', async () => {
    await open(1);
    for (const plan of ['trial', 'growth', 'enterprise'] as const) {
      const { key: own } = await server.newKey({ plan });
      for (let asked = 0; asked < 9; asked++) expect((await call(1, own)).status).toBe(200);
    }
    const { key: granted } = await server.newKey({ credits: 9 });
    for (let asked = 0; asked < 9; asked++) expect((await call(1, granted)).status).toBe(200);
    expect(outcomeOf(await call(1, granted))).toBe('402 insufficient_credits');
  });

  /** Of each charge, how many credits were bought ones. */
  async function bought(): Promise<number[]> {
    const records = await server.log.readStream(`account-${accountId}`);
    return chargesIn(records).map((charge) => charge.bought ?? 0);
  }
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/domain/primitives/time.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { START } from '../http/serving.ts';
import { feedGames, type Games } from './games.ts';
import { buyPack, look, metersOf, outcomeOf } from './metering.ts';
import { type AgentServer, serveAgent } from './serving.ts';

/* The plans as they are by default: requests a minute, credits, and when these end. The cap is in daily-cap.test.ts. */

let server: AgentServer;
let games: Games;
beforeAll(async () => {
  server = await serveAgent({ plans: DEFAULT_PLANS, hosts: { 'hooks.example': ['93.184.215.14'] } });
  games = await feedGames(server);
});
afterAll(() => server.close());
beforeEach(() => {
  server.clock.time = START;
});

const sports = (key: string) => server.ask('/v1/sports', { key });
const credits = (key: string) => server.get('/api/agent/credits', key);

describe('requests in 60 seconds', () => {
  it.each([
    ['trial', 10],
    ['free', 20],
    ['payg', 60],
    ['growth', 120],
  ])('on the plan %s: %i', async (plan, limit) => {
    const { key } = await server.newKey({ plan });
    for (let left = limit - 1; left >= 0; left--) {
      const answer = await server.ask('/api/agent/credits', { key });
      expect([answer.status, metersOf(answer)]).toMatchObject([200, { limit, left, reset: START / 1000 + 60 }]);
    }
    for (const path of ['/api/agent/credits', '/v1/sports', '/v1/nothing', '/v1/events/abc/stream']) {
      const refused = await server.ask(path, { key });
      expect([path, outcomeOf(refused)]).toEqual([path, '429 rate_limit_exceeded']);
      expect(metersOf(refused)).toMatchObject({ limit, left: 0, reset: START / 1000 + 60, retryAfter: 60, used: 0 });
      expect(refused.body.error.retry_after).toBe(60);
    }
  });

  it('on the plan enterprise: without a limit, and without headers about one', async () => {
    const { key } = await server.newKey({ plan: 'enterprise' });
    for (let asked = 0; asked < 150; asked++) {
      const answer = await sports(key);
      expect(answer.status).toBe(200);
      const none = { limit: null, left: null, reset: null, credits: null, retryAfter: null };
      expect(metersOf(answer)).toEqual({ ...none, used: 1 });
    }
  });

  it('are each key’s own, on one account too', async () => {
    const { key, record } = await server.newKey({ plan: 'trial' });
    const second = await server.newKey({ account: { id: record.accountId } });
    for (let asked = 0; asked < 10; asked++) expect((await sports(key)).status).toBe(200);
    expect(outcomeOf(await sports(key))).toBe('429 rate_limit_exceeded');
    expect(metersOf(await sports(second.key))).toMatchObject({ left: 9, credits: 39 });
  });
});

describe('enterprise, where the configuration sets limits', () => {
  it('has the headers of limits', async () => {
    const plans = { enterprise: { ...DEFAULT_PLANS['enterprise'], requests_per_minute: 2, initial_credits: 5 } };
    const own = await serveAgent({ plans });
    const { key } = await own.newKey({ plan: 'enterprise' });
    expect(metersOf(await own.ask('/v1/sports', { key }))).toMatchObject({ limit: 2, left: 1, used: 1, credits: 4 });
    await own.ask('/v1/sports', { key });
    expect(outcomeOf(await own.ask('/v1/sports', { key }))).toBe('429 rate_limit_exceeded');
    await own.close();
  });
});

describe('the credits of a plan', () => {
  const none = { bonus_credits: 0, credits_used: 0, is_trial: false, is_trial_expired: false };
  it.each([
    ['trial', { ...none, credit_limit: 50, total_remaining: 50, is_trial: true }],
    ['free', { ...none, credit_limit: 1000, total_remaining: 1000 }],
    ['payg', { ...none, credit_limit: 0, total_remaining: 0 }],
    ['growth', { ...none, credit_limit: 50_000, total_remaining: 50_000 }],
    ['enterprise', { ...none, credit_limit: null, total_remaining: null }],
  ])('%s', async (plan, balance) => {
    const { key } = await server.newKey({ plan });
    expect(await credits(key)).toEqual({ tier: plan, ...balance });
  });

  it('of pay as you go are those that were bought, and never expire', async () => {
    const { key, record } = await server.newKey({ plan: 'payg' });
    expect(outcomeOf(await sports(key))).toBe('402 insufficient_credits');
    await buyPack(server, key, record.accountId);
    server.clock.time += 10_000 * HOUR;
    expect(metersOf(await sports(key))).toMatchObject({ used: 1, credits: 4999 });
    expect(await credits(key)).toMatchObject({ bonus_credits: 5000, credits_used: 1, total_remaining: 4999 });
  });

  it('of free never expire', async () => {
    const { key } = await server.newKey();
    await sports(key);
    server.clock.time += 10_000 * HOUR;
    expect(metersOf(await sports(key)).credits).toBe(998);
  });
});

describe('a trial', () => {
  it('has its credits until 24 hours after its creation, to the millisecond; the key stays', async () => {
    const { key } = await server.newKey({ plan: 'trial' });
    server.clock.time = START + 24 * HOUR - 1;
    expect(metersOf(await sports(key))).toMatchObject({ used: 1, credits: 49 });
    expect(await credits(key)).toMatchObject({ total_remaining: 49, is_trial: true, is_trial_expired: false });
    server.clock.time += 1;
    const refused = await sports(key);
    expect(outcomeOf(refused)).toBe('402 insufficient_credits');
    expect(refused.body.error.is_trial_expired).toBe(true);
    expect(metersOf(refused)).toMatchObject({ used: 0, credits: 0 });
    expect(await credits(key)).toMatchObject({ total_remaining: 0, is_trial: true, is_trial_expired: true });
  });

  it('that was never used ends as one that was', async () => {
    const { key } = await server.newKey({ plan: 'trial' });
    server.clock.time += 24 * HOUR;
    expect((await sports(key)).body.error).toMatchObject({ code: 'insufficient_credits', is_trial_expired: true });
    expect(await credits(key)).toMatchObject({ total_remaining: 0, is_trial_expired: true });
  });

  it('whose credits are used up before is not said to be over', async () => {
    const { key } = await server.newKey({ plan: 'trial' });
    for (let used = 0; used < 50; used++) {
      server.clock.time += 6000;
      await sports(key);
    }
    server.clock.time += 6000;
    const refused = await sports(key);
    expect(outcomeOf(refused)).toBe('402 insufficient_credits');
    expect(refused.body.error).not.toHaveProperty('is_trial_expired');
    server.clock.time += 60_000;
    expect(await credits(key)).toMatchObject({ credits_used: 50, total_remaining: 0, is_trial_expired: false });
  });

  it('that is over spends what was bought', async () => {
    const { key, record } = await server.newKey({ plan: 'trial' });
    await buyPack(server, key, record.accountId);
    server.clock.time += 24 * HOUR;
    expect(metersOf(await sports(key))).toMatchObject({ used: 1, credits: 4999 });
  });
});

describe('growth', () => {
  const APRIL = Date.parse('2026-04-01T00:00:00Z');

  it('has 50,000 of each calendar month in UTC, which end with it', async () => {
    const { key } = await server.newKey({ plan: 'growth' });
    await sports(key);
    server.clock.time = APRIL - 1;
    expect(metersOf(await sports(key)).credits).toBe(49_998);
    expect((await credits(key)).credits_used).toBe(2);
    server.clock.time = APRIL;
    expect(await credits(key)).toMatchObject({ credits_used: 0, credit_limit: 50_000, total_remaining: 50_000 });
    expect(metersOf(await sports(key)).credits).toBe(49_999);
    server.clock.time = Date.parse('2026-07-31T23:59:59.999Z');
    expect(metersOf(await sports(key)).credits).toBe(49_999);
    server.clock.time += 1;
    expect((await look(server, key)).credits).toBe(50_000);
  });

  it('spends what was bought only when the month is used up, and keeps it', async () => {
    const plans = { growth: { ...DEFAULT_PLANS['growth'], monthly_credits: 3 } };
    const own = await serveAgent({ plans });
    const { full } = await feedGames(own);
    const { key, record } = await own.newKey({ plan: 'growth' });
    const two = () => own.ask(`/v1/events/${full}?include_odds=true`, { key });
    await two();
    expect(outcomeOf(await two())).toBe('402 insufficient_credits');
    await buyPack(own, key, record.accountId);
    expect(metersOf(await two())).toMatchObject({ used: 2, credits: 4999 });
    expect(metersOf(await two())).toMatchObject({ used: 2, credits: 4997 });
    const march = { credits_used: 6, credit_limit: 3, bonus_credits: 5000, total_remaining: 4997 };
    expect(await own.get('/api/agent/credits', key)).toMatchObject(march);
    own.clock.time = APRIL;
    const april = { credits_used: 0, credit_limit: 3, bonus_credits: 4997, total_remaining: 5000 };
    expect(await own.get('/api/agent/credits', key)).toMatchObject(april);
    await own.close();
  });
});

describe('nothing left', () => {
  const free = ['/v1/health', '/api/agent/credits', '/api/agent/keys', '/api/agent/credit-packs', '/v1/webhooks'];

  it.each([
    ['at a balance of 0', 'payg', async () => {}],
    ['after failed payments', 'growth', (accountId: number) => declined(accountId)],
  ])('%s what is free answers, and counts in the window', async (_, plan, prepare) => {
    const { key, record } = await server.newKey({ plan });
    await prepare(record.accountId);
    const limit = DEFAULT_PLANS[plan]!.requests_per_minute!;
    let asked = 0;
    for (const path of free) {
      const answer = await server.ask(path, { key });
      expect([path, answer.status, metersOf(answer).used]).toEqual([path, 200, 0]);
      expect(metersOf(answer).left).toBe(limit - ++asked);
    }
    const made = await server.post('/api/agent/keys', { name: 'x' }, { key });
    expect([made.status, metersOf(made).left]).toEqual([201, limit - ++asked]);
    const gone = await server.ask(`/api/agent/keys/${made.body.id}`, { key, method: 'DELETE' });
    expect([gone.status, metersOf(gone).left]).toEqual([204, limit - ++asked]);
    const hook = await server.post('/v1/webhooks', { url: 'https://hooks.example/' }, { key });
    expect([hook.status, metersOf(hook).left, metersOf(hook).used]).toEqual([201, limit - ++asked, 0]);
    const dropped = await server.ask(`/v1/webhooks/${hook.body.id}`, { key, method: 'DELETE' });
    expect([dropped.status, metersOf(dropped).left, metersOf(dropped).used]).toEqual([204, limit - ++asked, 0]);
    const refused = await sports(key);
    expect([refused.status, metersOf(refused).left]).toEqual([402, limit - ++asked]);
    await buyPack(server, key, record.accountId);
    expect((await look(server, key)).left).toBe(limit - asked - 2);
  });

  it('a paid invoice restores access', async () => {
    const { key, record } = await server.newKey({ plan: 'growth' });
    const [first] = await declined(record.accountId);
    expect(outcomeOf(await sports(key))).toBe('402 payment_failed');
    await server.billing.invoices.record(record.accountId, { kind: 'paid', invoice: first!, hostedInvoiceUrl: null });
    expect((await sports(key)).status).toBe(200);
  });

  it('one declined invoice refuses nothing', async () => {
    const { key, record } = await server.newKey({ plan: 'growth' });
    await declined(record.accountId, 1);
    expect((await sports(key)).status).toBe(200);
  });

  it('what can cost more than is left is refused, though it would have cost less', async () => {
    const { key } = await server.newKey({ credits: 1 });
    const bare = `/v1/events/${games.bare}`;
    expect(outcomeOf(await server.ask(`${bare}?include_odds=true`, { key }))).toBe('402 insufficient_credits');
    expect(outcomeOf(await server.ask(`${bare}/odds?bookmaker=all`, { key }))).toBe('402 insufficient_credits');
    const batch = { event_ids: [games.bare, games.unknown] };
    expect(outcomeOf(await server.post('/v1/events/batch', batch, { key }))).toBe('402 insufficient_credits');
    const twice = { event_ids: [games.bare, games.bare] };
    expect(metersOf(await server.post('/v1/events/batch', twice, { key }))).toMatchObject({ used: 1, credits: 0 });
  });

  async function declined(accountId: number, count = 2): Promise<readonly string[]> {
    const invoices = Array.from({ length: count }, (_, index) => `declined-${accountId}-${index}`);
    for (const invoice of invoices) {
      await server.billing.invoices.record(accountId, { kind: 'declined', invoice, hostedInvoiceUrl: null });
    }
    return invoices;
  }
});

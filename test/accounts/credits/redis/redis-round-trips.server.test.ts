import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountTermsOf } from '../../../../src/accounts/billing/account-terms.ts';
import { openRedisCredits, type RedisCredits } from '../../../../src/accounts/credits/redis/redis-credits.ts';
import { createMeteredStages } from '../../../../src/accounts/metered-stages.ts';
import { costWhenAvailable, flatCost, maxCostsByOperation } from '../../../../src/api/calls/operation/operation.ts';
import type { AdmissionControl, Call } from '../../../../src/api/calls/pipeline/admission.ts';
import type { Principal } from '../../../../src/api/calls/principal.ts';
import { openRedisLimits } from '../../../../src/api/limits/redis-limits.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import type { RedisConnection } from '../../../../src/platform/redis-connection.ts';
import { DEFAULT_PLANS } from '../../../../src/platform/settings/plans-and-packs.ts';
import { type RedisServer, redisTitle, startRedis, whyNoRedis } from '../../../platform/redis/redis-server.ts';

const operations = [
  { name: 'one', cost: flatCost(1) },
  { name: 'nothing', cost: flatCost(0) },
  { name: 'maybe', cost: costWhenAvailable },
  { name: 'batch', cost: { description: 'each', creditsFor: () => 2, bounds: () => ({ min: 0, max: 4 }) } },
];
const plans = { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS['free']!, requests_per_minute: 4 } };

describe.skipIf(whyNoRedis !== undefined)(redisTitle('calls with limits and credits on a Redis server'), () => {
  let server: RedisServer;
  let connection: RedisConnection;
  let trips = 0;
  let accounts = 0;
  let credits: RedisCredits;
  let stages: AdmissionControl;
  let principal: Principal;
  beforeAll(async () => {
    server = await startRedis();
    connection = await server.connect(() => trips++);
    const prefix = 'trips:';
    credits = openRedisCredits({
      connection,
      prefix,
      writerId: 'w',
      graceMs: 0,
      onError() {},
      log: createMemoryLog({ now: Date.now }),
      store: { activeGeneration: async () => null, get: async () => undefined },
      steadyNow: () => performance.now(),
      later: (callback, milliseconds) => void setTimeout(callback, milliseconds),
    });
    const limits = openRedisLimits({ connection, owner: 'a', prefix });
    stages = createMeteredStages({
      limits,
      credits,
      plans,
      knownCosts: maxCostsByOperation(operations),
      now: Date.now,
    });
  });
  beforeEach(async () => {
    const id = ++accounts;
    const account = { createdAt: Date.now(), order: null };
    principal = { keyId: id, accountId: id, plan: 'free', scopes: ['all'], unlimited: false, account };
    // Its first call reads the account's ledger.
    await credits.remaining(accountTermsOf(principal, plans)!);
    trips = 0;
  });
  afterAll(async () => {
    await credits.close();
    await server.stop();
  });

  const call = (operation: string): Call => ({
    requestId: `r${Math.random()}`,
    principal,
    operation,
    startedAt: Date.now(),
  });
  const left = async (): Promise<number> => (await credits.remaining(accountTermsOf(principal, plans)!))!;
  /** How many round trips it waits for. */
  async function tripsOf(made: Call, most: number, cost: number): Promise<number> {
    trips = 0;
    const admission = await stages.admit(made, 'answer');
    if (most > 0) await (await admission.reserveCredits(most)).charge(cost, 200);
    admission.release();
    return trips;
  }

  it('cost a paid read two round trips where its price is known, and three where its input decides', async () => {
    const before = await left();
    const [one, maybe, batch] = [call('one'), call('maybe'), call('batch')];
    expect([await tripsOf(one, 1, 1), await tripsOf(maybe, 1, 0), await tripsOf(batch, 4, 2)]).toEqual([2, 2, 3]);
    expect([one.creditsRemaining, maybe.creditsRemaining, batch.creditsRemaining]).toEqual(
      [1, 1, 3].map((spent) => before - spent),
    );
    expect(one.window).toMatchObject({ limit: 4, remaining: 3 });
    expect(await left()).toBe(before - 3);
  });

  it('cost a free one one', async () => {
    expect(await tripsOf(call('nothing'), 0, 0)).toBe(1);
  });

  it('give back what was held early where the call does not get so far, or is refused by a limit', async () => {
    const terms = { ...accountTermsOf(principal, plans)! };
    const all = await left();
    for (let calls = 0; calls < 3; calls++) (await stages.admit(call('one'), 'answer')).release();
    await (await stages.admit(call('nothing'), 'answer')).release();
    const refused = call('one');
    await expect(stages.admit(refused, 'answer')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect(refused.creditsRemaining).toBe(all);
    await connection.settled();
    // Nothing is held back: up to its daily cap it can have all of it.
    const hold = await credits.reserve(terms, Math.min(all, terms.dailyCap ?? all));
    await hold.release();
  });

  it('tell who has too few credits so only once they are needed', async () => {
    const hold = await credits.reserve(accountTermsOf(principal, plans)!, accountTermsOf(principal, plans)!.dailyCap!);
    await hold.charge(
      { at: new Date().toISOString(), keyId: 1, operation: 'x', requestId: 'x', status: 200, milliseconds: 0 },
      accountTermsOf(principal, plans)!.dailyCap!,
    );
    const admission = await stages.admit(call('one'), 'answer');
    await expect(Promise.resolve(admission.reserveCredits(1))).rejects.toMatchObject({
      code: 'daily_credit_cap_exceeded',
    });
    admission.release();
  });
});

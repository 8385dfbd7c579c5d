import { beforeEach, describe, expect, it } from 'vitest';
import { balances } from '../../projections/accounts/balances.ts';
import { accountTermsOf } from '../../src/accounts/billing/account-terms.ts';
import type { Credits } from '../../src/accounts/credits/credits.ts';
import { createLocalCredits } from '../../src/accounts/credits/local-credits.ts';
import { createMeteredStages } from '../../src/accounts/metered-stages.ts';
import { costWhenAvailable, flatCost, maxCostsByOperation } from '../../src/api/calls/operation/operation.ts';
import type { AdmissionControl, Call } from '../../src/api/calls/pipeline/admission.ts';
import type { Principal } from '../../src/api/calls/principal.ts';
import type { Limits } from '../../src/api/limits/limits.ts';
import { createMemoryLimits } from '../../src/api/limits/memory-limits.ts';
import { operations } from '../../src/api/operations/index.ts';
import { UnavailableError } from '../../src/domain/primitives/domain-errors.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import { DEFAULT_PLANS } from '../../src/platform/settings/plans-and-packs.ts';
import { createMemoryStore } from '../../src/read-models/store/memory-store.ts';
import { createFaultyCredits } from '../support/faulty/faulty-credits.ts';
import { createFaultyLimits } from '../support/faulty/faulty-limits.ts';
import { createFaultyNetwork } from '../support/faulty/faulty-network.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const plans = {
  ...DEFAULT_PLANS,
  free: { ...DEFAULT_PLANS['free']!, requests_per_minute: 2, initial_credits: 3, daily_credit_cap: null },
};
const principal: Principal = {
  keyId: 1,
  accountId: 1,
  plan: 'free',
  scopes: ['all'],
  unlimited: false,
  account: { createdAt: NOON, order: null },
};
const terms = accountTermsOf(principal, plans)!;
const priced = [
  { name: 'one', cost: flatCost(1) },
  { name: 'maybe', cost: costWhenAvailable },
  { name: 'nothing', cost: flatCost(0) },
  { name: 'batch', cost: { description: 'each', creditsFor: () => 2, bounds: () => ({ min: 0, max: 4 }) } },
];

describe('a call with remote limits and credits', () => {
  let near: Credits;
  let limits: Limits & { settled(): Promise<void> };
  let stages: AdmissionControl;
  const open = (credits: Credits) =>
    createMeteredStages({ limits, credits, plans, knownCosts: maxCostsByOperation(priced), now: () => NOON });
  beforeEach(async () => {
    const store = createMemoryStore();
    await store.prepare(balances, 'v1');
    near = createLocalCredits({
      log: createMemoryLog({ now: () => NOON }),
      store,
      writerId: 'w',
      now: () => NOON,
      onError() {},
      steadyNow: () => performance.now(),
      later: (callback) => void setImmediate(callback),
    });
    limits = createFaultyLimits(createMemoryLimits(), createFaultyNetwork({ seed: 1 }));
    stages = open(createFaultyCredits(near, createFaultyNetwork({ seed: 2 })));
  });

  const call = (operation: string): Call => ({ requestId: 'r', principal, operation, startedAt: NOON });
  /** Whether nobody holds anything back: then all of it can be had at once. */
  const isAllFree = async (): Promise<boolean> => {
    const hold = await Promise.race([near.reserve(terms, 3), limits.settled().then(settledLater)]);
    await hold?.release();
    return hold !== undefined;
  };
  const settledLater = async (): Promise<undefined> => {
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
  };

  it('is charged from the credits reserved during its admission', async () => {
    const made = call('one');
    const admission = await stages.admit(made, 'answer');
    await (await admission.reserveCredits(1)).charge(1, 200);
    admission.release();
    expect(made).toMatchObject({ creditsRemaining: 2, window: { limit: 2, remaining: 1 } });
    expect(await near.remaining(terms)).toBe(2);
  });

  it.each(['one', 'maybe', 'batch', 'nothing'])(
    'that ends before it costs anything holds nothing back: %s',
    async (name) => {
      (await stages.admit(call(name), 'answer')).release();
      await settledLater();
      expect(await isAllFree()).toBe(true);
    },
  );

  it('with another maximum cost than known reserves that cost', async () => {
    const admission = await stages.admit(call('one'), 'answer');
    const reservation = await admission.reserveCredits(3);
    await reservation.charge(2, 200);
    admission.release();
    await settledLater();
    expect(await near.remaining(terms)).toBe(1);
    await (await near.reserve(terms, 1)).release();
  });

  it('refused by a limit has its balance, and holds no credits', async () => {
    for (let calls = 0; calls < 2; calls++) (await stages.admit(call('one'), 'answer')).release();
    const refused = call('one');
    await expect(Promise.resolve(stages.admit(refused, 'answer'))).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
    });
    expect(refused.creditsRemaining).toBe(3);
    await settledLater();
    expect(await isAllFree()).toBe(true);
  });

  it('is refused for lack of credits only if it needs them', async () => {
    await (await near.reserve(terms, 3)).charge({ ...callOf, requestId: 'a' }, 3);
    const admission = await stages.admit(call('one'), 'answer');
    await expect(Promise.resolve(admission.reserveCredits(1))).rejects.toMatchObject({ code: 'insufficient_credits' });
    admission.release();
  });

  it('releases its slot and its count if the balance cannot be read', async () => {
    const failing = open({
      ...near,
      remaining: async () => Promise.reject(new Error('broken')),
      reserve: async () => Promise.reject(new UnavailableError('away')),
    });
    for (let calls = 0; calls < 5; calls++) {
      await expect(Promise.resolve(failing.admit(call('one'), 'answer'))).rejects.toThrow('broken');
    }
    await limits.settled();
    const made = call('nothing');
    (await stages.admit(made, 'answer')).release();
    expect(made.window).toMatchObject({ remaining: 1 });
  });
});

const callOf = { at: new Date(NOON).toISOString(), keyId: 1, operation: 'x', status: 200, milliseconds: 1 };

it('known costs are those that no input changes', () => {
  const known = maxCostsByOperation(operations);
  expect([...known.values()].every((most) => most > 0)).toBe(true);
  for (const { name, cost } of operations) {
    if (cost.maxCredits === undefined) continue;
    expect(cost.bounds({}).max, name).toBe(cost.maxCredits);
  }
  expect(known.size).toBeGreaterThan(20);
});

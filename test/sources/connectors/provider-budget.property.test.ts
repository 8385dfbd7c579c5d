import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDate, HOUR } from '../../../src/domain/primitives/time.ts';
import { createProviderBudget, type Reservation } from '../../../src/sources/connectors/provider-budget.ts';
import { cases } from '../../support/cases.ts';

const NOON = Date.parse('2026-11-23T12:00:00Z');
const nothing = { last: undefined, remaining: undefined };

describe('a budget', () => {
  it('given a request of cost c, the next waits at least c times the seconds that are left by the credits left', () => {
    const budget = createProviderBudget(16, undefined);
    const paid = budget.reserve(3, NOON);
    expect(budget.freeAt(3, NOON) - NOON).toBeCloseTo((3 * 12 * HOUR) / 13, 2);
    budget.settle(paid, { last: 1, remaining: undefined }, NOON);
    expect(budget.figures(NOON)).toEqual({
      limit: 16,
      used: 1,
      remaining: 15,
      provider_remaining: null,
      resets_at: '2026-11-24T00:00:00.000Z',
    });
  });

  it('given less than a request may cost, it waits for the next day; and for the provider, where it says so', () => {
    const budget = createProviderBudget(16, {
      day: '2026-11-23',
      used: 14,
      notBefore: 0,
      isOver: false,
      providerRemaining: null,
    });
    expect([budget.isExhausted(2, NOON), budget.isExhausted(3, NOON)]).toEqual([false, true]);
    expect(budget.freeAt(3, NOON)).toBe(Date.parse('2026-11-24T00:00:00Z'));
    expect(budget.isExhausted(3, NOON + 12 * HOUR)).toBe(false);
    budget.updateRemaining(2);
    expect(budget.isExhausted(3, NOON + 12 * HOUR)).toBe(true);
    budget.updateRemaining(500);
    expect(budget.isExhausted(3, NOON + 12 * HOUR)).toBe(false);
  });

  it('given what the provider has left, it is known after a restart, less what was under way', () => {
    const budget = createProviderBudget(16, undefined);
    budget.settle(budget.reserve(3, NOON), { last: 3, remaining: 5 }, NOON);
    budget.reserve(3, NOON);
    const again = createProviderBudget(16, budget.stored);
    expect([again.isExhausted(2, NOON), again.isExhausted(3, NOON)]).toEqual([false, true]);
    expect(again.figures(NOON).provider_remaining).toBe(2);
  });

  it('given that the provider refuses what costs, nothing is asked until the next UTC day, after a restart too', () => {
    const budget = createProviderBudget(16, undefined);
    budget.markExhausted(NOON);
    const again = createProviderBudget(16, budget.stored);
    expect([again.isExhausted(1, NOON + HOUR), again.isExhausted(1, NOON + 12 * HOUR)]).toEqual([true, false]);
  });

  it('given what never left, it costs nothing; given an answer that says nothing, what it may cost', () => {
    const budget = createProviderBudget(16, undefined);
    budget.settle(budget.reserve(3, NOON), 'notSent', NOON);
    expect(budget.figures(NOON).used).toBe(0);
    budget.settle(budget.reserve(3, NOON), nothing, NOON);
    expect(budget.figures(NOON).used).toBe(3);
  });
});

it('in any order of requests, answers and restarts, a UTC day never costs more than its limit', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('ask' as const), cost: fc.integer({ min: 1, max: 9 }), arrives: fc.nat(3 * HOUR) }),
    fc.record({
      do: fc.constant('answer' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      says: fc.boolean(),
    }),
    fc.record({ do: fc.constant('restart' as const) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.nat(8 * HOUR) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 40 }), (steps, limit) => {
      let budget = createProviderBudget(limit, undefined);
      let kept = budget.stored;
      let now = NOON;
      let open: { readonly paid: Reservation; readonly cost: number; readonly day: string }[] = [];
      /** What the provider has counted, by the day on which it does: when it answers. */
      const spent = new Map<string, number>();
      const spend = (credits: number, day = formatDate(now)) => spent.set(day, (spent.get(day) ?? 0) + credits);
      for (const one of steps) {
        if (one.do === 'wait') now += one.ms;
        else if (one.do === 'restart') {
          // What was under way may have been counted already, and nobody hears of it.
          for (const { cost, day } of open) spend(cost, day);
          open = [];
          budget = createProviderBudget(limit, kept);
        } else if (one.do === 'ask') {
          if (budget.freeAt(one.cost, now) > now) continue;
          open.push({ paid: budget.reserve(one.cost, now), cost: one.cost, day: formatDate(now) });
          kept = budget.stored;
        } else {
          const next = open.shift();
          if (!next) continue;
          const last = Math.floor(next.cost * one.share);
          spend(one.says ? last : next.cost);
          budget.settle(next.paid, { last: one.says ? last : undefined, remaining: undefined }, now);
          kept = budget.stored;
        }
        for (const [day, credits] of spent) expect([day, credits <= limit]).toEqual([day, true]);
      }
    }),
    { numRuns: cases(500) },
  );
});

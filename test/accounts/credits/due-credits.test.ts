import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideDue } from '../../../commands/credit-decisions.ts';
import { applyLedgerEvent, newLedger } from '../../../src/domain/accounts/credit-ledger.ts';
import type { AccountTerms } from '../../../src/domain/accounts/credit-terms.ts';

const START = Date.parse('2026-01-30T20:00:00Z');
const FEBRUARY = Date.parse('2026-02-01T03:00:00Z');
const growth: AccountTerms = {
  accountId: 1,
  createdAt: START,
  plan: 'growth',
  initialCredits: 0,
  monthlyCredits: 20,
  creditsExpireHours: null,
  dailyCap: null,
  order: null,
};

/** What is due at each of these moments, while calls hold back so much. */
function settle(moments: readonly number[], reserved: number) {
  const ledger = newLedger();
  const decide = (now: number, held: number) => {
    const events = decideDue(growth, ledger, held, now);
    for (const event of events) applyLedgerEvent(ledger, event);
    return events;
  };
  decide(START, 0);
  for (const now of moments) decide(now, reserved);
  return { ledger, decide };
}

it('given calls that hold credits over the end of a month, then everything due is decided at once', () => {
  const { ledger, decide } = settle([FEBRUARY], 5);
  expect(ledger.balance).toBe(20);
  expect(decide(FEBRUARY, 5)).toEqual([]);
});

it('decided again after it is applied, gives nothing, whatever calls hold', () => {
  const moment = fc.integer({ min: 0, max: 120 }).map((days) => START + days * 86_400_000);
  fc.assert(
    fc.property(fc.array(moment, { minLength: 1, maxLength: 4 }), fc.nat(40), (moments, halves) => {
      const inOrder = [...moments].sort((a, b) => a - b);
      const { decide } = settle(inOrder, halves / 2);
      expect(decide(inOrder.at(-1)!, halves / 2)).toEqual([]);
    }),
  );
});

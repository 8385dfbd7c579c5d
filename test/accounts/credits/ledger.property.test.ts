import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideGift, decidePaidRestOfMonth } from '../../../commands/billing-decisions.ts';
import { balances } from '../../../projections/accounts/balances.ts';
import type { Hold } from '../../../src/accounts/credits/credits.ts';
import { createLocalCredits } from '../../../src/accounts/credits/local-credits.ts';
import { ApiError } from '../../../src/api/calls/api-errors.ts';
import type { AnsweredCall } from '../../../src/domain/accounts/account-event-data.ts';
import { GIFT_KINDS, type GiftKind } from '../../../src/domain/accounts/account-event-data.ts';
import type { LedgerRecord } from '../../../src/domain/accounts/account-events.ts';
import { applyLedgerRecord, type Ledger, newLedger } from '../../../src/domain/accounts/credit-ledger.ts';
import type { AccountTerms } from '../../../src/domain/accounts/credit-terms.ts';
import { DAY, HOUR, monthOf } from '../../../src/domain/primitives/time.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { cases } from '../../support/cases.ts';
import { chargesIn } from '../recorded-calls.ts';

const START = Date.parse('2026-01-30T20:00:00Z');
const base = {
  accountId: 1,
  createdAt: START,
  monthlyCredits: 0,
  creditsExpireHours: null,
  dailyCap: null,
  order: null,
};
const free: AccountTerms = { ...base, plan: 'free', initialCredits: 30, dailyCap: 10 };
const trial: AccountTerms = { ...base, plan: 'trial', initialCredits: 15, creditsExpireHours: 24 };
const growth: AccountTerms = { ...base, plan: 'growth', initialCredits: 0, monthlyCredits: 20 };
const leaving: AccountTerms = { ...growth, monthlyUntil: Date.UTC(2026, 1) };
const ordered = (credits: number, at: number): AccountTerms => ({ ...free, order: { credits, at } });

type Step =
  | { readonly kind: 'reserve'; readonly most: number }
  | { readonly kind: 'settle'; readonly which: number; readonly share: number }
  | { readonly kind: 'wait'; readonly hours: number }
  | { readonly kind: 'terms'; readonly which: number }
  | { readonly kind: 'buy'; readonly credits: number }
  | { readonly kind: 'give'; readonly gift: GiftKind; readonly credits: number; readonly which: number }
  | { readonly kind: 'rest'; readonly credits: number; readonly payment: number }
  | { readonly kind: 'reload' };

const credits = fc.integer({ min: 1, max: 8 }).map((halves) => halves / 2);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: credits.map((most) => ({ kind: 'reserve' as const, most })) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(20),
      share: fc.constantFrom(0, 0.5, 1, 1, 1),
    }),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 30 }).map((hours) => ({ kind: 'wait' as const, hours })) },
  { weight: 1, arbitrary: fc.nat(4).map((which) => ({ kind: 'terms' as const, which })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }).map((bought) => ({ kind: 'buy' as const, credits: bought })) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('give' as const),
      gift: fc.constantFrom(...GIFT_KINDS),
      credits: fc.integer({ min: 1, max: 6 }),
      which: fc.nat(4),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rest' as const),
      credits: fc.integer({ min: 0, max: 9 }),
      payment: fc.nat(4),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'reload' as const }) },
);

const call = (n: number, at: number): AnsweredCall => ({
  at: new Date(at).toISOString(),
  keyId: 1,
  operation: 'test',
  requestId: `r${n}`,
  status: 200,
  milliseconds: 0,
});

/** Plays the steps on an account in memory, and looks at it after each. */
async function play(steps: readonly Step[]): Promise<void> {
  let time = START;
  const now = () => time;
  const log = createMemoryLog({ now });
  const store = createMemoryStore();
  await store.prepare(balances, 'v1');
  let lives = 0;
  const open = () =>
    createLocalCredits({
      log,
      store,
      writerId: `life-${++lives}`,
      now,
      later: (callback) => setImmediate(callback),
      steadyNow: () => performance.now(),
      onError() {},
    });
  let book = open();
  let terms: AccountTerms = free;
  const ledgerNow = async () => book.ledger(terms);
  const holds: { hold: Hold; most: number }[] = [];
  let waiting = 0;
  let calls = 0;
  let bought = 0;

  /** Each that is released may let one that waits go on, which is released in its turn. */
  async function releaseAll(): Promise<void> {
    while (holds.length > 0 || waiting > 0) {
      for (const { hold } of holds.splice(0)) hold.release();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  for (const one of steps) {
    switch (one.kind) {
      case 'reserve': {
        const { most } = one;
        try {
          const hold = book.reserve(terms, most);
          if (hold instanceof Promise) {
            // It waits for others: it may be refused when they have settled.
            waiting++;
            void hold.then((held) => void holds.push({ hold: held, most }), onlyRefusals).finally(() => waiting--);
          } else holds.push({ hold, most });
        } catch (error) {
          onlyRefusals(error);
        }
        break;
      }
      case 'settle': {
        const [taken] = holds.splice(one.which % Math.max(1, holds.length), 1);
        if (!taken) break;
        const cost = Math.round(taken.most * one.share * 2) / 2;
        await taken.hold.charge(call(++calls, time), cost);
        break;
      }
      case 'wait':
        time += one.hours * HOUR;
        break;
      case 'terms':
        terms = [free, trial, growth, leaving, ordered(12, time)][one.which]!;
        break;
      case 'buy':
        await book.record(terms, (ledger) => [topUp(++bought, one.credits, time, ledger.made.length)]);
        break;
      case 'give': {
        const gift = { accountId: 1, grant: `${one.gift}.${one.which}`, kind: one.gift, credits: one.credits };
        await book.record(terms, (ledger) => decideGift(ledger, gift, time));
        break;
      }
      case 'rest': {
        const rest = { accountId: 1, plan: 'growth', month: monthOf(time), credits: one.credits, by: null };
        await book.record(terms, (ledger) =>
          decidePaidRestOfMonth(ledger, { ...rest, payment: `p${one.payment}` }, time),
        );
        break;
      }
      case 'reload': {
        // As after a restart: what calls in flight held back is free again.
        await releaseAll();
        await book.flush();
        const before = structuredClone(await ledgerNow());
        await book.flush();
        book = open();
        expect(creditsOf(await ledgerNow())).toEqual(creditsOf(before));
        break;
      }
    }
    expect((await ledgerNow()).balance).toBeGreaterThanOrEqual(0);
    const { credits_used, credit_limit, bonus_credits, total_remaining } = await book.balance(terms);
    expect(total_remaining).toBe((await ledgerNow()).balance);
    expect(credit_limit! + bonus_credits - credits_used).toBe(total_remaining);
  }
  await releaseAll();
  // What is due by now is entered when it is looked at: before the log is read.
  expect((await ledgerNow()).balance).toBeGreaterThanOrEqual(0);
  await book.flush();
  await check(log, await ledgerNow());
}

/** The sum of the entries is the balance; grants stand once; no 24 hours hold more than the cap. */
async function check(log: ReturnType<typeof createMemoryLog>, ledger: Readonly<Ledger>): Promise<void> {
  const records = (await log.readStream('account-1')) as readonly LedgerRecord[];
  const sums = { in: 0, out: 0 };
  const folded = newLedger();
  const made: string[] = [];
  const capped: [number, number][] = [];
  for (const record of records) {
    applyLedgerRecord(folded, record);
    expect(folded.balance).toBeGreaterThanOrEqual(0);
    expect(folded.balance).toBe(folded.grants.reduce((sum, { remaining }) => sum + remaining, 0));
    if (record.type === 'CreditsGranted' || record.type === 'CreditsToppedUp') {
      made.push(record.data.grant);
      sums.in += record.data.credits;
    }
    if (record.type === 'CreditsExpired') sums.out += record.data.credits;
    if (record.type === 'CreditsCharged') {
      for (const charge of chargesIn([record])) {
        sums.out += charge.credits;
        if (charge.capped)
          capped.push([Date.parse(charge.chargedAt ?? charge.at), charge.credits - (charge.bought ?? 0)]);
      }
    }
  }
  expect(folded.balance).toBe(sums.in - sums.out);
  expect(creditsOf(folded)).toEqual(creditsOf(ledger));
  expect(new Set(made).size).toBe(made.length);
  for (const [at] of capped) {
    const window = capped.filter(([other]) => other > at - DAY && other <= at);
    expect(window.reduce((sum, [, spent]) => sum + spent, 0)).toBeLessThanOrEqual(free.dailyCap!);
  }
}

function topUp(n: number, amount: number, at: number, _: number) {
  const data = { accountId: 1, at: new Date(at).toISOString(), grant: `pack.p${n}`, credits: amount, packId: 1 };
  return {
    type: 'CreditsToppedUp' as const,
    version: 1,
    data: { ...data, payment: `p${n}`, priceCents: 100, currency: 'usd' },
    meta: { partition: 'account-1' },
  };
}

/** Without what only the log tells: which of its records are in the ledger. */
const creditsOf = (ledger: Readonly<Ledger>) => ({ ...ledger, revision: 0, written: [] });

function onlyRefusals(error: unknown): void {
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).status).toBe(402);
}

it('a balance is the grants less charges and expired credits, never below zero, in any mix of events', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), play), {
    numRuns: Number(process.env['LEDGER_RUNS'] ?? cases(300)),
  });
});

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decideInvoiceDeclined, decideInvoicePaid } from '../../../commands/billing-decisions.ts';
import { decideRefund, decideTopUp } from '../../../commands/credit-decisions.ts';
import type { Credits, Hold } from '../../../src/accounts/credits/credits.ts';
import { ApiError } from '../../../src/api/calls/api-errors.ts';
import type { AnsweredCall } from '../../../src/domain/accounts/account-event-data.ts';
import { accountStreams } from '../../../src/domain/accounts/account-events.ts';
import type { AccountTerms } from '../../../src/domain/accounts/credit-terms.ts';
import { DAY, formatTime, HOUR } from '../../../src/domain/primitives/time.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { chargesIn, freeCallsIn } from '../recorded-calls.ts';

/** What credits stand upon, and outlives them. */
export interface CreditsGround {
  readonly log: EventLog;
  close(): Promise<void>;
}

export interface CreditsContract {
  /** @param now milliseconds */
  ground(now: () => number): Promise<CreditsGround>;
  /**
   * As a process begins with them, one after the other on the same ground.
   * @param log the ground's, which the suite may let fail
   */
  open(log: EventLog, ground: CreditsGround, now: () => number): Credits;
  /** What the adapter does otherwise, by the titles of the tests. */
  readonly skip?: readonly { readonly reason: string; readonly tests: readonly string[] }[];
}

const START = Date.parse('2026-01-30T20:00:00Z');
const ACCOUNT = 1;
const payg: AccountTerms = {
  accountId: ACCOUNT,
  createdAt: START,
  plan: 'payg',
  initialCredits: 10,
  monthlyCredits: 0,
  creditsExpireHours: null,
  dailyCap: null,
  order: null,
};
const capped: AccountTerms = { ...payg, plan: 'free', initialCredits: 30, dailyCap: 10 };
const trial: AccountTerms = { ...payg, plan: 'trial', creditsExpireHours: 24 };
const unlimited: AccountTerms = { ...payg, plan: 'enterprise', initialCredits: null };

const pack = (payment: string, credits: number) => ({
  accountId: ACCOUNT,
  credits,
  packId: 1,
  payment,
  priceCents: 100,
  currency: 'usd',
});

/** What every adapter of the credits does. */
export function creditsContract(name: string, { ground: lay, open: begin, skip = [] }: CreditsContract): void {
  const unless = (title: string, test: () => Promise<void>) =>
    it.skipIf(skip.some(({ tests }) => tests.includes(title)))(title, test);
  describe(`credits contract: ${name}`, () => {
    let time: number;
    let ground: CreditsGround;
    let isLogDown: boolean;
    let calls: number;
    let credits: Credits;
    const now = () => time;
    const open = () => {
      const appendAll: EventLog['appendAll'] = (appends) =>
        isLogDown ? Promise.reject(new Error('the disk is full')) : ground.log.appendAll(appends);
      return begin({ ...ground.log, appendAll }, ground, now);
    };
    const start = async () => {
      time = START;
      isLogDown = false;
      calls = 0;
      ground = await lay(now);
      credits = open();
    };
    beforeEach(start);
    afterEach(async () => {
      isLogDown = false;
      await credits.flush();
      await ground.close();
    });

    const call = (requestId = `r${++calls}`): AnsweredCall => ({
      at: formatTime(time),
      keyId: 7,
      operation: 'test',
      requestId,
      status: 200,
      milliseconds: 3,
    });
    const reserve = async (most: number, terms = payg): Promise<Hold> => credits.reserve(terms, most);
    const charge = async (amount: number, terms = payg) => (await reserve(amount, terms)).charge(call(), amount);
    const records = () => ground.log.readStream(accountStreams.ledger(ACCOUNT));
    const charged = async () => {
      await credits.flush();
      return chargesIn(await records());
    };
    const remaining = async (terms = payg) => credits.remaining(terms);
    /** What a refusal tells; fails where there is none. */
    const refusal = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(ApiError);
      return error as ApiError;
    };
    const codeOf = async (work: Promise<unknown>) => (await refusal(work)).code;
    const decline = (invoice: string) =>
      credits.record(capped, (ledger) =>
        decideInvoiceDeclined(ledger, { accountId: ACCOUNT, invoice, hostedInvoiceUrl: null }, time),
      );
    const buy = (payment: string, amount: number, terms = payg) =>
      credits.record(terms, (ledger) => decideTopUp(ledger, pack(payment, amount), time));

    describe('a charge', () => {
      it("takes the call's cost, returns the remaining credits, and is in the log", async () => {
        const hold = await reserve(5);
        expect(await hold.charge(call('a'), 2)).toEqual({ remaining: 8 });
        expect(await remaining()).toBe(8);
        expect(await charged()).toMatchObject([{ requestId: 'a', credits: 2, keyId: 7, operation: 'test' }]);
      });

      it('of 0 is free, and releases the hold', async () => {
        const hold = await reserve(10);
        expect(await hold.charge(call(), 0)).toEqual({ remaining: 10 });
        expect(await charge(10)).toEqual({ remaining: 0 });
        expect(await charged()).toHaveLength(1);
      });

      it('is recorded for unlimited credits too, and takes nothing', async () => {
        expect(await charge(5, unlimited)).toEqual({ remaining: undefined });
        await credits.flush();
        expect((await records()).map(({ data }) => data)).toMatchObject([
          { unlimited: true, charges: [{ credits: 5 }] },
        ]);
      });

      it('of two calls with one request id is made twice: the id is the client’s', async () => {
        const holds = await Promise.all([reserve(1), reserve(1)]);
        await Promise.all(holds.map((hold) => hold.charge(call('same'), 1)));
        expect(await charged()).toHaveLength(2);
        expect(await remaining()).toBe(8);
      });

      it('takes bought credits after those of the plan', async () => {
        await buy('p', 5);
        await charge(12);
        expect(await charged()).toMatchObject([{ credits: 12, bought: 2 }]);
        expect(await credits.balance(payg)).toEqual({
          credits_used: 12,
          credit_limit: 10,
          bonus_credits: 5,
          total_remaining: 3,
          is_trial: false,
          is_trial_expired: false,
        });
      });
    });

    it('no credit is spent twice, in whatever order calls come and end', async () => {
      const calling = fc.record({
        most: fc.integer({ min: 1, max: 8 }).map((halves) => halves / 2),
        share: fc.constantFrom(0, 0.5, 1, 1, -1),
        turns: fc.nat(5),
      });
      await fc.assert(
        fc
          .asyncProperty(fc.array(calling, { minLength: 10, maxLength: 60 }), async (all) => {
            let answered = 0;
            await Promise.all(
              all.map(async ({ most, share, turns }) => {
                let hold: Hold;
                try {
                  hold = await reserve(most);
                } catch (error) {
                  expect(error).toMatchObject({ code: 'insufficient_credits' });
                  return;
                }
                for (let n = 0; n < turns; n++) await new Promise((resolve) => setImmediate(resolve));
                const cost = Math.round(most * share * 2) / 2;
                if (share < 0) return hold.release();
                const { remaining: left } = await hold.charge(call(), cost);
                expect(left).toBeGreaterThanOrEqual(0);
                answered += cost;
              }),
            );
            const sum = (await charged()).reduce((total, { credits: cost }) => total + cost, 0);
            expect(sum).toBe(answered);
            expect(sum).toBeLessThanOrEqual(10);
            expect(await remaining()).toBe(10 - sum);
          })
          .beforeEach(async () => {
            await ground.close();
            await start();
          }),
        { numRuns: 25 },
      );
    });

    describe('a call that does not fit with those in flight', () => {
      it('waits for them, and a smaller later call does not overtake it', async () => {
        const order: string[] = [];
        const first = await reserve(8);
        const large = reserve(5).then((hold) => {
          order.push('large');
          return hold;
        });
        const small = reserve(1).then((hold) => {
          order.push('small');
          return hold;
        });
        expect(order).toEqual([]);
        await first.release();
        await (await large).release();
        await (await small).release();
        expect(order).toEqual(['large', 'small']);
      });

      it('is refused when they have taken the credits it needs', async () => {
        const first = await reserve(8);
        const second = reserve(5);
        const refused = codeOf(second);
        await first.charge(call(), 8);
        expect(await refused).toBe('insufficient_credits');
      });
    });

    describe('a refusal', () => {
      it('is for declined invoices first, then for credits, then for the cap', async () => {
        await charge(9, capped);
        expect(await codeOf(reserve(2, capped))).toBe('daily_credit_cap_exceeded');
        expect(await codeOf(reserve(22, capped))).toBe('insufficient_credits');
        await decline('i1');
        expect(await codeOf(reserve(22, capped))).toBe('insufficient_credits');
        await decline('i2');
        expect(await codeOf(reserve(22, capped))).toBe('payment_failed');
        await credits.record(capped, (ledger) =>
          decideInvoicePaid(ledger, { accountId: ACCOUNT, invoice: 'i2' }, time),
        );
        expect(await codeOf(reserve(22, capped))).toBe('insufficient_credits');
      });

      it('by the cap has a reset time, and ends then', async () => {
        await charge(4, capped);
        time += HOUR;
        await charge(6, capped);
        const { extras } = await refusal(reserve(1, capped));
        expect(extras).toMatchObject({ resets_at: formatTime(START + DAY), window_hours: 24 });
        time = START + DAY - 1;
        expect(await codeOf(reserve(1, capped))).toBe('daily_credit_cap_exceeded');
        time = START + DAY;
        expect(await charge(4, capped)).toEqual({ remaining: 16 });
        expect(await codeOf(reserve(1, capped))).toBe('daily_credit_cap_exceeded');
      });

      it('leaves no hold', async () => {
        expect(await codeOf(reserve(11))).toBe('insufficient_credits');
        expect(await charge(10)).toEqual({ remaining: 0 });
      });
    });

    describe('due credits', () => {
      it('are granted once, however often and by whomever the ledger is read', async () => {
        expect(await Promise.all([remaining(), remaining()])).toEqual([10, 10]);
        await credits.flush();
        credits = open();
        expect(await remaining()).toBe(10);
        await credits.flush();
        expect((await records()).map(({ type }) => type)).toEqual(['CreditsGranted']);
      });

      it('of a month expire with it', async () => {
        const monthly: AccountTerms = { ...payg, plan: 'growth', initialCredits: 0, monthlyCredits: 20 };
        await charge(5, monthly);
        time = Date.parse('2026-02-01T00:00:00Z');
        expect(await remaining(monthly)).toBe(20);
        expect(await credits.balance(monthly)).toMatchObject({ credits_used: 0, credit_limit: 20 });
      });

      it('of a trial ends, but not under a call in flight', async () => {
        const hold = await reserve(4, trial);
        time = START + 24 * HOUR;
        expect(await remaining(trial)).toBe(4);
        await hold.charge(call(), 4);
        const { code, extras } = await refusal(reserve(1, trial));
        expect([code, extras]).toMatchObject(['insufficient_credits', { is_trial_expired: true }]);
      });

      it('by the operator takes the place of all that the plan has', async () => {
        await charge(1);
        expect(await remaining({ ...payg, order: { credits: 50, at: START } })).toBe(50);
      });
    });

    describe('events that others decide', () => {
      it('are decided from the current ledger, each once', async () => {
        await Promise.all([buy('p', 5), buy('p', 5), buy('q', 1)]);
        expect(await remaining()).toBe(16);
        await charge(3);
        const [spent] = await charged();
        const refund = () => credits.record(payg, (ledger) => decideRefund(ACCOUNT, ledger, spent!, 'why', time));
        await Promise.all([refund(), refund()]);
        await refund();
        expect(await remaining()).toBe(16);
        expect((await credits.ledger(payg)).refunded).toEqual([spent!.requestId]);
        expect((await records()).filter(({ type }) => type === 'CreditsRefunded')).toHaveLength(1);
      });

      it('are in the log when it resolves', async () => {
        await buy('p', 5);
        expect((await records()).map(({ type }) => type)).toEqual(['CreditsGranted', 'CreditsToppedUp']);
      });

      it('let a waiting call continue', async () => {
        const first = await reserve(10);
        const second = reserve(5);
        await buy('p', 5);
        await (await second).release();
        await first.release();
      });
    });

    it('free calls are recorded, separate from the ledger', async () => {
      credits.note(ACCOUNT, call('free'));
      await credits.flush();
      expect(freeCallsIn(await ground.log.readStream(accountStreams.calls(ACCOUNT)))).toMatchObject([
        { requestId: 'free' },
      ]);
      expect(await records()).toEqual([]);
    });

    it('another process continues where one ended', async () => {
      await charge(3);
      await buy('p', 2);
      await charge(1);
      await credits.flush();
      const before = await credits.balance(payg);
      credits = open();
      expect(await credits.balance(payg)).toEqual(before);
      expect(await charge(1)).toEqual({ remaining: 7 });
      expect(await charged()).toHaveLength(3);
    });

    describe('a log that takes nothing', () => {
      unless('fails the calls that it was to charge, and nothing is taken for them', async () => {
        await buy('p', 5);
        isLogDown = true;
        const tries = await Promise.allSettled([charge(1), charge(2), charge(3)]);
        expect(tries.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
        isLogDown = false;
        expect(await charge(1)).toEqual({ remaining: 14 });
        expect(await charged()).toMatchObject([{ credits: 1 }]);
      });

      unless('fails those that wait', async () => {
        await buy('p', 5);
        const first = await reserve(15);
        const second = reserve(15);
        isLogDown = true;
        const ended = Promise.allSettled([Promise.resolve(first.charge(call(), 1)), second]);
        expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      });
    });
  });
}
